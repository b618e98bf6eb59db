// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// How a table is read that no format describes: the options of every command that reads recordings.
///
/// They are those of the source's address, `replay:log.csv?map=…&sign=…`, which checks them.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The columns: target=COLUMN[unit], as in 't=Time[ms] ax=AccX[g] ay=AccY az=AccZ gx=GyrX[deg/s] …'; #2 is the second column. "
        + "Targets: t, ax ay az, gx gy gz, mx my mz, qw qx qy qz, gravx gravy gravz, userx usery userz, p, temp.",
      valueName: "columns"))
  var map: String?

  @Option(
    help: ArgumentHelp(
      "Which way accelerations point: reaction (at rest, face up, z is positive) or apple (negative).",
      valueName: "family"))
  var sign: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the device's x, y, z come from in the table, as in x,-z,y.", valueName: "axes"))
  var axes: String?

  @Option(help: ArgumentHelp("The rate of a table without times.", valueName: "hertz"))
  var rate: String?

  /// As the address of a recording has them.
  var recordingOptions: [String: String] {
    ["map": map, "sign": sign, "axes": axes, "rate": rate].compactMapValues(\.self)
  }
}
