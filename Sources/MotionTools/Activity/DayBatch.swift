// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivitySummary
import MotionRecording
import MotionSensing
package import MotionServices

/// Rows of days of many recordings, each into a file of its own: the work behind `motionctl day --manifest`. Recordings
/// run side by side, one on each core; the rows of one are those that it has alone.
package struct DayBatch: Sendable {
  package var reading = ReadingChoices()
  package var parameters = ActivityEstimator.Parameters()
  /// Nil = by the kind of device.
  package var placement: ActivityEstimator.Placement?
  package var calibration = CalibrationChoice.auto
  package var limit: Seconds?

  package init() {}

  /// The ending of outputs that are named after their inputs.
  package static let ending = ".days.csv"

  /// Refuses the name of an output that does not say the format.
  package static func format(of output: String) throws -> DayFile.Format {
    guard let format = DayFile.Format(path: output) else {
      throw CommandFailure(
        "The name “\(output)” does not say the format: end it with .csv, .json, .ndjson or .parquet.")
    }
    return format
  }

  /// One that fails does not stop the others; the outcomes are in the order of the items.
  package func run(_ items: [BatchPlan.Item]) throws -> [BatchOutcome] {
    let completion = Completion.endedBySignals()
    let inputs = items.map { item in
      RecordingBatch.Input(item: item) { lines, goesOn in try work(item, completion, &lines, goesOn) }
    }
    return inputs.isEmpty ? [] : try RecordingBatch(inputs, completion: completion).run()
  }

  private func work(
    _ item: BatchPlan.Item, _ completion: Completion, _ lines: inout [String], _ goesOn: RecordingBatch.GoesOn
  ) throws -> BatchOutcome {
    let format = try Self.format(of: item.output)
    let selection = try SourceSelection.open(item.input, reading: reading)
    guard selection.recording != nil else { throw CommandFailure("\(selection.name) is no recording.") }
    var parameters = parameters
    parameters.placement = placement ?? ActivityEstimator.Placement(selection.info.deviceClass)
    let run = try ActivityRun(
      selection, parameters: parameters, limit: limit, calibration: calibration, completion: completion)
    let result = try run()
    _ = goesOn(0, result.tally.duration)
    let rows = result.days?.days.count ?? 0
    if let days = result.days {
      try DayFile(item.output, format, readingFrom: selection.recordingPath).write(days, file: selection.name)
    }
    lines.append("\(selection.name): \(Text.count(rows, "day"))")
    lines += ActivityRun.remarks(selection, result)
    return BatchOutcome(item, rows: rows, seconds: result.tally.duration)
  }
}
