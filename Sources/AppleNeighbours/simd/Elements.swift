// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Elements compared, added and taken without their sign, under both of Apple's names.

/// Two `Float`s.
public typealias vector_float2 = SIMD2<Float>
/// Three `Float`s.
public typealias vector_float3 = SIMD3<Float>
/// Four `Float`s.
public typealias vector_float4 = SIMD4<Float>
/// Two `Double`s.
public typealias vector_double2 = SIMD2<Double>
/// Three `Double`s.
public typealias vector_double3 = SIMD3<Double>
/// Four `Double`s.
public typealias vector_double4 = SIMD4<Double>

/// The square of the length of the difference.
public func simd_distance_squared<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
  simd_length_squared(x - y)
}
/// As `simd_distance_squared`.
public func distance_squared<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
  simd_distance_squared(x, y)
}
/// The greater of two elements, at each place.
public func simd_max<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector where Vector.Scalar: FloatingPoint {
  pointwiseMax(x, y)
}
/// The lesser of two elements, at each place.
public func simd_min<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector where Vector.Scalar: FloatingPoint {
  pointwiseMin(x, y)
}
/// Each element without its sign.
public func simd_abs<Vector: SIMD>(_ x: Vector) -> Vector where Vector.Scalar: FloatingPoint {
  pointwiseMax(x, -x)
}
/// Each element without its sign.
public func abs<Vector: SIMD>(_ x: Vector) -> Vector where Vector.Scalar: FloatingPoint {
  simd_abs(x)
}
/// The sum of the elements.
public func simd_reduce_add<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  x.sum()
}
/// The sum of the elements.
public func reduce_add<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  x.sum()
}
/// The greatest element.
public func simd_reduce_max<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  x.max()
}
/// The greatest element.
public func reduce_max<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  x.max()
}
/// The least element.
public func simd_reduce_min<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  x.min()
}
/// The least element.
public func reduce_min<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  x.min()
}
