// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionRecording
import MotionSensing
import MotionTools

/// The source that a command reads, and how much of it.
struct SourceOptions: ParsableArguments {
  @Argument(
    help: """
      The address of a source or the path of a recording (default: MOTION_SOURCE, of headphones MOTION_HEADPHONES; commands that \
      read sensors take those of this computer otherwise).
      """)
  var source: String?

  @OptionGroup var range: LimitOption
}

/// Whether headphones are meant, where it may be either.
struct HeadphonesFlag: ParsableArguments {
  @Flag(
    name: .customLong("headphones"),
    help:
      "As headphones: record those of MOTION_HEADPHONES, else of this computer; give a recording to a program as its headphones."
  )
  var isOn = false
}

/// How much of a source is read.
struct LimitOption: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Stop after this much sample time (a view: real time): 90, 2.5s, 10m, 1h30m.", valueName: "time")
  )
  var limit: Seconds?
}

/// Where the part of a recording begins.
struct BeginOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where to begin, from the recording's first sample on: 90, 1m30s (default: there).", valueName: "time"))
  var from: TimePlace?

  /// Seconds since the first sample; refuses an instant, as commands do that count seconds.
  func seconds() throws -> Double? { try EndOption.seconds(of: from, option: "--from") }
}

/// Where the part of a recording ends.
struct EndOption: ParsableArguments {
  @Option(help: ArgumentHelp("Where to end (default: at the end).", valueName: "time"))
  var to: TimePlace?

  func seconds() throws -> Double? { try Self.seconds(of: to, option: "--to") }

  static func seconds(of place: TimePlace?, option: String) throws -> Double? {
    switch place {
    case .sinceStart(let span): return span.seconds
    case .instant: throw ValidationError("\(option) takes a time since the first sample, such as 90 or 1m30s.")
    case nil: return nil
    }
  }
}

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
      "The columns, where they are not understood as they stand: target=COLUMN[unit], as in 't=Time[ms] ax=AccX[g] ay=AccY az=AccZ'; #2 is the second column. "
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
