// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A real 3 × 3 matrix; `mRC` is row R, column C.
///
/// It carries no frames: a rotation matrix with frames is ``Rotation``; this type serves scale and misalignment
/// matrices, soft iron, and conversion.
@frozen
public struct Matrix3: Hashable, Sendable, BitwiseCopyable {
  /// Row 1.
  public var m11, m12, m13: Double
  /// Row 2.
  public var m21, m22, m23: Double
  /// Row 3.
  public var m31, m32, m33: Double

  /// The nine elements, row by row.
  @inlinable
  public init(
    _ m11: Double, _ m12: Double, _ m13: Double,
    _ m21: Double, _ m22: Double, _ m23: Double,
    _ m31: Double, _ m32: Double, _ m33: Double
  ) {
    (self.m11, self.m12, self.m13) = (m11, m12, m13)
    (self.m21, self.m22, self.m23) = (m21, m22, m23)
    (self.m31, self.m32, self.m33) = (m31, m32, m33)
  }

  /// A diagonal matrix.
  @inlinable
  public init(diagonal a: Double, _ b: Double, _ c: Double) { self.init(a, 0, 0, 0, b, 0, 0, 0, c) }

  @inlinable
  public static var zero: Self { Self(diagonal: 0, 0, 0) }
  @inlinable
  public static var identity: Self { Self(diagonal: 1, 1, 1) }

  /// The matrix of the cross product: `Matrix3(skew: a) * v == a × v`.
  @inlinable
  public init<F>(skew a: Vector3<F>) { self.init(0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0) }

  /// The product of a column and a row: element (i, j) = a[i] · b[j].
  @inlinable
  public init<F, G>(outer a: Vector3<F>, _ b: Vector3<G>) {
    self.init(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z)
  }

  @inlinable
  public var transpose: Self { Self(m11, m21, m31, m12, m22, m32, m13, m23, m33) }

  @inlinable
  public var trace: Double { m11 + m22 + m33 }

  @inlinable
  public var determinant: Double {
    m11 * (m22 * m33 - m23 * m32) - m12 * (m21 * m33 - m23 * m31) + m13 * (m21 * m32 - m22 * m31)
  }

  /// The inverse, or nil when the determinant is zero or not finite.
  @inlinable
  public var inverse: Self? {
    let d = determinant
    guard d != 0, d.isFinite else { return nil }
    let adjugate = Self(
      m22 * m33 - m23 * m32, m13 * m32 - m12 * m33, m12 * m23 - m13 * m22,
      m23 * m31 - m21 * m33, m11 * m33 - m13 * m31, m13 * m21 - m11 * m23,
      m21 * m32 - m22 * m31, m12 * m31 - m11 * m32, m11 * m22 - m12 * m21)
    let result = adjugate * (1 / d)
    return result.isFinite ? result : nil
  }

  @inlinable
  public var isFinite: Bool {
    m11.isFinite && m12.isFinite && m13.isFinite && m21.isFinite && m22.isFinite && m23.isFinite && m31.isFinite
      && m32.isFinite && m33.isFinite
  }
}

extension Matrix3 {
  @inlinable
  public static func + (a: Self, b: Self) -> Self {
    Self(
      a.m11 + b.m11, a.m12 + b.m12, a.m13 + b.m13, a.m21 + b.m21, a.m22 + b.m22, a.m23 + b.m23, a.m31 + b.m31,
      a.m32 + b.m32, a.m33 + b.m33)
  }
  @inlinable
  public static func - (a: Self, b: Self) -> Self { a + b * -1 }
  @inlinable
  public static func * (a: Self, k: Double) -> Self {
    Self(
      a.m11 * k, a.m12 * k, a.m13 * k, a.m21 * k, a.m22 * k, a.m23 * k, a.m31 * k, a.m32 * k, a.m33 * k)
  }
  @inlinable
  public static func * (a: Self, b: Self) -> Self {
    Self(
      a.m11 * b.m11 + a.m12 * b.m21 + a.m13 * b.m31,
      a.m11 * b.m12 + a.m12 * b.m22 + a.m13 * b.m32,
      a.m11 * b.m13 + a.m12 * b.m23 + a.m13 * b.m33,
      a.m21 * b.m11 + a.m22 * b.m21 + a.m23 * b.m31,
      a.m21 * b.m12 + a.m22 * b.m22 + a.m23 * b.m32,
      a.m21 * b.m13 + a.m22 * b.m23 + a.m23 * b.m33,
      a.m31 * b.m11 + a.m32 * b.m21 + a.m33 * b.m31,
      a.m31 * b.m12 + a.m32 * b.m22 + a.m33 * b.m32,
      a.m31 * b.m13 + a.m32 * b.m23 + a.m33 * b.m33)
  }
  /// The matrix applied to a column; the result is read in the same frame.
  @inlinable
  public static func * <F>(a: Self, v: Vector3<F>) -> Vector3<F> {
    Vector3(
      x: a.m11 * v.x + a.m12 * v.y + a.m13 * v.z,
      y: a.m21 * v.x + a.m22 * v.y + a.m23 * v.z,
      z: a.m31 * v.x + a.m32 * v.y + a.m33 * v.z)
  }
}
