// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// A recording in, a row of device motion per gyroscope sample out: what was asked for.
///
/// The rows have the numbers of `CMMotionManager`.
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
  /// Files with what was learned about a device's sensors, to begin with and to write.
  package var learned: String?
  package var learn: String?

  package init() {}

  package func fuse(_ path: String?, to output: String?) throws {
    let selection = try SourceSelection.open(path, reading)
    let memory = try RunMemory(startingWith: learned)
    let run = try run(of: selection, learned == nil && learn == nil ? nil : memory)
    let format = try rowFormat(of: output)
    let file = try OutputFile.open(output, readingFrom: selection.recordingPath)
    let started = ContinuousClock.now
    StandardError.shared.say(selection.headline)
    if let learned, memory.start == nil {
      StandardError.shared.say("“\(learned)” is not there yet: this run starts with nothing learned.")
    }
    let lines = try file.whole { file in
      let writer = BackgroundRowWriter(file: file, format: format)
      // Before the file goes, whatever ends the run.
      defer { writer.stop() }
      let (rows, report) = run(FuseRows(writer, limit: limit))
      func summary() -> [String] { self.summary(rows, report, selection, elapsed: ContinuousClock.now - started) }
      if case .interrupted = report.outcome {
        try? writer.finish()
        StandardError.shared.say(summary())
      }
      try report.check(
        isEmpty: rows.count == 0,
        // A live source that has given samples of one sensor lacks the other.
        absence: selection.recording == nil && report.statistics?.isEmpty ?? true
          ? nil
          : "\(selection.info.name) holds no samples from which motion could be computed: it needs an accelerometer and a gyroscope at the same time."
            + selection.warnings.map { " " + $0 }.joined(),
        interruption: file.path.map { "Interrupted: \($0) was not written." })
      try writer.finish()
      if let learn { try memory.write(to: learn) }
      return summary()
    }
    StandardError.shared.say(lines)
  }

  /// From here on a signal ends the run, not the program.
  private func run(of selection: SourceSelection, _ memory: RunMemory?) throws -> SourceRun {
    let info = selection.info
    let isFused = info.kinds.contains(.motion)
    if smooths, selection.recording == nil || isFused {
      throw CommandFailure(
        "--smooth needs a recording of raw sensors that is read to its end; \(selection.name) is none: record it first (motionctl record)."
      )
    }
    try selection.requireEnd(limit: limit)
    let place = try selection.place(location)
    let frame = frame ?? .arbitrary
    try MotionRequirements.check(frame, of: selection, at: place)
    var run = SourceRun(
      selection, isFused ? [] : [.accelerometer, .gyroscope], framing: frame.framing(at: place), limit: limit)
    run.smooths = smooths
    run.memory = memory ?? selection.memory()
    return run
  }

  /// As asked for, else by the ending of the output; standard output and devices have none and get CSV.
  package func rowFormat(of output: String?) throws -> SampleFormat {
    if let format { return format }
    guard let output, !OutputFile.isStream(output) else { return .csv }
    let name = output.lowercased()
    if name.hasSuffix(".csv") { return .csv }
    if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") { return .ndjson }
    throw CommandFailure(
      "The name “\(output)” does not say the format: end it with .csv, .ndjson or .jsonl, or say --format csv or ndjson. Other formats are written by “motionctl convert”, pictures by “motionctl plot”."
    )
  }

  /// What a run amounted to, line by line.
  private func summary(
    _ rows: FuseRows, _ report: RunReport, _ selection: SourceSelection, elapsed: Duration
  ) -> [String] {
    let info = selection.info
    let isRecorded = info.kinds.contains(.motion)
    var lines: [String] = []
    if isRecorded, let frame, frame.reference != rows.frame {
      lines.append("--frame had no effect: recorded motion keeps the frame it was recorded in.")
    }
    lines += report.sentences(isLive: info.origin == .hardware)
    let duration = rows.time.duration
    var first = "\(Text.count(rows.count, "row")) over \(Text.duration(duration))"
    if rows.count > 1, duration > 0 {
      first += " (\(Text.decimal(Double(rows.count - 1) / duration, places: 2)) Hz)"
    }
    if let name = rows.frame.map({ ReferenceFrame($0).name }) { first += ", frame \(name)" }
    lines.append(first + ", in \(Text.duration(elapsed.seconds))")
    lines.append(
      isRecorded
        ? "  motion: the recording's own numbers, passed on unchanged"
        : "  motion: computed from the raw sensors" + (smooths ? ", smoothed" : "")
          + (rows.rest.share.map { ", at rest \(Text.decimal($0 * 100, places: 1)) % of the time" } ?? ""))
    if !isRecorded, let warning = rows.turns.warning { lines.append("  warning: \(warning).") }
    // Of the sensors that the filter does not take; those that it takes have their lines anyway.
    return lines + report.lines + report.pauses + selection.remarkLines
  }
}

/// Rows of motion on their way into a file.
private struct FuseRows: SampleSink, Sendable {
  private let writer: BackgroundRowWriter
  var time: RunTime
  var count = 0
  /// Rest by the rule of `motionctl info`.
  var rest = RestMeter()
  var turns = TurnMeter()
  /// Frame of the rows: one, unless a recording changes it.
  var frame: MotionRow.Reference?

  init(_ writer: BackgroundRowWriter, limit: Seconds?) { (self.writer, time) = (writer, RunTime(limit: limit)) }

  mutating func take(_ sample: SensorSample) -> Bool {
    rest.update(sample)
    switch sample {
    case .gyroscope(let sample): turns.update(sample.angularVelocity, at: sample.time)
    case .inertial(let sample): turns.update(sample.angularVelocity, at: sample.time)
    default: break
    }
    return true
  }

  mutating func take(_ row: MotionRow) throws -> Bool {
    guard time.pass(row.time) != nil else { return false }
    frame = frame ?? row.reference
    count += 1
    try writer.append(row)
    return true
  }
}

/// The memory of one run of a command: begins with a file if there is one, and keeps what the run leaves.
///
/// How long ago the file's numbers were learned counts as unknown, whatever its date: the same recording and the same
/// file give the same rows today and tomorrow.
private struct RunMemory: SensorMemory {
  /// What the file held; nil when there was none.
  let start: LearnedDevice?
  private let latest = Lock<LearnedDevice?>(nil)

  /// `path` nil, or of a file that does not exist: nothing is known.
  init(startingWith path: String?) throws(SensorError) {
    guard let path, let file = try LearnedDeviceFile(path: path) else {
      start = nil
      return
    }
    start = file.learned.widened(elapsed: .infinity)
  }

  func recall() -> LearnedDevice? { start }

  func keep(_ learned: LearnedDevice) { latest.withLock { $0 = learned } }

  /// Writes what the run left; refuses to write over a file that is something else.
  func write(to path: String) throws {
    guard let learned = latest.withLock({ $0 }) else {
      throw CommandFailure(
        "--learn has nothing to write: nothing was computed from raw sensors.")
    }
    _ = try LearnedDeviceFile(path: path)
    try LearnedDeviceFile(device: "", learnedAt: nil, learned: learned).write(to: path)
  }
}

extension Duration {
  package var seconds: Double { self / .seconds(1) }
}
