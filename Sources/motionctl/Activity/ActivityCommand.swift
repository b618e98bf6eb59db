// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl activity`: what the person did, from when to when.
struct ActivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity", abstract: "Tell stationary, walking, running, cycling and automotive apart; draw them.",
    discussion: """
      Recordings as for motionctl steps. A line for each activity goes to standard output, then the share of each. Times are local where \
      the recording has dates, else seconds from its first sample. Vehicles and bicycles were learned from simulations: the \
      confidence of cycling is medium at most. A simulation shows the form of the output, not how good it is.

      Examples:
        motionctl activity walk.csv
        motionctl activity watch.csv --placement wrist --json
        motionctl activity commute.mcap -o commute.svg
        motionctl activity walk.csv --features > features.csv
        motionctl activity simulate:car --for 120
      """)

  @OptionGroup var input: SourcesArgument

  @Flag(
    help:
      "In place of activities the numbers that they are judged by: CSV, a row for each window, with the time of its end."
  )
  var features = false

  @Flag(help: .hidden)
  var spectra = false

  @OptionGroup var options: ActivityOptions
  @OptionGroup var drawing: PictureOption

  func validate() throws {
    try drawing.check(sources: input.sources)
    guard !features || !options.json.isOn && drawing.output == nil else {
      throw ValidationError("--features is CSV: leave --json and --output out.")
    }
  }

  func run() throws {
    if features { return try writeFeatures() }
    let out = OutputFile.standardOutput
    try Inputs.forEach(input.names) { name in
      try options.measure(name, drawing: drawing.output) { selection, result in
        let tally = result.tally
        if options.json.isOn {
          try out.write(JSONLine.bytes(ActivityReport(file: selection.name, tally: tally)))
        } else {
          let head = input.sources.count > 1 ? ["\(selection.name):"] : []
          try out.print(head + ActivityReport.lines(tally))
        }
        return ActivityReport.sentence(tally)
      }
    }
  }
}

extension ActivityCommand {
  /// A row for each window of each recording: its path, the end of the window in seconds from the first sample, the
  /// features.
  private func writeFeatures() throws {
    let out = OutputFile.standardOutput
    try out.write(
      Array((["file", "time"] + ActivityFeatures.names).joined(separator: ",").utf8) + [UInt8(ascii: "\n")])
    try Inputs.forEach(input.names) { name in
      let selection = try options.open(name)
      let file =
        selection.name.contains { ",\"\n".contains($0) }
        ? "\"\(selection.name.replacing("\"", with: "\"\""))\"" : selection.name
      let result = try options.run(over: selection)() { estimator, elapsed in
        guard let features = estimator.lastFeatures else { return }
        let numbers = features.values + (spectra ? estimator.lastSpectra : [])
        let cells = ([elapsed] + numbers.map(Double.init)).map { String(format: "%.6g", $0) }
        try out.write(Array((([file] + cells).joined(separator: ",") + "\n").utf8))
      }
      StandardError.shared.say(ActivityRun.remarks(selection, result))
    }
  }
}
