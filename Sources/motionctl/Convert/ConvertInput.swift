// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
  /// Recordings that keep the order of arrival are sorted for formats that want the order of time.
  private let sorts: Bool
  private var fusion: OfflineFusion
  private var pending: FusedMotionSample?
  private var hasEnded = false
  /// Sentences of errors that an app would receive.
  private(set) var notices: [String] = []

  /// Fails when motion is to be computed and the sensors for it or for the frame are missing.
  init(_ selection: SourceSelection, _ recording: Recording, computesMotion: Bool, command: ConvertCommand) throws {
    self.computesMotion = computesMotion
    let frame = command.frame ?? .arbitrary
    let host = try selection.host(location: command.location)
    if computesMotion { try MotionRequirements.check(frame, of: selection, on: host) }
    let keepsArrival = command.format == .mcap || command.format == .ndjson
    sorts = computesMotion || (recording.info.reordering > .zero && !keepsArrival)
    fusion = OfflineFusion(
      info: selection.info, framing: computesMotion ? frame.framing(on: host) : nil, keepsAllSamples: true)
    var info = recording.info
    if computesMotion, !info.kinds.contains(.fusedMotion) { info.channels.append(.init(kind: .fusedMotion)) }
    self.info = info
    reader = try recording.makeReader()
  }

  /// What the reader delivered and left out.
  var statistics: RecordingStatistics { reader.statistics }
  /// What was dropped on the way into the order of time.
  var timelineStatistics: TimelineStatistics? { sorts ? fusion.statistics : nil }

  /// The next item; nil at the end.
  func next() throws(SensorError) -> SensorSample? {
    if let motion = pending {
      pending = nil
      return .fusedMotion(motion)
    }
    guard !hasEnded else { return nil }
    guard sorts else {
      let sample = try reader.next()
      hasEnded = sample == nil
      return sample
    }
    while let step = try fusion.next(from: { () throws(SensorError) in try reader.next() }) {
      if let notice = step.notice { notices.append(notice.sentence) }
      guard let sample = step.sample else {
        guard let row = step.row else { continue }
        return .fusedMotion(row)
      }
      pending = step.row
      return sample
    }
    hasEnded = true
    return nil
  }

  /// The next motion, computed or recorded; nil at the end.
  func nextMotion() throws(SensorError) -> FusedMotionSample? {
    while let sample = try next() {
      if case .fusedMotion(let motion) = sample { return motion }
    }
    return nil
  }
}
