// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// A recording in, a row of device motion per gyroscope sample out: what was asked for.
package struct FuseJob: Sendable {
  /// Nil = arbitrary, unless the motion is recorded.
  package var frame: ReferenceFrame?
  package var location: LocationArgument?
  /// Each row has what comes after it, too.
  package var smooths = false
  /// Nil = by the name of the output.
  package var format: SampleFormat?
  package var limit: Seconds?
  package var reading = ReadingChoices()
  /// A file of a calibration.
  package var calibration: String?
  /// Files with what was learned about a device's sensors, to begin with and to write.
  package var learned: String?
  package var learn: String?

  package init() {}

  package func fuse(_ path: String, to output: String?) throws {
    let selection = try SourceSelection.open(path, reading: reading, calibration: calibration)
    let memory = try RunMemory(startingWith: learned)
    let run = try MotionRun(
      selection, frame: frame ?? .arbitrary, location: location, limit: limit,
      memory: learned == nil && learn == nil ? nil : memory, smooths: smooths)
    let format = try rowFormat(of: output)
    let file = try OutputFile.open(output, readingFrom: selection.recordingPath)
    let started = ContinuousClock.now
    StandardError.shared.say(selection.headline)
    if let learned, memory.start == nil {
      StandardError.shared.say("“\(learned)” is not there yet: this run starts with nothing learned.")
    }
    let report = try file.whole { file in
      let writer = BackgroundRowWriter(RowWriter(file: file, format: format))
      // Before the file goes, whatever ends the run.
      defer { writer.stop() }
      let (outcome, report) = try run { row in try writer.append(row) }
      if case .interrupted = outcome {
        try? writer.finish()
        StandardError.shared.say(summary(report, selection, elapsed: ContinuousClock.now - started))
      }
      try outcome.check(interruption: file.path.map { "Interrupted: \($0) was not written." })
      guard report.rowCount > 0 else {
        throw CommandFailure(
          "\(selection.info.name) holds no samples from which motion could be computed: it needs an accelerometer and a gyroscope at the same time."
            + selection.warnings.map { " " + $0 }.joined())
      }
      try writer.finish()
      if let learn { try memory.write(to: learn) }
      return report
    }
    StandardError.shared.say(summary(report, selection, elapsed: ContinuousClock.now - started))
  }

  /// As asked for, else by the ending of the output; standard output and devices have none and get CSV.
  package func rowFormat(of output: String?) throws -> SampleFormat {
    if let format { return format }
    guard let output, !OutputFile.isStream(output) else { return .csv }
    let name = output.lowercased()
    if name.hasSuffix(".csv") { return .csv }
    if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") { return .ndjson }
    throw CommandFailure(
      "The name “\(output)” does not say the format: end it with .csv, .ndjson or .jsonl, or say --format csv or ndjson. Other formats are written by “motionctl convert”."
    )
  }

  /// What a run amounted to, line by line.
  private func summary(_ report: MotionRun.Report, _ selection: SourceSelection, elapsed: Duration) -> [String] {
    let isRecorded = selection.info.kinds.contains(.motion)
    var lines: [String] = []
    if isRecorded, let frame, frame.reference != report.frame {
      lines.append("--frame had no effect: recorded motion keeps the frame it was recorded in.")
    }
    lines += report.notices
    var first = "\(Text.count(report.rowCount, "row")) over \(Text.duration(report.duration))"
    if report.rowCount > 1, report.duration > 0 {
      first += " (\(Text.decimal(Double(report.rowCount - 1) / report.duration, places: 2)) Hz)"
    }
    if let name = report.frame.map({ ReferenceFrame($0).name }) { first += ", frame \(name)" }
    lines.append(first + ", in \(Text.duration(elapsed.seconds))")
    lines.append(
      isRecorded
        ? "  motion: the recording's own numbers, passed on unchanged"
        : "  motion: computed from the raw sensors" + (smooths ? ", smoothed" : "")
          + (report.rest.share.map { ", at rest \(Text.decimal($0 * 100, places: 1)) % of the time" } ?? ""))
    lines += StatisticsReport.lines(report.statistics)
    if let omissions = report.omissions ?? selection.omissions { lines.append(omissions) }
    lines += selection.remarkLines
    return lines
  }
}

extension Duration {
  package var seconds: Double { self / .seconds(1) }
}
