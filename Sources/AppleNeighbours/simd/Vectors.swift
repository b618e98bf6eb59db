// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_exported public import Foundation

// Apple's names of the standard library's SIMD types, and the geometry that client code uses. All of it computes.

/// Two `Float`s.
public typealias simd_float2 = SIMD2<Float>
/// Three `Float`s.
public typealias simd_float3 = SIMD3<Float>
/// Four `Float`s.
public typealias simd_float4 = SIMD4<Float>
/// Two `Double`s.
public typealias simd_double2 = SIMD2<Double>
/// Three `Double`s.
public typealias simd_double3 = SIMD3<Double>
/// Four `Double`s.
public typealias simd_double4 = SIMD4<Double>
/// Two `Float`s.
public typealias float2 = SIMD2<Float>
/// Three `Float`s.
public typealias float3 = SIMD3<Float>
/// Four `Float`s.
public typealias float4 = SIMD4<Float>
/// Two `Double`s.
public typealias double2 = SIMD2<Double>
/// Three `Double`s.
public typealias double3 = SIMD3<Double>
/// Four `Double`s.
public typealias double4 = SIMD4<Double>

/// The sum of the products of the elements.
public func simd_dot<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  (x * y).sum()
}
/// The square of the length.
public func simd_length_squared<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  simd_dot(x, x)
}
/// The length.
public func simd_length<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  simd_dot(x, x).squareRoot()
}
/// The length of the difference.
public func simd_distance<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
  simd_length(x - y)
}
/// The same direction with length 1; not a number for length 0.
public func simd_normalize<Vector: SIMD>(_ x: Vector) -> Vector where Vector.Scalar: FloatingPoint {
  x / simd_length(x)
}
/// The vector product, right-handed.
public func simd_cross<Scalar: FloatingPoint>(_ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>) -> SIMD3<Scalar> {
  SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
}
/// From `x` (t = 0) straight to `y` (t = 1).
public func simd_mix<Vector: SIMD>(_ x: Vector, _ y: Vector, _ t: Vector) -> Vector
where Vector.Scalar: FloatingPoint {
  x + t * (y - x)
}

/// As `simd_dot`.
public func dot<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  simd_dot(x, y)
}
/// As `simd_length`.
public func length<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  simd_length(x)
}
/// As `simd_length_squared`.
public func length_squared<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  simd_length_squared(x)
}
/// As `simd_distance`.
public func distance<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
  simd_distance(x, y)
}
/// As `simd_normalize`.
public func normalize<Vector: SIMD>(_ x: Vector) -> Vector where Vector.Scalar: FloatingPoint {
  simd_normalize(x)
}
/// As `simd_cross`.
public func cross<Scalar: FloatingPoint>(_ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>) -> SIMD3<Scalar> {
  simd_cross(x, y)
}
/// From `x` (t = 0) straight to `y` (t = 1).
public func mix<Vector: SIMD>(_ x: Vector, _ y: Vector, t: Vector.Scalar) -> Vector
where Vector.Scalar: FloatingPoint {
  x + (y - x) * t
}
/// Each element within the limits.
public func simd_clamp<Vector: SIMD>(_ x: Vector, _ min: Vector, _ max: Vector) -> Vector
where Vector.Scalar: FloatingPoint {
  x.clamped(lowerBound: min, upperBound: max)
}
