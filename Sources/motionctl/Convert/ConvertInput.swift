// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion
import MotionRecording
import MotionSensing
import MotionServices

/// The items of a recording in the order of time, and if asked the motion computed from them, at constant memory.
///
/// Motion comes right behind the sample that completes it. The numbers are those of `motionctl fuse`.
final class ConvertInput {
  /// Whether the filter runs.
  let computesMotion: Bool
  /// The sensors of the recording, and motion if it is computed.
  let info: SensorInfo
  private let reader: RecordingReader
  private let rows: DeviceMotionRows
  /// Recordings that keep the order of arrival are sorted for formats that want the order of time.
  private let sorts: Bool
  private var timeline: SampleTimeline
  private var estimator: DeviceMotionEstimator
  private var waiting: FusedMotionSample?
  private var hasEnded = false
  /// Sentences of errors that an app would receive.
  private(set) var notices: [String] = []

  /// Fails when motion is to be computed and the sensors for it or for the frame are missing.
  init(_ selection: SourceSelection, _ recording: Recording, computesMotion: Bool, command: ConvertCommand) throws {
    self.computesMotion = computesMotion
    let frame = command.frame ?? .arbitrary
    let host = try selection.host(location: command.location)
    if computesMotion { try MotionRequirements.check(frame, of: selection, on: host) }
    rows = DeviceMotionRows(frame: frame.value, host: host)
    let keepsArrival = command.format == .mcap || command.format == .ndjson
    sorts = computesMotion || (recording.info.reordering > .zero && !keepsArrival)
    timeline = SampleTimeline(reordering: selection.info.reordering)
    estimator = DeviceMotionEstimator(info: selection.info, run: 1)
    estimator.solutions = rows.stream == .deviceMotion(usesMagnetometer: true) ? .nineAxis : .sixAxis
    var info = recording.info
    if computesMotion, !info.kinds.contains(.fusedMotion) { info.channels.append(.init(kind: .fusedMotion)) }
    self.info = info
    reader = try recording.makeReader()
  }

  /// What the reader delivered and left out.
  var statistics: RecordingStatistics { reader.statistics }
  /// What the time line left out.
  var timelineStatistics: TimelineStatistics? { sorts ? timeline.statistics : nil }

  /// The next item; nil at the end.
  func next() throws(SensorError) -> SensorSample? {
    if let motion = waiting {
      waiting = nil
      return .fusedMotion(motion)
    }
    guard !hasEnded else { return nil }
    guard sorts else {
      let sample = try reader.next()
      hasEnded = sample == nil
      return sample
    }
    let sample = try timeline.next { () throws(SensorError) in try reader.next() }
    guard let sample else {
      hasEnded = true
      return computesMotion ? estimator.finish().flatMap(motion).map { .fusedMotion($0) } : nil
    }
    if computesMotion, let state = estimator.update(sample) { waiting = motion(state) }
    return sample
  }

  /// The next motion, computed or recorded; nil at the end.
  func nextMotion() throws(SensorError) -> FusedMotionSample? {
    while let sample = try next() {
      if case .fusedMotion(let motion) = sample { return motion }
    }
    return nil
  }

  private func motion(_ state: DeviceMotion) -> FusedMotionSample? {
    guard let row = rows.row(for: .motion(state), report: { notices.append($0.localizedDescription) }) else {
      return nil
    }
    return FusedMotionSample(row, time: state.time)
  }
}
