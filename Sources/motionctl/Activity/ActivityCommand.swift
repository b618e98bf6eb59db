// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionServices

/// `motionctl activity`: what the person did, from when to when.
struct ActivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity", abstract: "Tell stationary, walking, running, cycling and automotive apart; draw them.",
    discussion: """
      Recordings as for motionctl steps. A line for each activity goes to standard output, then the share of each. Times are local where \
      the recording has dates, else seconds from its first sample. No licensed data exists for cycling and automotive: their \
      confidence is medium at most. A simulation shows the form of the output, not how good it is.

      Examples:
        motionctl activity walk.csv
        motionctl activity watch.csv --placement wrist --json
        motionctl activity commute.mcap -o commute.svg
        motionctl activity walk.csv --features > features.csv
        motionctl activity simulate:drive --for 120
      """)

  @Argument(help: "Recordings (files or folders) or addresses of sources (default: MOTION_SOURCE).")
  var sources: [String] = []

  @Flag(help: "One JSON object per recording and line.")
  var json = false

  @Flag(
    help:
      "In place of activities the numbers that they are judged by: CSV, a row for each window, with the time of its end."
  )
  var features = false

  @Option(name: [.short, .long], help: "A picture to write besides; its name ends with .png or .svg.")
  var output: String?

  @OptionGroup var options: ActivityOptions

  func validate() throws {
    try ActivityPicture.check(output, sources)
    guard !features || !json && output == nil else {
      throw ValidationError("--features is CSV: leave --json and --output out.")
    }
  }

  func run() throws {
    if features { return try writeFeatures() }
    let out = OutputFile.standardOutput
    try ActivityRun.forEach(sources) { name in
      let selection = try options.open(name)
      let run = try ActivityRun(selection, options, keepsEpochs: output != nil)
      let picture = try PictureFile.open(output, readingFrom: selection.recordingPath)
      do {
        let result = try run()
        let tally = result.tally
        if json {
          try out.write(JSONLine.bytes(ActivityReport(file: selection.name, tally: tally)))
        } else {
          let head = sources.count > 1 ? ["\(selection.name):"] : []
          try out.print(head + ActivityReport.lines(tally))
        }
        try picture?.write(
          ActivityPicture.chart(
            of: tally, title: selection.info.name, subtitle: ActivityReport.sentence(tally)))
        for line in ActivityRun.remarks(selection, result) { StandardError.shared.say(line) }
      } catch {
        picture?.discard()
        throw error
      }
    }
  }
}

extension ActivityCommand {
  /// A row for each window of each recording: its path, the end of the window in seconds from the first sample, the features.
  private func writeFeatures() throws {
    let out = OutputFile.standardOutput
    try out.write(
      Array((["file", "time"] + ActivityFeatures.names).joined(separator: ",").utf8) + [UInt8(ascii: "\n")])
    try ActivityRun.forEach(sources) { name in
      let selection = try options.open(name)
      let file =
        selection.name.contains { ",\"\n".contains($0) }
        ? "\"\(selection.name.replacing("\"", with: "\"\""))\"" : selection.name
      let result = try ActivityRun(selection, options)() { estimator, elapsed in
        guard let features = estimator.lastFeatures else { return }
        let cells = ([elapsed] + features.values).map { String(format: "%.6g", $0) }
        try out.write(Array((([file] + cells).joined(separator: ",") + "\n").utf8))
      }
      for line in ActivityRun.remarks(selection, result) { StandardError.shared.say(line) }
    }
  }
}

/// The activities of one recording, as a table or as JSON.
struct ActivityReport: Encodable {
  struct Span: Encodable {
    /// Seconds from the first sample.
    var start, end: Double
    /// As ``ActivityTally`` names it.
    var activity: String
    var confidence: String
  }

  var file: String
  /// From the first sample to the last.
  var seconds: Double
  /// When the first sample was taken, where the recording has dates.
  var start: Date?
  var activities: [Span]
  /// Seconds of each activity; stretches without samples are in none.
  var shares: [String: Double]

  init(file: String, tally: ActivityTally) {
    self.file = file
    seconds = JSONLine.rounded(tally.duration)
    start = tally.date(at: 0)
    activities = tally.spans.map {
      Span(
        start: JSONLine.rounded($0.start), end: JSONLine.rounded($0.end), activity: $0.activity.name,
        confidence: $0.confidence.name)
    }
    shares = Dictionary(uniqueKeysWithValues: tally.shares().map { ($0.activity.name, JSONLine.rounded($0.seconds)) })
  }

  static func lines(_ tally: ActivityTally) -> [String] {
    func cell(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let rows = tally.spans.map { span in
      cell(tally.time(span.start), 12) + cell(Text.duration(span.end - span.start), 15)
        + cell(span.confidence.name, 12) + "  " + span.activity.name
    }
    let day = tally.day(0).map { ["  \($0)"] } ?? []
    return day + [cell("start", 12) + cell("duration", 15) + cell("confidence", 12) + "  activity"] + rows
      + ["  " + sentence(tally)]
  }

  /// "stationary 12 min (80 %), walking 3 min (20 %)".
  static func sentence(_ tally: ActivityTally) -> String {
    let shares = tally.shares()
    let whole = shares.reduce(0) { $0 + $1.seconds }
    guard whole > 0 else { return "no samples" }
    return shares.map {
      "\($0.activity.name) \(Text.duration($0.seconds)) (\(Text.decimal($0.seconds / whole * 100, places: 1)) %)"
    }.joined(separator: ", ")
  }
}
