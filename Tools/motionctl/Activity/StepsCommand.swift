// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivitySummary
import ArgumentParser
import Foundation
import MotionHost
import MotionMath
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
      narrows it. --json has cadence in steps per second, and distance, distanceLow, distanceHigh in metres. A watch is counted in \
      another way than a phone: where a recording does not say which it is, “assumed” says so, and --placement decides. Vehicles \
      and bicycles were learned from simulations: the confidence of cycling is medium at most.

      Examples:
        motionctl steps walk.csv
        motionctl steps morning.mcap evening.mcap --height 1.82 --json
        motionctl steps watch.csv --placement wrist -o steps.svg
        motionctl steps simulate:walk --for 60
        motionctl steps walk.csv --features > features.csv
      """)

  @Argument(help: "Recordings (files or folders) or addresses of sources (default: MOTION_SOURCE).")
  var sources: [String] = []

  @Flag(
    help:
      "In place of steps the numbers that activities are judged by: CSV, a row for each window, with the time of its end."
  )
  var features = false

  @Flag(help: .hidden)
  var spectra = false

  @Option(
    help: ArgumentHelp(
      "The person's height, for the length of a step (default: MOTION_PERSON_HEIGHT, else 1.7).", valueName: "metres"))
  var height: Double?

  @Option(
    help: ArgumentHelp(
      "Where the device was: body (pocket, hand, bag), wrist or head (default: what the recording says, else body).",
      valueName: "place"))
  var placement: Placement?

  @OptionGroup var range: LimitOption
  @OptionGroup var json: JSONOption
  @OptionGroup var drawing: PictureOption

  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  func validate() throws {
    guard drawing.output == nil || sources.count < 2 else {
      throw ValidationError("A picture shows one recording: name one.")
    }
    guard !features || !json.isOn && drawing.output == nil else {
      throw ValidationError("--features is CSV: leave --json and --output out.")
    }
    guard height.map((0.5...2.5).contains) ?? true else {
      throw ValidationError("--height takes metres from 0.5 to 2.5.")
    }
  }

  func run() throws {
    // Nil = MOTION_SOURCE.
    let names: [String?] = sources.isEmpty ? [nil] : sources
    if features {
      try OutputFile.standardOutput.write(
        Array((["file", "time"] + ActivityFeatures.names).joined(separator: ",").utf8) + [UInt8(ascii: "\n")])
      return try Inputs.forEach(names, writeFeatures)
    }
    var head = [StepsReport.header]
    try Inputs.forEach(names) { name in
      try measure(name, head: head)
      head = []
    }
  }

  /// Prints what was found in one source, below `head`, and draws it.
  private func measure(_ name: String?, head: [String]) throws {
    let selection = try open(name)
    try OutputFile.drawing(drawing.output, readingFrom: selection.recordingPath) { picture in
      let (tally, run) = try ActivityRun.run(selection, parameters(for: selection.info), limit: range.limit)
      var report = StepsReport(file: selection.name, placement: placement ?? selection.info.placement, tally: tally)
      report.truth = selection.trueSteps(tally)
      try json.print(report, or: head + [report.line] + report.activityLines(tally, briefly: sources.count > 1))
      if let truth = report.truth {
        StandardError.shared.say("  a simulation: it has taken \(Text.count(truth, "step"))")
      }
      try picture?.draw(
        ActivityPicture.chart(of: tally, title: selection.info.name, subtitle: report.sentence))
      StandardError.shared.say(run.losses + remarkLines(selection))
    }
  }

  /// A row for each window: the path of the recording, the end of the window in seconds from the first sample, the
  /// features.
  private func writeFeatures(_ name: String?) throws {
    let selection = try open(name)
    let file =
      selection.name.contains { ",\"\n".contains($0) }
      ? "\"\(selection.name.replacing("\"", with: "\"\""))\"" : selection.name
    let spectra = spectra
    let (_, report) = try ActivityRun.run(selection, parameters(for: selection.info), limit: range.limit) {
      estimator, elapsed in
      guard let features = estimator.lastFeatures else { return }
      let numbers = features.values + (spectra ? estimator.lastSpectra : [])
      let cells = ([elapsed] + numbers.map(Double.init)).map { String(format: "%.6g", $0) }
      try OutputFile.standardOutput.write(Array((([file] + cells).joined(separator: ",") + "\n").utf8))
    }
    StandardError.shared.say(report.losses + remarkLines(selection))
  }

  private func remarkLines(_ selection: SourceSelection) -> [String] {
    guard placement == nil else { return selection.remarkLines }
    guard let said = selection.info.placement else {
      return SourceSelection.remarkLines(
        selection.assumptions + ["placement: body (give --placement wrist for a watch, head for headphones)."],
        selection.warnings)
    }
    return selection.remarkLines + (said == .body ? [] : ["  placement: \(said), as the recording says"])
  }

  /// Opens what the person named; refuses what never ends.
  private func open(_ name: String?) throws -> SourceSelection {
    let selection = try SourceSelection.open(name, reading.choices)
    try selection.requireEnd(limit: range.limit)
    return selection
  }

  private func parameters(for info: SensorInfo) throws -> ActivityEstimator.Parameters {
    var parameters = ActivityEstimator.Parameters()
    parameters.placement = placement ?? info.placement ?? .body
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    if let height = try height ?? environment.personHeight() { parameters.height = height }
    return parameters
  }
}
