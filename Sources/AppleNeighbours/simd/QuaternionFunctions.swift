// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The rotation by an angle in radians about an axis of length 1.
public func simd_quaternion<Scalar: SIMDReal>(_ angle: Scalar, _ axis: SIMD3<Scalar>) -> SIMDQuaternion<Scalar> {
  SIMDQuaternion(angle: angle, axis: axis)
}
/// From imaginary parts x, y, z and the real part.
public func simd_quaternion<Scalar: SIMDReal>(
  _ ix: Scalar, _ iy: Scalar, _ iz: Scalar, _ r: Scalar
) -> SIMDQuaternion<Scalar> {
  SIMDQuaternion(ix: ix, iy: iy, iz: iz, r: r)
}
/// The shortest rotation between two directions of length 1.
public func simd_quaternion<Scalar: SIMDReal>(
  _ from: SIMD3<Scalar>, _ to: SIMD3<Scalar>
) -> SIMDQuaternion<Scalar> {
  SIMDQuaternion(from: from, to: to)
}
/// The rotation of a matrix.
public func simd_quaternion<Scalar: SIMDReal>(_ matrix: SIMDMatrix3<Scalar>) -> SIMDQuaternion<Scalar> {
  SIMDQuaternion(matrix)
}
/// The rotation of a matrix.
public func simd_quaternion<Scalar: SIMDReal>(_ matrix: SIMDMatrix4<Scalar>) -> SIMDQuaternion<Scalar> {
  SIMDQuaternion(matrix)
}
/// First `right`, then `left`.
public func simd_mul<Scalar: SIMDReal>(
  _ left: SIMDQuaternion<Scalar>, _ right: SIMDQuaternion<Scalar>
) -> SIMDQuaternion<Scalar> {
  left * right
}
/// A vector turned by a rotation.
public func simd_act<Scalar: SIMDReal>(_ q: SIMDQuaternion<Scalar>, _ x: SIMD3<Scalar>) -> SIMD3<Scalar> {
  q.act(x)
}
/// The quaternion whose product with this one is 1.
public func simd_inverse<Scalar: SIMDReal>(_ q: SIMDQuaternion<Scalar>) -> SIMDQuaternion<Scalar> {
  q.inverse
}
/// The imaginary parts with the other sign.
public func simd_conjugate<Scalar: SIMDReal>(_ q: SIMDQuaternion<Scalar>) -> SIMDQuaternion<Scalar> {
  q.conjugate
}
/// The same direction with length 1.
public func simd_normalize<Scalar: SIMDReal>(_ q: SIMDQuaternion<Scalar>) -> SIMDQuaternion<Scalar> {
  q.normalized
}
/// The length of the four numbers.
public func simd_length<Scalar: SIMDReal>(_ q: SIMDQuaternion<Scalar>) -> Scalar {
  q.length
}
/// The sum of the products of the numbers.
public func simd_dot<Scalar: SIMDReal>(_ left: SIMDQuaternion<Scalar>, _ right: SIMDQuaternion<Scalar>) -> Scalar {
  simd_dot(left.vector, right.vector)
}
/// Radians, 0 up to 2π.
public func simd_angle<Scalar: SIMDReal>(_ q: SIMDQuaternion<Scalar>) -> Scalar {
  q.angle
}
/// The axis with length 1.
public func simd_axis<Scalar: SIMDReal>(_ q: SIMDQuaternion<Scalar>) -> SIMD3<Scalar> {
  q.axis
}
/// From one rotation (t = 0) to another (t = 1) on the shorter way, with constant speed.
public func simd_slerp<Scalar: SIMDReal>(
  _ from: SIMDQuaternion<Scalar>, _ to: SIMDQuaternion<Scalar>, _ t: Scalar
) -> SIMDQuaternion<Scalar> {
  let cosine = simd_dot(from, to)
  let target = cosine < 0 ? -to : to
  let angle = 2 * Scalar.arcTangent(y: (from - target).length, x: (from + target).length)
  let sine = Scalar.sine(angle)
  guard sine > Scalar.ulpOfOne * 16 else { return (from * (1 - t) + target * t).normalized }
  return (from * (.sine((1 - t) * angle) / sine) + target * (.sine(t * angle) / sine)).normalized
}
