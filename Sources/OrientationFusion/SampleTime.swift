// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Differences of integer time stamps, and what no real sensor delivers.
enum SampleTime {
  /// Seconds from `start` to `end`; infinite when the difference does not fit, so that nonsense counts as a long gap.
  static func seconds(from start: Int64, to end: Int64) -> Double {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    guard !overflow else { return end > start ? .infinity : -.infinity }
    return Double(difference) * 1e-9
  }
}

/// The largest readings that are believed: far beyond real sensors, far below the overflow of a square.
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
