// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A rotation that takes components in `From` to components in `To`.
///
/// ```swift
/// let attitude: Rotation<Device, EastNorthUp> = …
/// let force = attitude * specificForce               // Vector3<EastNorthUp>
/// let relative = reference.inverse * attitude        // Rotation<Device, Device>
/// ```
///
/// Invariant: the stored Hamilton quaternion (w, x, y, z), scalar first, has unit length to rounding, and no initialiser or
/// operation can break it. `q` and `-q` are the same rotation; `==` compares the stored numbers and so tells them apart:
/// use ``angle(to:)`` to compare rotations.
///
/// Convention: active Hamilton product, `v_To = q v_From q*`. Shuster, "A Survey of Attitude Representations", J. Astronaut.
/// Sci. 41(4), 1993, compares the conventions in use.
@frozen
public struct Rotation<From: Frame, To: Frame>: Hashable, Sendable, BitwiseCopyable {
  /// The scalar part, cos(angle / 2).
  public let w: Double
  /// The vector part along x, sin(angle / 2) times the axis.
  public let x: Double
  /// The vector part along y.
  public let y: Double
  /// The vector part along z.
  public let z: Double

  /// For numbers that are unit by construction.
  @usableFromInline
  internal init(unitW w: Double, x: Double, y: Double, z: Double) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// The rotation whose quaternion is nearest to the given numbers, or nil when they are all zero or one is not finite.
  @inlinable
  public init?(w: Double, x: Double, y: Double, z: Double) {
    let length = (w * w + x * x + y * y + z * z).squareRoot()
    if length > 1e-140, length < 1e150 {
      self.init(unitW: w / length, x: x / length, y: y / length, z: z / length)
      return
    }
    // The squares of such numbers lose their digits, or overflow: the largest number is brought to 1 first.
    let largest = max(abs(w), abs(x), abs(y), abs(z))
    guard largest > 0, w.isFinite, x.isFinite, y.isFinite, z.isFinite else { return nil }
    self.init(w: w / largest, x: x / largest, y: y / largest, z: z / largest)
  }

  /// The rotation of a quaternion that is near unit length already, as an estimator carries it; the identity when the length
  /// is not within a factor of ten of 1, or not finite.
  @inlinable
  public init(nearUnitW w: Double, x: Double, y: Double, z: Double) {
    let square = w * w + x * x + y * y + z * z
    guard square > 0.01, square < 100 else {
      self = .identity
      return
    }
    let k = 1 / square.squareRoot()
    self.init(unitW: w * k, x: x * k, y: y * k, z: z * k)
  }

  /// No rotation: the axes of both frames coincide.
  @inlinable
  public static var identity: Self { Self(unitW: 1, x: 0, y: 0, z: 0) }

  /// The rotation back, `To` → `From`.
  @inlinable
  public var inverse: Rotation<To, From> { Rotation<To, From>(unitW: w, x: -x, y: -y, z: -z) }

  /// The same numbers read between other frames. Here the type system looks away: easy to find in review.
  @inlinable
  public func relabeled<A, B>(from _: A.Type, to _: B.Type) -> Rotation<A, B> {
    Rotation<A, B>(unitW: w, x: x, y: y, z: z)
  }

  /// `(b → c) * (a → b) = (a → c)`: the middle frame must match. The product is brought back to unit length.
  @inlinable
  public static func * <A>(q: Self, p: Rotation<A, From>) -> Rotation<A, To> {
    let w = q.w * p.w - q.x * p.x - q.y * p.y - q.z * p.z
    let x = q.w * p.x + q.x * p.w + q.y * p.z - q.z * p.y
    let y = q.w * p.y - q.x * p.z + q.y * p.w + q.z * p.x
    let z = q.w * p.z + q.x * p.y - q.y * p.x + q.z * p.w
    // Both factors are unit to rounding, so one Newton step for 1/√n restores the length to the last bit or two.
    let k = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
    return Rotation<A, To>(unitW: w * k, x: x * k, y: y * k, z: z * k)
  }

  /// The components of `v` in `To`.
  @inlinable
  public static func * (q: Self, v: Vector3<From>) -> Vector3<To> {
    // v + 2w(u × v) + 2u × (u × v), u the vector part: 18 multiplications instead of two quaternion products.
    let tx = 2 * (q.y * v.z - q.z * v.y)
    let ty = 2 * (q.z * v.x - q.x * v.z)
    let tz = 2 * (q.x * v.y - q.y * v.x)
    return Vector3<To>(
      x: v.x + q.w * tx + (q.y * tz - q.z * ty),
      y: v.y + q.w * ty + (q.z * tx - q.x * tz),
      z: v.z + q.w * tz + (q.x * ty - q.y * tx))
  }
}

extension Rotation: CustomStringConvertible {
  public var description: String { "(w: \(w), x: \(x), y: \(y), z: \(z))" }
}
