// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

// The numbers that the filter computes with: `Double`, or `Float` with the package trait SinglePrecision. Readings come
// in and estimates go out as `Double`, and times are integers; only the arithmetic in between is short. A name for a
// concrete type costs nothing, while an unspecialised generic filter would be ten times slower in a debug build.

#if SinglePrecision
/// One number of the filter.
@usableFromInline package typealias Real = Float
#else
/// One number of the filter.
@usableFromInline package typealias Real = Double
/// Three numbers of the filter in the coordinate frame `F`.
package typealias RealVector<F: Frame> = Vector3<F>
/// A 3 × 3 matrix of the filter's numbers.
package typealias RealMatrix = Matrix3
#endif

/// Four numbers in one vector register: three and a zero, or a quaternion.
@usableFromInline package typealias Real4 = SIMD4<Real>

extension SIMD4 where Scalar == Real {
  /// Three numbers and a zero.
  @inline(__always)
  init(_ x: Real, _ y: Real, _ z: Real) { self.init(x, y, z, 0) }
}

extension RealVector {
  /// The first three of four numbers.
  @inline(__always)
  package init(_ v: Real4) { self.init(x: v.x, y: v.y, z: v.z) }

  /// The three numbers and a zero.
  @inline(__always)
  var simd: Real4 { Real4(x, y, z) }
}

extension Vector3 {
  /// In double precision.
  @inline(__always)
  package init(_ v: RealVector<F>) { self.init(x: Double(v.x), y: Double(v.y), z: Double(v.z)) }
}

extension Matrix3 {
  /// In double precision.
  package init(_ m: RealMatrix) {
    self.init(
      Double(m.m11), Double(m.m12), Double(m.m13), Double(m.m21), Double(m.m22), Double(m.m23),
      Double(m.m31), Double(m.m32), Double(m.m33))
  }
}

#if SinglePrecision
package struct RealVector<F: Frame>: Sendable, BitwiseCopyable {
  package var x: Real
  package var y: Real
  package var z: Real

  @inline(__always)
  package init(x: Real, y: Real, z: Real) { (self.x, self.y, self.z) = (x, y, z) }

  @inline(__always)
  package init(_ v: Vector3<F>) { self.init(x: Real(v.x), y: Real(v.y), z: Real(v.z)) }

  @inline(__always)
  package static var zero: Self { Self(x: 0, y: 0, z: 0) }

  @inline(__always)
  package func dot(_ other: Self) -> Real { x * other.x + y * other.y + z * other.z }

  @inline(__always)
  func cross(_ other: Self) -> Self {
    Self(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  @inline(__always)
  package static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  @inline(__always)
  package static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  @inline(__always)
  package static func * (a: Self, k: Real) -> Self { Self(x: a.x * k, y: a.y * k, z: a.z * k) }
  @inline(__always)
  package static func / (a: Self, k: Real) -> Self { Self(x: a.x / k, y: a.y / k, z: a.z / k) }
  @inline(__always)
  package static func += (a: inout Self, b: Self) { a = a + b }
}

package struct RealMatrix: Sendable, BitwiseCopyable {
  package var m11, m12, m13, m21, m22, m23, m31, m32, m33: Real

  @inline(__always)
  init(
    _ m11: Real, _ m12: Real, _ m13: Real, _ m21: Real, _ m22: Real, _ m23: Real, _ m31: Real, _ m32: Real, _ m33: Real
  ) {
    (self.m11, self.m12, self.m13) = (m11, m12, m13)
    (self.m21, self.m22, self.m23) = (m21, m22, m23)
    (self.m31, self.m32, self.m33) = (m31, m32, m33)
  }

  init(_ m: Matrix3) {
    self.init(
      Real(m.m11), Real(m.m12), Real(m.m13), Real(m.m21), Real(m.m22), Real(m.m23), Real(m.m31), Real(m.m32),
      Real(m.m33))
  }

  package static var zero: Self { Self(0, 0, 0, 0, 0, 0, 0, 0, 0) }

  @inline(__always)
  package static func + (a: Self, b: Self) -> Self {
    Self(
      a.m11 + b.m11, a.m12 + b.m12, a.m13 + b.m13, a.m21 + b.m21, a.m22 + b.m22, a.m23 + b.m23, a.m31 + b.m31,
      a.m32 + b.m32, a.m33 + b.m33)
  }
  @inline(__always)
  package static func * (a: Self, k: Real) -> Self {
    Self(
      a.m11 * k, a.m12 * k, a.m13 * k, a.m21 * k, a.m22 * k, a.m23 * k, a.m31 * k, a.m32 * k, a.m33 * k)
  }
  @inline(__always)
  package static func * <F>(a: Self, v: RealVector<F>) -> RealVector<F> {
    RealVector(
      x: a.m11 * v.x + a.m12 * v.y + a.m13 * v.z, y: a.m21 * v.x + a.m22 * v.y + a.m23 * v.z,
      z: a.m31 * v.x + a.m32 * v.y + a.m33 * v.z)
  }
}

// The platform's functions in double precision: they run a few times per block only.
extension Scalar {
  static func sin(_ x: Real) -> Real { Real(sin(Double(x))) }
  static func cos(_ x: Real) -> Real { Real(cos(Double(x))) }
  static func atan2(_ y: Real, _ x: Real) -> Real { Real(atan2(Double(y), Double(x))) }
  static func exp(_ x: Real) -> Real { Real(exp(Double(x))) }
}
#endif
