// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Differences of integer time stamps.
package enum SampleTime {
  /// Seconds from `start` to `end`; infinite when the difference overflows, so that it counts as a long gap.
  package static func seconds(from start: Int64, to end: Int64) -> Double {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    guard !overflow else { return end > start ? .infinity : -.infinity }
    return Double(difference) * 1e-9
  }

  /// The gain of a first-order low-pass over `time` seconds: 1 − exp(−time / constant).
  ///
  /// Up to 0.7 of a time constant by the Padé approximant [2/2] of the exponential, exact to 2.4e-4 of the result
  /// there.
  static func share(of time: Real, constant: Real) -> Real {
    let x = time / constant
    return x < 0.7 ? x / (1 + x * (0.5 + x * (1.0 / 12))) : 1 - Scalar.exp(-x)
  }
}

/// The largest readings that are accepted: far beyond real sensors, far below the overflow of a square.
enum Plausible {
  /// rad/s; real gyroscopes end at 4000 °/s = 70 rad/s.
  static let angularVelocity = 1e3
  /// m/s²; real accelerometers end at 400 g.
  static let specificForce = 1e4
  /// T; real magnetometers end at 5 mT.
  static let magneticField = 1.0

  static func accepts(_ value: Vector3<Device>, limit: Double) -> Bool {
    // False for NaN, too.
    abs(value.x) <= limit && abs(value.y) <= limit && abs(value.z) <= limit
  }
}
