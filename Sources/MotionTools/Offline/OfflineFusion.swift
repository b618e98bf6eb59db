// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing
package import MotionServices

/// Samples of a recording or a table in, rows of fused motion out, on the thread that asks.
///
/// ```swift
/// var fusion = OfflineFusion(info: recording.info, framing: MotionFraming(.xArbitrary))
/// while let (row, notice) = try fusion.nextRow(from: reader.next) { … }
/// ```
///
/// The rows are those that a subscriber of a hub gets: late, duplicate and non-finite samples are dropped and counted
/// (``statistics``), the others are brought into the order of time.
package struct OfflineFusion: Sendable {
  /// What one sample has brought.
  package struct Step: Sendable {
    /// The sample, in order of time; nil for a state that was still held at the end.
    package var sample: SensorSample?
    /// The state of motion that it completes.
    package var motion: DeviceMotion?
    /// The state in the wanted frame.
    package var row: MotionRow?
    /// Said once, before the row.
    package var notice: MotionFraming.Notice?
  }

  private var timeline: SampleTimeline
  private var estimator: OfflineEstimator
  private var framing: MotionFraming?
  private let kinds: SensorKinds
  private var hasEnded = false

  /// - Parameters:
  ///   - framing: the frame of the rows; nil = none are wanted, and samples are only brought into the order of time.
  ///   - keepsAllSamples: whether steps hold samples that the filters do not use, too.
  ///   - smooths: whether each row knows of what comes after it, too. Then rows come in steps of their own, minutes behind the samples.
  package init(info: SensorInfo, framing: MotionFraming?, keepsAllSamples: Bool = false, smooths: Bool = false) {
    timeline = SampleTimeline(reordering: info.reordering)
    let usesMagnetometer = framing?.usesMagnetometer ?? false
    estimator = OfflineEstimator(
      info: info, solution: framing.map { _ in usesMagnetometer ? .nineAxis : .sixAxis }, run: 1, smooths: smooths)
    self.framing = framing
    kinds =
      keepsAllSamples ? SensorKinds(rawValue: .max) : usesMagnetometer ? .inertial.union(.magnetometer) : .inertial
  }

  /// Bytes of memory that one takes, besides the rows that wait to be smoothed: `Scripts/Attack/budget.py`
  /// measures it.
  package static func bytes(usesMagnetometer: Bool) -> Int {
    DeviceMotionEstimator.bytes(usesMagnetometer: usesMagnetometer) + MemoryLayout<Self>.stride
      - MemoryLayout<DeviceMotionEstimator>.stride
  }

  /// What happened to the samples so far.
  package var statistics: TimelineStatistics { timeline.statistics }

  /// Takes a sample of a source whose samples come in order, and hands on the state that it completes; false when it
  /// was dropped.
  ///
  /// A state is a quarter of a kilobyte: it is used where it is made, not copied on its way out. Its row is left to the
  /// caller's framing.
  package mutating func update(_ sample: SensorSample, _ take: (DeviceMotion) -> Void) -> Bool {
    guard timeline.pass(sample) else { return false }
    if let motion = estimator.update(sample) { take(motion) }
    emitSmoothed(take)
    return true
  }

  private mutating func emitSmoothed(_ take: (DeviceMotion) -> Void) {
    while let motion = estimator.nextSmoothed() { take(motion) }
  }

  /// Nothing follows: hands on the states that still wait for an accelerometer sample or for the smoother.
  package mutating func finish(_ take: (DeviceMotion) -> Void) {
    if let motion = estimator.finish() { take(motion) }
    emitSmoothed(take)
  }

  /// After the last sample: the state that still waits for an accelerometer sample, with the one before it; nil when
  /// none does.
  private mutating func finishPending() -> Step? {
    guard !hasEnded else { return nil }
    hasEnded = true
    return (estimator.finish() ?? estimator.nextSmoothed()).map { step(nil, $0) }
  }

  /// The next step, with samples from `source`, which returns nil at its end; nil when all has come out.
  package mutating func next(
    from source: () throws(SensorError) -> SensorSample?
  ) throws(SensorError) -> Step? {
    while true {
      if let motion = estimator.nextSmoothed() { return step(nil, motion) }
      if let sample = timeline.pop() { return step(sample, framing == nil ? nil : estimator.update(sample)) }
      if timeline.isDraining { return finishPending() }
      guard let sample = try source() else {
        timeline.finish()
        continue
      }
      if !kinds.isDisjoint(with: sample.kinds) { timeline.push(sample) }
    }
  }

  /// The next row, with samples from `source`, which returns nil at its end; nil when all has come out. Samples that
  /// complete no row cost no step.
  package mutating func nextRow(
    from source: () throws(SensorError) -> SensorSample?
  ) throws(SensorError) -> (row: MotionRow?, notice: MotionFraming.Notice?)? {
    while true {
      if let motion = estimator.nextSmoothed(), let step = framing?.update(motion) { return step }
      while let sample = timeline.pop() {
        if let motion = estimator.update(sample), let step = framing?.update(motion) { return step }
      }
      if timeline.isDraining { return finishPending().map { ($0.row, $0.notice) } }
      guard let sample = try source() else {
        timeline.finish()
        continue
      }
      if !kinds.isDisjoint(with: sample.kinds) { timeline.push(sample) }
    }
  }

  private mutating func step(_ sample: SensorSample?, _ motion: DeviceMotion?) -> Step {
    guard let motion, let (row, notice) = framing?.update(motion) else { return Step(sample: sample) }
    return Step(sample: sample, motion: motion, row: row, notice: notice)
  }
}
