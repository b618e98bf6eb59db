// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing
package import MotionServices

/// What becomes of the samples of a source: an estimator, a file, a picture.
package protocol SampleSink {
  /// Takes the next sample; false when it is enough. Two sensors that are sampled together come as one sample or as
  /// two.
  mutating func take(_ sample: SensorSample) throws -> Bool
  /// Takes a row of motion, computed or fused by the source itself; false when it is enough.
  mutating func take(_ row: MotionRow) throws -> Bool
}

extension SampleSink {
  package mutating func take(_ sample: SensorSample) throws -> Bool { true }
  package mutating func take(_ row: MotionRow) throws -> Bool { true }
}

/// Samples of a recording or a table in, in the order of time out, with rows of fused motion: on the thread that asks.
///
/// ```swift
/// var fusion = OfflineFusion(info: recording.info, framing: MotionFraming(.xArbitrary))
/// while let sample = try reader.next() { _ = try fusion.push(sample, into: &rows) }
/// try fusion.finish(into: &rows)
/// ```
///
/// The rows are those that a subscriber of a hub gets: late, duplicate and non-finite samples are dropped and counted
/// (``statistics``), the others are brought into the order of time.
package struct OfflineFusion: Sendable {
  private var timeline: SampleTimeline
  private var estimator: OfflineEstimator
  private var framing: MotionFraming?
  private let kinds: SensorKinds
  /// What was said of the rows, with the time of the row that it stands before.
  package private(set) var notices: [(time: SensorInstant, notice: MotionFraming.Notice)] = []

  /// - Parameters:
  ///   - framing: the frame of the rows; nil = none are wanted, and samples are only brought into the order of time.
  ///   - kinds: what the sink takes beside the sensors that motion is made from.
  ///   - smooths: whether each row knows of what comes after it, too. Then it comes minutes behind its samples.
  ///   - learned: what earlier runs found out about the sensors.
  package init(
    info: SensorInfo, framing: MotionFraming?, kinds: SensorKinds = [], smooths: Bool = false,
    learned: LearnedDevice? = nil
  ) {
    timeline = SampleTimeline(reordering: info.reordering)
    let isFused = info.kinds.contains(.motion)
    let solution: DeviceMotionEstimator.Solutions? =
      isFused ? nil : framing.map { $0.usesMagnetometer ? .nineAxis : .sixAxis }
    estimator = OfflineEstimator(info: info, solution: solution, run: 1, smooths: smooths, learned: learned)
    self.framing = framing
    self.kinds = kinds.union(framing?.stream.needs(of: info.kinds) ?? [])
  }

  /// What happened to the samples so far.
  package var statistics: TimelineStatistics { timeline.statistics }

  /// What is known of the sensors now; nil where nothing was computed from them.
  package var learned: LearnedDevice? { estimator.learned }

  /// Processes the next sample of the source; false when the sink has enough.
  package mutating func push(_ sample: SensorSample, into sink: inout some SampleSink) throws -> Bool {
    guard !kinds.isDisjoint(with: sample.kinds), timeline.push(sample) else { return true }
    return try drain(into: &sink)
  }

  /// No sample follows: what was held back comes out.
  package mutating func finish(into sink: inout some SampleSink) throws {
    timeline.finish()
    guard try drain(into: &sink), framing != nil else { return }
    if let motion = estimator.finish(), try !hand(motion, to: &sink) { return }
    while let motion = estimator.nextSmoothed(), try hand(motion, to: &sink) {}
  }

  private mutating func drain(into sink: inout some SampleSink) throws -> Bool {
    while let sample = timeline.pop() {
      guard framing != nil else {
        guard try sink.take(sample) else { return false }
        continue
      }
      if case .motion(let row) = sample {
        guard try sink.take(MotionFraming.row(row)) else { return false }
        continue
      }
      guard try sink.take(sample) else { return false }
      if let motion = estimator.update(sample), try !hand(motion, to: &sink) { return false }
      while let motion = estimator.nextSmoothed() {
        guard try hand(motion, to: &sink) else { return false }
      }
    }
    return true
  }

  private mutating func hand(_ motion: DeviceMotion, to sink: inout some SampleSink) throws -> Bool {
    guard let (row, notice) = framing?.update(motion) else { return true }
    if let notice { notices.append((motion.time, notice)) }
    return try row.map { try sink.take($0) } ?? true
  }
}
