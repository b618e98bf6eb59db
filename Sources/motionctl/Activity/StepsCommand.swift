// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionServices

/// `motionctl steps`: the steps in recordings.
struct StepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps", abstract: "Count steps: cadence, distance, active time, floors, pauses; draw them.",
    discussion: """
      Recordings of an accelerometer of 20 Hz or more, on the body, the wrist or the head; a barometer adds floors. They are read at \
      full speed. A line for each goes to standard output, and to standard error what was missing or left out. Distance follows from \
      height and cadence: without calibration it is right within about 25 %. --json has cadence in steps per second.

      Examples:
        motionctl steps walk.csv
        motionctl steps morning.mcap evening.mcap --height 1.82 --json
        motionctl steps watch.csv --placement wrist -o steps.png
        motionctl steps simulate:walk --for 60
      """)

  @Argument(help: "Recordings (files or folders) or addresses of sources (default: MOTION_SOURCE).")
  var sources: [String] = []

  @Flag(help: "One JSON object per recording and line.")
  var json = false

  @Option(name: [.short, .long], help: "A picture to write besides; its name ends with .png or .svg.")
  var output: String?

  @OptionGroup var options: ActivityOptions

  func validate() throws { try ActivityPicture.check(output, sources) }

  func run() throws {
    let out = OutputFile.standardOutput
    var head = [StepsReport.header]
    try ActivityRun.forEach(sources) { name in
      let selection = try options.open(name)
      let run = try ActivityRun(selection, options, keepsEpochs: output != nil)
      let picture = try PictureFile.open(output, readingFrom: selection.recordingPath)
      do {
        let result = try run()
        let tally = result.tally
        var report = StepsReport(file: selection.name, tally: tally)
        report.truth = selection.trueSteps(tally)
        if json { try out.write(JSONLine.bytes(report)) } else { try out.print(head + [report.line]) }
        head = []
        try picture?.write(ActivityPicture.chart(of: tally, title: selection.info.name, subtitle: report.sentence))
        if let truth = report.truth {
          StandardError.shared.say("  a simulation: it has taken \(Text.count(truth, "step"))")
        }
        for line in ActivityRun.remarks(selection, result) { StandardError.shared.say(line) }
      } catch {
        picture?.discard()
        throw error
      }
    }
  }
}

/// The steps of one recording, as a line of a table or as JSON.
struct StepsReport: Encodable {
  struct Event: Encodable {
    /// Seconds from the first sample, when it was noticed (S68).
    var time: Double
    var kind: String
  }

  var file: String
  /// From the first sample to the last.
  var seconds: Double
  /// When the first sample was taken, where the recording has dates.
  var start: Date?
  var steps: Int
  /// Mean steps per second while stepping.
  var cadence: Double?
  /// Metres.
  var distance: Double
  var floorsAscended: Int?
  var floorsDescended: Int?
  /// Seconds.
  var activeTime: Double
  var events: [Event]
  /// Seconds without samples, in stretches of more than 2 s.
  var missing: Double?
  /// The steps that a simulation has taken.
  var truth: Int?

  init(file: String, tally: ActivityTally) {
    self.file = file
    seconds = JSONLine.rounded(tally.duration)
    start = tally.date(at: 0)
    steps = tally.walk.steps
    cadence = tally.cadence.map { JSONLine.rounded($0) }
    distance = JSONLine.rounded(tally.walk.distance)
    (floorsAscended, floorsDescended) = (tally.walk.floorsAscended, tally.walk.floorsDescended)
    activeTime = JSONLine.rounded(tally.walk.activeTime)
    events = tally.events.map { event in
      Event(time: JSONLine.rounded(tally.elapsed(at: event.time)), kind: event.kind == .pause ? "pause" : "resume")
    }
    let missing = tally.duration - tally.covered
    self.missing = missing > 0 ? JSONLine.rounded(missing) : nil
  }

  static let header = "   steps      duration  steps/min  distance (m)        active  floors up/down  pauses  recording"

  var line: String {
    let floors = floorsAscended.map { "\($0)/\(floorsDescended ?? 0)" } ?? "–"
    let minute = cadence.map { String(format: "%.1f", $0 * 60) } ?? "–"
    let cells: [(String, Int)] = [
      (Text.grouped(steps), 8), (Text.duration(seconds), 14), (minute, 11), (String(format: "%.1f", distance), 14),
      (activeTime > 0 ? Text.duration(activeTime) : "–", 14), (floors, 16),
      (String(events.count { $0.kind == "pause" }), 8),
    ]
    return cells.map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined() + "  " + file
  }

  /// For a picture.
  var sentence: String {
    var parts = [Text.count(steps, "step"), "\(Text.decimal(distance, places: 1)) m"]
    if let cadence { parts.insert("\(Text.decimal(cadence * 60, places: 1)) steps a minute", at: 1) }
    if let floorsAscended { parts.append("\(Text.count(floorsAscended, "floor")) up, \(floorsDescended ?? 0) down") }
    return (parts + [Text.duration(seconds)]).joined(separator: " · ")
  }
}

/// One JSON object and the end of its line.
enum JSONLine {
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
  }

  /// To a thousandth: what is estimated has no more digits.
  static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
