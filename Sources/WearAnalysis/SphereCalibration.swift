// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What a worn accelerometer's own rest says about its offset and scale: at rest the specific force is one g, however the
/// device is turned, so the means of still windows lie on a sphere (van Hees et al. 2014, J Appl Physiol 117, 738).
///
/// calibrated = scale · measured + offset, for each axis, in g.
package struct SphereCalibration: Sendable, Hashable {
  /// What became of it.
  package enum Outcome: UInt8, Sendable, Hashable {
    /// Offset and scale were found.
    case calibrated = 0
    /// Fewer still windows than ``SphereCalibrator/Parameters/leastWindows``.
    case tooFewWindows = 1
    /// The still windows do not reach ±0.3 g on every axis: too few orientations.
    case tooLittleSpread = 2
    /// The sphere fits no better than before, or worse than 10 mg.
    case noImprovement = 3
    /// It was switched off.
    case off = 4
  }

  /// g, added after the scale. Zero unless ``Outcome/calibrated``.
  package var offset = SIMD3<Double>.zero
  /// 1 unless ``Outcome/calibrated``.
  package var scale = SIMD3<Double>(repeating: 1)
  /// g: the mean of ||a| − 1| over the still windows, as measured; nil without one.
  package var errorBefore: Double?
  /// The same with offset and scale; as before where they were not found.
  package var errorAfter: Double?
  /// Still windows of 10 s.
  package var windows = 0
  package var outcome = Outcome.off

  /// No calibration: the acceleration as it is.
  package init() {}

  /// The calibrated specific force, in g, of a measured one in m/s².
  @inline(__always)
  package func callAsFunction(_ force: SIMD3<Double>) -> SIMD3<Double> {
    force * (scale / standardGravity) + offset
  }
}
