// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionServices
import MotionTools

/// `motionctl falls`: the falls in recordings.
struct FallsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "falls", abstract: "Find falls of a person. Not a medical device.",
    discussion: """
      Recordings of an accelerometer of 20 Hz or more and ±4 g or more, at the trunk (waist, chest, trouser pocket) or on the wrist. A \
      fall is rejected when five steps follow within 30 s, else unresponsive. The detector was made from simulated falls and everyday \
      recordings; the documentation (Falls) says how much it misses. Nobody's safety may depend on it.

      Examples:
        motionctl falls waist.csv
        motionctl falls watch.csv --placement wrist --json
        motionctl falls day.mcap --features > contacts.csv
      """)

  @OptionGroup var input: SourcesArgument

  @Option(
    help: ArgumentHelp(
      "Where the device was: trunk or wrist (default: wrist for a watch, else trunk).", valueName: "place"))
  var placement: FallDetector.Placement?

  @Flag(
    help:
      "In place of falls all contacts that were judged: CSV, a row for each, with its time, its probability and the numbers that it is judged by."
  )
  var features = false

  @OptionGroup var range: LimitOption
  @OptionGroup var json: JSONOption

  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  func validate() throws {
    guard !features || !json.isOn else { throw ValidationError("--features is CSV: leave --json out.") }
  }

  func run() throws {
    let out = OutputFile.standardOutput
    if features {
      try out.print([(["file", "time", "probability"] + FallFeatures.names).joined(separator: ",")])
    }
    try Inputs.forEach(input.names) { name in
      let selection = try SourceSelection.open(name, reading: reading.choices())
      try selection.requireEnd(limit: range.limit)
      let run = try FallsRun(selection, placement: placement, limit: range.limit)
      if features {
        let file = "\"\(selection.name.replacing("\"", with: "\"\""))\""
        _ = try run { contact in
          let numbers = FallFeatures.names.indices.map { contact.features.values[$0] }
          let cells = ([contact.elapsed, contact.probability] + numbers).map { String(format: "%.6g", $0) }
          try out.print([([file] + cells).joined(separator: ",")])
        }
      } else {
        let report = try run()
        if json.isOn { try out.write(JSONLine.bytes(report)) } else { try out.print(report.lines) }
      }
    }
  }
}

extension FallDetector.Placement: ExpressibleByArgument {}
