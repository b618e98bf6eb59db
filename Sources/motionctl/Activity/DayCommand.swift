// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionServices

/// `motionctl day`: a long recording in figures, hour by hour.
struct DayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day",
    abstract: "Sum up a long recording: steps, floors, distance, minutes of each activity, by hour.",
    discussion: """
      A recording as for motionctl steps, of a day or of any length; it is read once, in a few megabytes of memory. Each figure has a \
      range: the error that was measured on recordings with truth, or a chosen one where there are none; the documentation \
      (Steps) says which. Hours are local where the recording has dates, else counted from its first sample. Hours without \
      samples are said, and they count as nothing.

      Examples:
        motionctl day yesterday.mcap
        motionctl day watch.csv --placement wrist --height 1.65 -o day.png
        motionctl day yesterday.mcap --json
      """)

  @Argument(help: "A recording (file or folder) or the address of a source (default: MOTION_SOURCE).")
  var source: String?

  @Flag(help: "One JSON object.")
  var json = false

  @Option(name: [.short, .long], help: "A picture to write besides; its name ends with .png or .svg.")
  var output: String?

  @OptionGroup var options: ActivityOptions

  func validate() throws { try ActivityPicture.check(output, []) }

  func run() throws {
    let selection = try options.open(source)
    let run = try ActivityRun(selection, options, keepsEpochs: output != nil)
    let picture = try PictureFile.open(output, readingFrom: selection.recordingPath)
    do {
      let result = try run()
      let tally = result.tally
      let report = DayReport(
        file: selection.name, tally: tally, placement: try options.parameters(for: selection.info).placement)
      let out = OutputFile.standardOutput
      if json { try out.write(JSONLine.bytes(report)) } else { try out.print(report.lines(tally)) }
      try picture?.write(
        ActivityPicture.chart(
          of: tally, title: selection.info.name, subtitle: StepsReport(file: "", tally: tally).sentence))
      for line in ActivityRun.remarks(selection, result) { StandardError.shared.say(line) }
    } catch {
      picture?.discard()
      throw error
    }
  }
}

/// A day in figures, as text or as JSON.
struct DayReport: Encodable {
  /// One hour with samples.
  struct Hour: Encodable {
    /// Seconds from the first sample to the beginning of the hour; below 0 where the hour had begun.
    var start: Double
    /// The beginning of the hour, where the recording has dates.
    var date: Date?
    var steps: Int
    /// Metres.
    var distance: Double
    var floorsAscended: Int?
    var floorsDescended: Int?
    /// Of each activity.
    var minutes: [String: Double]
    /// Minutes without samples.
    var missing: Double
  }

  var file: String
  /// From the first sample to the last.
  var seconds: Double
  /// Seconds with samples.
  var covered: Double
  var start: Date?
  var steps: Estimate
  /// Metres.
  var distance: Estimate
  var floorsAscended: Estimate?
  var floorsDescended: Estimate?
  /// Of each activity.
  var minutes: [String: Estimate]
  var hours: [Hour]

  init(file: String, tally: ActivityTally, placement: ActivityEstimator.Placement) {
    self.file = file
    seconds = JSONLine.rounded(tally.duration)
    covered = JSONLine.rounded(tally.covered)
    start = tally.date(at: 0)
    steps = ActivityErrors.steps(tally, placement)
    distance = ActivityErrors.distance(tally)
    floorsAscended = tally.walk.floorsAscended.map(ActivityErrors.floors)
    floorsDescended = tally.walk.floorsDescended.map(ActivityErrors.floors)
    minutes = Dictionary(
      uniqueKeysWithValues: tally.shares().map {
        ($0.activity.name, ActivityErrors.minutes($0.activity, seconds: $0.seconds, tally))
      })
    hours = tally.hoursWithSamples.map { hour in
      let begin = tally.start(ofHour: hour)
      let walk = tally.hours[hour] ?? ActivityTally.Walk()
      let shares = tally.shares(from: begin, to: begin + 3600)
      let whole = min(begin + 3600, tally.duration) - max(begin, 0)
      return Hour(
        start: JSONLine.rounded(begin), date: tally.date(at: begin), steps: walk.steps,
        distance: JSONLine.rounded(walk.distance),
        floorsAscended: walk.floorsAscended ?? tally.walk.floorsAscended.map { _ in 0 },
        floorsDescended: walk.floorsDescended ?? tally.walk.floorsDescended.map { _ in 0 },
        minutes: Dictionary(
          uniqueKeysWithValues: shares.map { ($0.activity.name, JSONLine.rounded($0.seconds / 60)) }),
        missing: JSONLine.rounded(max(0, whole - tally.covered(from: begin, to: begin + 3600)) / 60))
    }
  }
}
