// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionRecording
import MotionTools

/// Whether damage in a recording is passed over.
struct SkipOption: ParsableArguments {
  @Flag(help: "Use the rest of a recording that has malformed lines; they are counted.")
  var skipErrors = false

  /// The same, as the readers have it.
  var damage: DamagePolicy { skipErrors ? .skip : .stop }
}

/// Where the motion of a recording comes from.
struct MotionOption: ParsableArguments {
  @Option(help: "computed from the raw sensors, or as the phone recorded it (default: computed).")
  var motion: MotionOrigin?
}

/// How a table of no known format is read. Without a map it is understood from its content.
///
/// The options are those of the source's address, `replay:log.csv?map=…&sign=…`, which checks them.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The columns, where they are not understood as they stand: target=COLUMN[unit], as in 't=Time[ms] ax=AccX[g] ay=AccY az=AccZ gx=GyrX[deg/s] …'; #2 is the second column. "
        + "Targets: t, ax ay az, gx gy gz, mx my mz, qw qx qy qz, gravx gravy gravz, userx usery userz, p (of air), pw (of water), temp; "
        + "calibrated=yes where the device's own field is removed from mx my mz.",
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

  /// As options of an address.
  var choices: [String: String] {
    ["map": map, "sign": sign, "axes": axes, "rate": rate].compactMapValues(\.self)
  }
}

/// How recordings are read: the options of every command that takes them.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var skip: SkipOption

  @OptionGroup var table: TableOptions

  /// What the person chose; `motion` nil where there is no such choice.
  func choices(motion: MotionOption? = nil) -> ReadingChoices {
    // Computed is the default of an address.
    ReadingChoices(
      damage: skip.damage, motion: motion?.motion == .recorded ? .recorded : nil,
      table: table.choices)
  }
}
