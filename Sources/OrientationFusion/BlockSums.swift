// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What a block of samples leaves behind for the correction at its end.
///
/// Between two corrections only sums grow: the rotation, the velocity, the field in the world frame, and how the attitude
/// at the end depends on the errors of the gyroscope. Those dependencies are plain integrals, because the attitude error
/// lives in the world frame: dθ/dbias = −∫R dt and dθ/dmatrix[a, j] = ∫R[:, a] ω_j dt.
struct BlockSums: Sendable {
  /// Seconds of gyroscope time.
  var duration = 0.0
  /// ∫R dt, s.
  var rotation: Matrix3 = .zero
  /// ∫R[i, a] ω_j dt for the world axis i (x, y, z): row a, column j.
  var rateX: Matrix3 = .zero
  var rateY: Matrix3 = .zero
  var rateZ: Matrix3 = .zero
  /// ∫|ω|² dt, rad²/s.
  var squaredRate = 0.0
  /// Attitude variance, rad², from under-sampling, saturation and gaps.
  var extraVariance: Vector3<EastNorthUp> = .zero

  /// ∫R f dt, m/s, and the seconds that it covers.
  var velocity: Vector3<EastNorthUp> = .zero
  var velocityDuration = 0.0

  /// Sums over the readings of the field, T: in the world, corrected for the delay; its slope against the delay, T/s; R.
  var field: Vector3<EastNorthUp> = .zero
  var fieldSlope: Vector3<EastNorthUp> = .zero
  var fieldRotation: Matrix3 = .zero
  var fieldCount = 0

  mutating func clearField() {
    field = .zero
    fieldSlope = .zero
    fieldRotation = .zero
    fieldCount = 0
  }

  /// Adds a step of `time` seconds at the mean rotation `r` and the mean reading `rate`.
  mutating func addRotation(_ r: Matrix3, rate: Vector3<Device>, time: Double) {
    let step = r * time
    duration += time
    rotation = rotation + step
    rateX = rateX + Matrix3(outer: Vector3<Device>(x: step.m11, y: step.m12, z: step.m13), rate)
    rateY = rateY + Matrix3(outer: Vector3<Device>(x: step.m21, y: step.m22, z: step.m23), rate)
    rateZ = rateZ + Matrix3(outer: Vector3<Device>(x: step.m31, y: step.m32, z: step.m33), rate)
    squaredRate += rate.dot(rate) * time
  }

  /// How the attitude error about world axis `i` at the block's end depends on bias (0–2) and matrix (3–11).
  func sensitivity(_ i: Int) -> InlineArray<12, Double> {
    let (r, a, b, c): (Matrix3, Double, Double, Double)
    switch i {
    case 0: (r, a, b, c) = (rateX, rotation.m11, rotation.m12, rotation.m13)
    case 1: (r, a, b, c) = (rateY, rotation.m21, rotation.m22, rotation.m23)
    default: (r, a, b, c) = (rateZ, rotation.m31, rotation.m32, rotation.m33)
    }
    return [-a, -b, -c, r.m11, r.m12, r.m13, r.m21, r.m22, r.m23, r.m31, r.m32, r.m33]
  }
}
