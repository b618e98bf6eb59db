// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A 3 × 3 matrix of the filter's numbers, `mRC` is row R, column C: `MotionMath.Matrix3` for another number than `Double`.
struct Matrix3: Sendable, BitwiseCopyable {
  var m11, m12, m13: Real
  var m21, m22, m23: Real
  var m31, m32, m33: Real

  @inline(__always)
  init(
    _ m11: Real, _ m12: Real, _ m13: Real,
    _ m21: Real, _ m22: Real, _ m23: Real,
    _ m31: Real, _ m32: Real, _ m33: Real
  ) {
    (self.m11, self.m12, self.m13) = (m11, m12, m13)
    (self.m21, self.m22, self.m23) = (m21, m22, m23)
    (self.m31, self.m32, self.m33) = (m31, m32, m33)
  }

  @inline(__always)
  static var zero: Self { Self(0, 0, 0, 0, 0, 0, 0, 0, 0) }

  var isFinite: Mask {
    m11.isFinite && m12.isFinite && m13.isFinite && m21.isFinite && m22.isFinite && m23.isFinite && m31.isFinite
      && m32.isFinite && m33.isFinite
  }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self {
    Self(
      a.m11 + b.m11, a.m12 + b.m12, a.m13 + b.m13, a.m21 + b.m21, a.m22 + b.m22, a.m23 + b.m23, a.m31 + b.m31,
      a.m32 + b.m32, a.m33 + b.m33)
  }

  @inline(__always)
  static func * (a: Self, k: Real) -> Self {
    Self(
      a.m11 * k, a.m12 * k, a.m13 * k, a.m21 * k, a.m22 * k, a.m23 * k, a.m31 * k, a.m32 * k, a.m33 * k)
  }

  @inline(__always)
  static func * <F>(a: Self, v: Vector3<F>) -> Vector3<F> {
    Vector3(
      x: a.m11 * v.x + a.m12 * v.y + a.m13 * v.z,
      y: a.m21 * v.x + a.m22 * v.y + a.m23 * v.z,
      z: a.m31 * v.x + a.m32 * v.y + a.m33 * v.z)
  }
}
