// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// One of several recordings on its way into its file: read when its next sample is wanted, and written when its motion is
/// there.
///
/// The same as ``MotionRun`` without the hub and its thread. Not `Sendable`: a job belongs to the thread that made it.
final class FuseJob {
  let selection: SourceSelection
  private let limit: Seconds?
  /// Told now and then of the rows since it was told last; false = stop.
  private let goesOn: (Int) -> Bool
  private let reader: RecordingReader
  /// What the filters need: as a hub does, the rest stays out of the time line and its counts.
  private let kinds: SensorKinds
  private var timeline: SampleTimeline
  private let rows: DeviceMotionRows
  private let file: OutputFile
  private var writer: RowWriter
  private(set) var report = MotionRun.Report()
  private var isOver = false
  private var isInterrupted = false
  private var failure: (any Error)?
  private var samplesUntilLook = 0
  private var rowsTold = 0

  /// Whether a source is read to its end on its own time line, and its motion computed from raw samples.
  static func isFit(_ selection: SourceSelection) -> Bool {
    let options = selection.entry.uri.options
    return selection.entry.source is ReplaySource && options["loop"] != "yes" && options["clock"] != "now"
      && !selection.info.kinds.contains(.fusedMotion)
  }

  init(
    _ selection: SourceSelection, output: String, command: FuseCommand, goesOn: @escaping (Int) -> Bool
  ) throws {
    guard let recording = (selection.entry.source as? ReplaySource)?.recording else {
      throw CommandFailure("\(selection.name) is no recording.")
    }
    self.selection = selection
    self.goesOn = goesOn
    limit = command.limit
    let frame = command.frame ?? .arbitrary
    let host = try selection.host(location: command.location)
    try MotionRequirements.check(frame, of: selection, on: host)
    rows = DeviceMotionRows(frame: frame.value, host: host)
    kinds =
      rows.stream == Self.nineAxis ? [.accelerometer, .gyroscope, .magnetometer] : .inertial
    timeline = SampleTimeline(reordering: selection.info.reordering)
    reader = try recording.makeReader()
    file = try OutputFile.open(output, readingFrom: recording.path)
    writer = RowWriter(file: file, writer: SampleWriter(service: .deviceMotion, format: command.rowFormat))
  }

  private static let nineAxis = HubStream.deviceMotion(usesMagnetometer: true)

  /// Fuses the recording to its end.
  func run() {
    var estimator = DeviceMotionEstimator(info: selection.info, run: 1)
    estimator.solutions = rows.stream == Self.nineAxis ? .nineAxis : .sixAxis
    while let sample = next() {
      if let motion = estimator.update(sample) { write(motion) }
    }
    if let motion = estimator.finish() { write(motion) }
  }

  /// The next sample in order of time; nil at the end, whatever ended it.
  private func next() -> SensorSample? {
    guard !isOver else { return nil }
    samplesUntilLook -= 1
    if samplesUntilLook < 0 {
      samplesUntilLook = 256
      guard goesOn(report.rowCount - rowsTold) else {
        isInterrupted = true
        isOver = true
        return nil
      }
      rowsTold = report.rowCount
    }
    do {
      if let sample = try timeline.next(from: read) { return sample }
    } catch {
      failure = error
    }
    isOver = true
    return nil
  }

  private func read() throws(SensorError) -> SensorSample? {
    while let sample = try reader.next() {
      if !kinds.isDisjoint(with: sample.kinds) { return sample }
    }
    return nil
  }

  /// Writes the row of a state of motion.
  private func write(_ motion: DeviceMotion) {
    guard failure == nil else { return }
    do {
      let isWanted = try MotionRun.take(.motion(motion), rows, limit, &report) { try writer.append($0) }
      if !isWanted { isOver = true }
    } catch {
      failure = error
      isOver = true
    }
  }

  /// The file takes its place, or the reason why not is thrown. True when it stays away because the job was interrupted.
  func finish() throws -> Bool {
    report.statistics = timeline.statistics
    do {
      if let failure { throw failure }
      if isInterrupted {
        file.discard()
        return true
      }
      try FuseCommand.requireRows(report, selection)
      try writer.flush()
      try file.commit()
      return false
    } catch {
      file.discard()
      throw error
    }
  }

  /// What the reader left out, as a sentence.
  var omissions: String? { SourceSelection.omissions(reader.statistics) }
}
