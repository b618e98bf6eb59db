// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// Measures a gyroscope's bias while the device lies still.
///
/// A gyroscope at rest should read zero; what it reads instead is its bias. The mean over some seconds is sharp enough,
/// if it is rest indeed: time is cut into windows, and a window counts only when neither the gyroscope nor the
/// accelerometer scatters in it, when its mean agrees with the windows before, and when the direction of gravity has
/// not crept away, as it would on something that turns slowly and evenly. A turn about the vertical that is slower than
/// ``Parameters/largestBias`` and never changes cannot be told from a bias by any gyroscope and accelerometer: put the
/// device on something that stands.
///
/// The standard error comes from the scatter of the windows' means, so noise that is correlated from sample to sample
/// does not make it look better than it is (batch means: Law & Kelton, "Simulation Modeling and Analysis", 3rd ed.
/// 2000, ch. 9.5.3).
///
/// ```swift
/// var calibrator = GyroscopeCalibrator()
/// while !calibrator.isComplete { calibrator.update(next()) }
/// let bias = calibrator.result?.bias
/// ```
package struct GyroscopeCalibrator: Sendable {
  /// What counts as rest.
  package struct Parameters: Sendable, Hashable {
    /// Seconds of rest to collect, from 2 on, and seconds of a window. Default 10 and 0.5.
    package var duration = 10.0, window = 0.5
    /// Largest standard deviation of the gyroscope in a window, rad/s. Default 0.01: ten times the noise of a
    /// telephone's, and less than a hand's tremor.
    package var largestDeviation = 0.01
    /// Largest standard deviation of the accelerometer in a window, m/s². Default 0.15.
    var largestForceDeviation = 0.15
    /// How far the direction of gravity may creep during the measurement, rad. Default 1°.
    var largestTilt = Angle(degrees: 1).radians
    /// The largest mean that can be a bias, and how far the mean of a window may lie from that of the windows before,
    /// rad/s. Default 0.2 (11 °/s) and 0.005.
    package var largestBias = 0.2, agreement = 0.005
    /// Seconds without a sample after which a window starts again. Default 0.25.
    package var longestGap = 0.25

    /// The defaults.
    package init() {}
  }

  /// What the device seems to do.
  package enum Verdict: String, Sendable, Hashable {
    /// No window is full yet.
    case waiting = "too few samples have come"
    /// It lies still; this time counts.
    case resting = "the device lies still"
    /// It is being moved or shaken; this time does not count.
    case moving = "the device moves"
    /// It turns evenly: what was collected is dropped.
    case turning = "the device turns"
  }

  /// What was measured.
  package struct Result: Sendable, Hashable {
    /// rad/s, to be subtracted from readings.
    package var bias: Vector3<Device>
    /// One standard error of the bias, and one standard deviation of the samples at rest, each of the axis where it is
    /// largest, rad/s.
    package var standardError, noise: Double
    /// Seconds of rest.
    package var duration: Double
    /// Samples at rest.
    package var sampleCount: Int
  }

  /// As given.
  package let parameters: Parameters
  /// What the device seems to do.
  package private(set) var verdict = Verdict.waiting
  private var means: [Vector3<Device>] = []
  private var squaredDeviations = 0.0
  private var sampleCount = 0
  private var duration = 0.0
  /// The direction of specific force when the collection began.
  private var force: Vector3<Device>?
  private var isForceQuiet = true
  private var window: RestWindow
  private var forceWindow: RestWindow

  /// Nothing collected yet.
  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    window = RestWindow(length: parameters.window, longestGap: parameters.longestGap)
    forceWindow = window
  }

  /// 0…1: how much of the wanted rest there is.
  package var progress: Double { min(1, duration / parameters.duration) }
  /// Whether there is enough rest.
  package var isComplete: Bool { duration >= parameters.duration && means.count >= 4 }

  /// The bias so far; nil before four windows at rest.
  package var result: Result? {
    let count = Double(means.count)
    guard count >= 4 else { return nil }
    let bias = mean
    var squares = Vector3<Device>.zero
    for each in means {
      let d = each - bias
      squares += Vector3(x: d.x * d.x, y: d.y * d.y, z: d.z * d.z)
    }
    let variance = max(squares.x, squares.y, squares.z) / (count - 1)
    return Result(
      bias: bias, standardError: (variance / count).squareRoot(),
      noise: (squaredDeviations / count).squareRoot(), duration: duration,
      sampleCount: sampleCount)
  }

  private var mean: Vector3<Device> {
    means.reduce(.zero, +) / Double(max(1, means.count))
  }

  /// Processes a sample of the gyroscope, its bias still in it.
  package mutating func update(_ sample: GyroscopeSample) {
    guard let stretch = window.update(sample.angularVelocity, at: sample.time) else { return }
    guard stretch.deviation <= parameters.largestDeviation, isForceQuiet else {
      verdict = .moving
      return
    }
    guard stretch.mean.length <= parameters.largestBias else { return restart(.turning) }
    if !means.isEmpty, (stretch.mean - mean).length > parameters.agreement {
      // One of the two was not at rest; which one is unknown.
      return restart(.turning)
    }
    verdict = .resting
    means.append(stretch.mean)
    squaredDeviations += stretch.deviation * stretch.deviation
    sampleCount += stretch.count
    duration += stretch.duration
  }

  /// Processes a sample of the accelerometer, which sees movement that a gyroscope does not. Optional.
  package mutating func update(_ sample: AccelerometerSample) {
    guard let stretch = forceWindow.update(sample.specificForce, at: sample.time) else { return }
    isForceQuiet = stretch.deviation <= parameters.largestForceDeviation
    guard isForceQuiet else {
      // Put down elsewhere it may lie otherwise.
      force = nil
      return
    }
    if let force, force.angle(to: stretch.mean) > parameters.largestTilt {
      self.force = stretch.mean
      if verdict == .resting { restart(.turning) }
    } else if force == nil {
      force = stretch.mean
    }
  }

  private mutating func restart(_ verdict: Verdict) {
    let (force, isForceQuiet) = (force, isForceQuiet)
    self = Self(parameters: parameters)
    (self.force, self.isForceQuiet, self.verdict) = (force, isForceQuiet, verdict)
  }
}
