// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing
package import MotionServices
import OrientationFusion
import OrientationSmoothing

/// A ``DeviceMotionEstimator`` for a recording, of one solution: with `smooths`, its states come out of
/// ``nextSmoothed()``, minutes later, with the orientation of an ``OrientationSmoother``.
///
/// ```swift
/// if let motion = estimator.update(sample) { … }
/// while let motion = estimator.nextSmoothed() { … }
/// ```
package struct OfflineEstimator: Sendable {
  private var estimator: DeviceMotionEstimator
  private var smoothing: MotionSmoothing?

  /// `solution` is nil where no state is wanted.
  package init(
    info: SensorInfo, solution: DeviceMotionEstimator.Solutions?, run: Int = 0, smooths: Bool,
    learned: LearnedDevice? = nil
  ) {
    estimator = DeviceMotionEstimator(
      info: info, calibration: learned?.magnetometer, learned: learned?.sensor, run: run,
      blockDuration: smooths ? OrientationSmoother.blockDuration : nil)
    guard let solution else { return }
    estimator.solutions = solution
    if smooths { smoothing = estimator.withFilter { MotionSmoothing(following: &$0) } }
  }

  /// What is known of the sensors now; nil where nothing was computed from them.
  var learned: LearnedDevice? { estimator.learned }

  /// Processes any sample; returns the state of motion that it completes, if it does and nothing is smoothed.
  package mutating func update(_ sample: SensorSample) -> DeviceMotion? {
    guard smoothing != nil else { return estimator.update(sample) }
    if let motion = estimator.update(sample, { smoothing?.smoother.follow(&$0) }) { smoothing?.append(motion) }
    return nil
  }

  /// The next state that the smoother has finished; nil while there is none.
  package mutating func nextSmoothed() -> DeviceMotion? { smoothing?.next() }

  /// No sample follows: the state of motion that still waits for one of the accelerometer. With a smoother it is the
  /// last one of ``nextSmoothed()``.
  package mutating func finish() -> DeviceMotion? {
    let motion = estimator.finish()
    guard smoothing != nil else { return motion }
    if let motion { smoothing?.append(motion) }
    estimator.withFilter { smoothing?.smoother.finish(&$0) }
    return nil
  }
}

/// States of motion that wait until the smoother has seen what comes after them.
///
/// The smoother gives an orientation to each gyroscope sample; a state of motion takes that of its time. All the rest
/// of a state stays as it was: its accelerometer sample, the field, rest.
private struct MotionSmoothing: Sendable {
  var smoother: OrientationSmoother
  private var waiting: [DeviceMotion] = []
  /// How many of them have been emitted.
  private var used = 0
  /// One that is later than the state that waits.
  private var latest: OrientationSmoother.Orientation?

  init(following filter: inout OrientationFilter) { smoother = OrientationSmoother(following: &filter) }

  /// `motion` is emitted later.
  mutating func append(_ motion: DeviceMotion) { waiting.append(motion) }

  /// The next state that is final; nil while there is none.
  mutating func next() -> DeviceMotion? {
    guard used < waiting.count else { return nil }
    let time = waiting[used].time.nanoseconds
    // Before the first state there may be orientations without an accelerometer sample.
    while (latest?.time ?? .min) < time {
      guard let orientation = smoother.next() else { return nil }
      latest = orientation
    }
    var motion = waiting[used]
    used += 1
    if let latest, latest.time == time { motion.apply(latest) }
    if used >= 4096 {
      waiting.removeFirst(used)
      used = 0
    }
    return motion
  }
}

extension DeviceMotion {
  /// The orientation of a smoother in place of the filter's.
  fileprivate mutating func apply(_ orientation: OrientationSmoother.Orientation) {
    guard var solution = nineAxis ?? sixAxis else { return }
    solution.attitude = orientation.attitude
    solution.angularVelocity = orientation.angularVelocity
    solution.hasHeading = orientation.hasHeading
    solution.inclinationStandardDeviation = orientation.inclinationStandardDeviation
    solution.headingStandardDeviation = orientation.headingStandardDeviation
    if nineAxis != nil { nineAxis = solution } else { sixAxis = solution }
    isSmoothed = true
  }
}
