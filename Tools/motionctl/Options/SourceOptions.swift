// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
