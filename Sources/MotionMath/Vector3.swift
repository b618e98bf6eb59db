// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Three components in the coordinate frame `F`.
///
/// ```swift
/// let up = Vector3<Device>(x: 0, y: 0, z: 1)
/// let east = attitude * up            // Vector3<EastNorthUp>
/// ```
///
/// The unit is that of the quantity it holds (SI below the façade); the type carries the frame only. `==` compares
/// values exactly; use ``isApproximatelyEqual(to:tolerance:)`` for "nearly".
@frozen
public struct Vector3<F: Frame>: Hashable, Sendable, BitwiseCopyable {
  /// Along the first axis of `F`.
  public var x: Double
  /// Along the second axis of `F`.
  public var y: Double
  /// Along the third axis of `F`.
  public var z: Double

  @inlinable
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// (0, 0, 0).
  @inlinable
  public static var zero: Self { Self(x: 0, y: 0, z: 0) }

  /// The dot product; unit: the product of both units.
  @inlinable
  public func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  /// The cross product, right-handed: x × y = z.
  @inlinable
  public func cross(_ other: Self) -> Self {
    Self(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// Euclidean length; same unit as the components, never negative.
  @inlinable
  public var length: Double { dot(self).squareRoot() }

  /// The vector of length one in the same direction, or nil when all components are zero or one is not finite.
  @inlinable
  public var normalized: Self? {
    let length = length
    if length > 1e-140, length < 1e150 { return self / length }
    // The squares of such numbers lose their digits, or overflow: the largest component is brought to 1 first.
    let largest = max(abs(x), abs(y), abs(z))
    guard largest > 0, isFinite else { return nil }
    return (self / largest).normalized
  }

  /// True when no component is NaN or infinite.
  @inlinable
  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The angle to another vector in radians, 0…π; exact also for nearly parallel vectors. 0 when either is zero.
  @inlinable
  public func angle(to other: Self) -> Double { Scalar.atan2(cross(other).length, dot(other)) }

  /// True when no component differs by more than `tolerance`. False when any component is NaN.
  @inlinable
  public func isApproximatelyEqual(to other: Self, tolerance: Double) -> Bool {
    abs(x - other.x) <= tolerance && abs(y - other.y) <= tolerance && abs(z - other.z) <= tolerance
  }

  /// The same numbers in another frame. This bypasses the type system; the name makes it easy to find in review.
  @inlinable
  public func relabeled<G>(to _: G.Type) -> Vector3<G> { Vector3<G>(x: x, y: y, z: z) }
}

extension Vector3 {
  @inlinable
  public static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  @inlinable
  public static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  @inlinable
  public static prefix func - (a: Self) -> Self { Self(x: -a.x, y: -a.y, z: -a.z) }
  @inlinable
  public static func * (a: Self, k: Double) -> Self { Self(x: a.x * k, y: a.y * k, z: a.z * k) }
  @inlinable
  public static func * (k: Double, a: Self) -> Self { a * k }
  @inlinable
  public static func / (a: Self, k: Double) -> Self { Self(x: a.x / k, y: a.y / k, z: a.z / k) }
  @inlinable
  public static func += (a: inout Self, b: Self) { a = a + b }
  @inlinable
  public static func -= (a: inout Self, b: Self) { a = a - b }
  @inlinable
  public static func *= (a: inout Self, k: Double) { a = a * k }
  @inlinable
  public static func /= (a: inout Self, k: Double) { a = a / k }
}

extension Vector3: CustomStringConvertible {
  public var description: String { "(\(x), \(y), \(z))" }
}
