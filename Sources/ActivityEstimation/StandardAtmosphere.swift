// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The height at which the standard atmosphere has a pressure (ISO 2533, troposphere):
///
///     h(p) = 44330.769 m · (1 − (p / 101 325 Pa)^0.190263)
///
/// A metre is 12 Pa at sea level and 11 Pa at 900 hPa. One pair of constants is good to 11 km. (ALT-1.)
package enum StandardAtmosphere {
  /// Pascal at sea level.
  package static let seaLevelPressure = 101_325.0

  /// Metres above the level where the pressure is `reference`; both in pascal, above 0.
  package static func height(at pressure: Double, above reference: Double = seaLevelPressure) -> Double {
    44330.769 * (1 - Scalar.pow(max(pressure, 1) / reference, 0.190263))
  }
}
