// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionRecording
import MotionTools

/// How any recording is read.
struct PlayOptions: ParsableArguments {
  @Flag(help: "Use the rest of a recording that has malformed lines; they are counted.")
  var skipErrors = false

  @Option(help: "computed from the raw sensors, or as the phone recorded it (default: computed).")
  var motion: RecordingOptions.Motion?

  var choices: ReadingChoices {
    var choices = ReadingChoices()
    (choices.skipsDamage, choices.motion) = (skipErrors, motion)
    return choices
  }
}

/// How a table of no known format is read. Without a map it is understood from its content.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The columns, where they are not understood as they stand: target=COLUMN[unit], as in 't=Time[ms] ax=AccX[g] ay=AccY az=AccZ gx=GyrX[deg/s] …'; #2 is the second column. "
        + "Targets: t, ax ay az, gx gy gz, mx my mz, qw qx qy qz, gravx gravy gravz, userx usery userz, p (of air), pw (of water), temp; "
        + "calibrated=yes where the device's own field is removed from mx my mz.",
      valueName: "columns"), transform: ColumnMap.init)
  var map: ColumnMap?

  @Option(
    help: ArgumentHelp(
      "Which way accelerations point: reaction (at rest, face up, z is positive) or apple (negative).",
      valueName: "family"))
  var sign: RecordingOptions.Sign?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the device's x, y, z come from in the table, as in x,-z,y.", valueName: "axes"),
    transform: ColumnAxes.init)
  var axes: ColumnAxes?

  @Option(help: ArgumentHelp("The rate of a table without times.", valueName: "hertz"))
  var rate: Double?

  func validate() throws {
    guard rate.map((0.1...100_000).contains) ?? true else {
      throw ValidationError("--rate takes hertz from 0.1 to 100000.")
    }
  }

  func add(to choices: inout ReadingChoices) {
    (choices.map, choices.sign, choices.axes, choices.rate) = (map, sign, axes, rate)
  }
}

/// How recordings are read, tables among them.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var play: PlayOptions
  @OptionGroup var table: TableOptions

  var choices: ReadingChoices {
    var choices = play.choices
    table.add(to: &choices)
    return choices
  }
}
