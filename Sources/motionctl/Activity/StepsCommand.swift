// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl steps`: the steps in recordings, and what the person did from when to when.
struct StepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract:
      "Count steps: cadence, distance, floors, pauses; tell walking, running, cycling and driving apart; draw them.",
    discussion: """
      Recordings of an accelerometer of 12 Hz or more, on the body, the wrist or the head; a barometer adds floors. They are read at \
      full speed. A line for each goes to standard output, then a line for each activity and the share of each; of several recordings \
      the shares alone. To standard error goes what was missing or left out. Times are local where the recording has dates, else \
      seconds from its first sample. Distance follows from height, cadence and how strongly the body goes up and down; “26 (19–36)” = \
      26 m, and 19 to 36 m in 95 of 100 cases. Short steps indoors are the least certain; --height \
      narrows it. --json has cadence in steps per second, and distance, distanceLow, distanceHigh in metres. Vehicles \
      and bicycles were learned from simulations: the confidence of cycling is medium at most.

      Examples:
        motionctl steps walk.csv
        motionctl steps morning.mcap evening.mcap --height 1.82 --json
        motionctl steps watch.csv --placement wrist -o steps.svg
        motionctl steps simulate:walk --for 60
        motionctl steps walk.csv --features > features.csv
      """)

  @OptionGroup var input: SourcesArgument

  @Flag(
    help:
      "In place of steps the numbers that activities are judged by: CSV, a row for each window, with the time of its end."
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
    var head = [StepsReport.header]
    try Inputs.forEach(input.names) { name in
      try options.measure(name, drawing: drawing.output) { selection, result in
        let tally = result.tally
        var report = StepsReport(file: selection.name, tally: tally)
        report.truth = selection.trueSteps(tally)
        if options.json.isOn {
          try out.write(JSONLine.bytes(report))
        } else {
          try out.print(head + [report.line] + report.activityLines(tally, briefly: input.sources.count > 1))
        }
        head = []
        if let truth = report.truth {
          StandardError.shared.say("  a simulation: it has taken \(Text.count(truth, "step"))")
        }
        return report.sentence
      }
    }
  }

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
