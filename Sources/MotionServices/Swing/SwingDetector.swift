// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Finds strokes: the impact in the accelerometer, and from there back to the start of the swing in device motion.
///
/// ```swift
/// var detector = SwingDetector()
/// for sample in accelerometerBatch { swings += detector.update(sample) }
/// for motion in deviceMotionBatch { swings += detector.update(motion) }
/// swings += detector.finish()      // no more will come
/// ```
///
/// ## The impact
/// A ball on the strings shakes the wrist for some 10 ms, much faster than any arm moves. So the specific force passes a high
/// pass of 100 Hz; where the length of what is left exceeds the threshold there is an impact, and its time is that of the
/// largest specific force around. This needs 800 samples a second: at 100 Hz most of the shock is gone.
///
/// ## The start
/// A swing is a rotation about gravity, whatever the pose of the wrist: the rate about the axis that points up is
/// ω · up. From the impact back it stays above max(1 rad/s, 10 % of the fastest rate so far) in its own direction; the start is where
/// it has been below for 30 ms, interpolated. Turning the other way before that is the backswing.
///
/// Both streams may come sample by sample or batch by batch, in any order between the two: an impact is judged when both are
/// 0.1 s beyond it, from nothing but the samples up to it, so that the result is the same. Source: `spec/batched-sensors.md`, section 3.
public struct SwingDetector: Sendable, Hashable {
  /// Hz: a slower accelerometer cannot show what passes the filter.
  public static let lowestRate = 400.0

  /// As given.
  public let parameters: Parameters
  let coefficients: Coefficients
  var state = State()

  /// A detector that has seen nothing. The rate must be at least ``lowestRate`` and more than twice the cut-off, and the threshold positive.
  public init(parameters: Parameters = Parameters()) {
    precondition(
      parameters.rate >= Self.lowestRate && parameters.rate > 2 * parameters.cutOff && parameters.cutOff > 0
        && parameters.threshold > 0,
      "Swings need an accelerometer of at least 400 Hz, a cut-off below half its rate and a positive threshold.")
    self.parameters = parameters
    coefficients = Coefficients(parameters)
  }

  /// Samples of both kinds that were left out: not finite, or not after the one before.
  public var rejectedCount: Int { state.rejectedCount }

  /// Takes a sample of the accelerometer; returns the swings that it settles. Times must go up.
  public mutating func update(_ sample: AccelerometerSample) -> [Swing] {
    let force = sample.specificForce
    guard force.isFinite, state.accelerometerTime.map({ sample.time > $0 }) ?? true else {
      state.rejectedCount += 1
      return []
    }
    follow(sample.time, force)
    state.accelerometerTime = sample.time
    return settle()
  }

  /// Takes a state of motion; returns the swings that it settles. Times must go up. 200 Hz are enough; more do no harm.
  public mutating func update(_ motion: DeviceMotion) -> [Swing] {
    guard let solution = motion.sixAxis ?? motion.nineAxis else { return [] }
    if state.run != motion.run {
      // Another run of the source: what was before does not lead to what comes.
      if state.run != nil { state.rotations.removeAll(keepingCapacity: true) }
      state.run = motion.run
    }
    return update(rateAboutUp: solution.angularVelocity.dot(solution.up), at: motion.time)
  }

  /// Takes motion that a device or a recording has fused itself; returns the swings that it settles.
  public mutating func update(_ motion: FusedMotionSample) -> [Swing] {
    // Its gravity is up, in a unit whose sign may be turned.
    let up = (motion.gravity * motion.accelerationUnit.scale).normalized ?? .zero
    return update(rateAboutUp: motion.angularVelocity.dot(up), at: motion.time)
  }

  /// Takes the rotation about gravity itself: rad/s about the axis that points up, positive anticlockwise seen from above.
  public mutating func update(rateAboutUp rate: Double, at time: SensorInstant) -> [Swing] {
    guard rate.isFinite, state.rotations.last.map({ time > $0.time }) ?? true else {
      state.rejectedCount += 1
      return []
    }
    state.rotations.append(Rotation(time: time, rate: rate))
    forget()
    return settle()
  }

  /// No more will come: judges what has been waiting, with the motion that is there.
  public mutating func finish() -> [Swing] {
    closeImpact()
    defer { state.waiting.removeAll() }
    return state.waiting.map(swing)
  }

  /// Judges the impacts that both streams have passed.
  private mutating func settle() -> [Swing] {
    guard let first = state.waiting.first, isSettled(first) else { return [] }
    var swings: [Swing] = []
    while let impact = state.waiting.first, isSettled(impact) {
      swings.append(swing(impact))
      state.waiting.removeFirst()
    }
    return swings
  }

  private func isSettled(_ impact: Impact) -> Bool {
    guard let time = state.accelerometerTime, time - impact.time >= parameters.settling else { return false }
    if let motion = state.rotations.last, motion.time - impact.time >= parameters.settling { return true }
    return time - impact.time >= parameters.patience
  }

  private func swing(_ impact: Impact) -> Swing {
    Swing(impact: impact.time, peak: impact.peak, shock: impact.shock, stroke: stroke(before: impact.time))
  }
}
