// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// From samples to states of motion: the order of time, then the filters. The live pipeline and every way to a file use
/// it.
///
/// A value: the same samples give the same states, to the bit, at any speed.
struct MotionFusion: Sendable {
  var timeline: SampleTimeline
  var estimator: DeviceMotionEstimator

  init(info: SensorInfo, run: Int = 0, smooths: Bool = false) {
    timeline = SampleTimeline(reordering: info.reordering)
    estimator = DeviceMotionEstimator(info: info, run: run, smooths: smooths)
  }

  /// The next sample in order of time and the state of motion that it completes; nil when the rest has to wait.
  mutating func pop() -> (sample: SensorSample, motion: DeviceMotion?)? {
    guard let sample = timeline.pop() else { return nil }
    return (sample, estimator.solutions.isEmpty ? nil : estimator.update(sample))
  }
}

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

  private var fusion: MotionFusion
  private var framing: MotionFraming?
  private let kinds: SensorKinds
  private let smooths: Bool
  private var hasEnded = false

  /// - Parameters:
  ///   - framing: the frame of the rows; nil = none are wanted, and samples are only brought into the order of time.
  ///   - keepsAllSamples: whether steps hold samples that the filters do not use, too.
  ///   - smooths: whether each row knows of what comes after it, too. Then rows come in steps of their own, minutes behind the samples.
  package init(info: SensorInfo, framing: MotionFraming?, keepsAllSamples: Bool = false, smooths: Bool = false) {
    fusion = MotionFusion(info: info, run: 1, smooths: smooths)
    self.smooths = smooths
    self.framing = framing
    let usesMagnetometer = framing?.usesMagnetometer ?? false
    if framing != nil { fusion.estimator.solutions = usesMagnetometer ? .nineAxis : .sixAxis }
    kinds =
      keepsAllSamples ? SensorKinds(rawValue: .max) : usesMagnetometer ? .inertial.union(.magnetometer) : .inertial
  }

  /// What happened to the samples so far.
  package var statistics: TimelineStatistics { fusion.timeline.statistics }

  /// Takes a sample of a source whose samples come in order, and hands on the state that it completes; false when it
  /// was dropped.
  ///
  /// A state is a quarter of a kilobyte: it is used where it is made, not copied on its way out. Its row is left to the
  /// caller's framing.
  package mutating func update(_ sample: SensorSample, _ take: (DeviceMotion) -> Void) -> Bool {
    guard fusion.timeline.pass(sample) else { return false }
    if let motion = fusion.estimator.update(sample) { take(motion) }
    if smooths { emitSmoothed(take) }
    return true
  }

  private mutating func emitSmoothed(_ take: (DeviceMotion) -> Void) {
    while let motion = fusion.estimator.nextSmoothed() { take(motion) }
  }

  /// Nothing follows: hands on the states that still wait for an accelerometer sample or for the smoother.
  package mutating func finish(_ take: (DeviceMotion) -> Void) {
    if let motion = fusion.estimator.finish() { take(motion) }
    emitSmoothed(take)
  }

  /// After the last sample: the state that still waits for an accelerometer sample, with the one before it; nil when
  /// none does.
  private mutating func finishPending() -> Step? {
    guard !hasEnded else { return nil }
    hasEnded = true
    return (fusion.estimator.finish() ?? fusion.estimator.nextSmoothed()).map { step(nil, $0) }
  }

  /// The next step, with samples from `source`, which returns nil at its end; nil when all has come out.
  package mutating func next(
    from source: () throws(SensorError) -> SensorSample?
  ) throws(SensorError) -> Step? {
    while true {
      if smooths, let motion = fusion.estimator.nextSmoothed() { return step(nil, motion) }
      if let (sample, motion) = fusion.pop() { return step(sample, motion) }
      if fusion.timeline.isDraining { return finishPending() }
      guard let sample = try source() else {
        fusion.timeline.finish()
        continue
      }
      if !kinds.isDisjoint(with: sample.kinds) { fusion.timeline.push(sample) }
    }
  }

  /// The next row, with samples from `source`, which returns nil at its end; nil when all has come out. Samples that
  /// complete no row cost no step.
  package mutating func nextRow(
    from source: () throws(SensorError) -> SensorSample?
  ) throws(SensorError) -> (row: MotionRow?, notice: MotionFraming.Notice?)? {
    while true {
      if smooths, let motion = fusion.estimator.nextSmoothed(), let step = framing?.update(motion) { return step }
      while let sample = fusion.timeline.pop() {
        if let motion = fusion.estimator.update(sample), let step = framing?.update(motion) { return step }
      }
      if fusion.timeline.isDraining { return finishPending().map { ($0.row, $0.notice) } }
      guard let sample = try source() else {
        fusion.timeline.finish()
        continue
      }
      if !kinds.isDisjoint(with: sample.kinds) { fusion.timeline.push(sample) }
    }
  }

  private mutating func step(_ sample: SensorSample?, _ motion: DeviceMotion?) -> Step {
    guard let motion, let (row, notice) = framing?.update(motion) else { return Step(sample: sample) }
    return Step(sample: sample, motion: motion, row: row, notice: notice)
  }
}
