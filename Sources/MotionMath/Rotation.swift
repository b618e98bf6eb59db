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
/// Invariant: the stored Hamilton quaternion (w, x, y, z), scalar first, has unit length to rounding, and no
/// initialiser or operation can break it. `q` and `-q` are the same rotation; `==` compares the stored numbers and so
/// distinguishes them: use ``angle(to:)`` to compare rotations.
///
/// Convention: active Hamilton product, `v_To = q v_From q*`. Shuster, "A Survey of Attitude Representations", J.
/// Astronaut. Sci. 41(4), 1993, compares the conventions in use.
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

  /// The rotation of a quaternion that is near unit length already, as an estimator carries it; the identity when the
  /// length is not within a factor of ten of 1, or not finite.
  @inlinable
  public init(nearUnitW w: Double, x: Double, y: Double, z: Double) {
    let square = w * w + x * x + y * y + z * z
    guard square > 0.01, square < 100 else {
      self = .identity
      return
    }
    // Near 1 by one step of Newton's, exact to rounding: a root and a division would be waited for.
    let k = abs(square - 1) < 1e-8 ? 1.5 - 0.5 * square : 1 / square.squareRoot()
    self.init(unitW: w * k, x: x * k, y: y * k, z: z * k)
  }

  /// No rotation: the axes of both frames coincide.
  @inlinable
  public static var identity: Self { Self(unitW: 1, x: 0, y: 0, z: 0) }

  /// The inverse rotation, `To` → `From`.
  @inlinable
  public var inverse: Rotation<To, From> { Rotation<To, From>(unitW: w, x: -x, y: -y, z: -z) }

  /// The same numbers with other frames. This bypasses the type system; the name makes it easy to find in review.
  @inlinable
  public func relabeled<A, B>(from _: A.Type, to _: B.Type) -> Rotation<A, B> {
    Rotation<A, B>(unitW: w, x: x, y: y, z: z)
  }

  /// `(b → c) * (a → b) = (a → c)`: the middle frame must match. The product is normalised to unit length.
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

// MARK: Rotation vectors, angles, axes

extension Rotation {
  /// The exponential map: the rotation about the direction of `rotationVector` by its length in radians.
  ///
  /// Any length is allowed, also 0 and more than π. Components that are not finite give the identity.
  @inlinable
  public init<F>(rotationVector v: Vector3<F>) {
    let squared = v.dot(v)
    guard squared.isFinite else {
      self = .identity
      return
    }
    let cosine: Double
    let sineOverAngle: Double
    if squared < 0.04 {
      // Maclaurin series of cos(a/2) and sin(a/2)/a: the next terms are below 3e-17 here.
      cosine = 1 - squared * (1.0 / 8 - squared * (1.0 / 384 - squared * (1.0 / 46_080 - squared * (1.0 / 10_321_920))))
      let next = squared * (1.0 / 645_120 - squared * (1.0 / 185_794_560))
      sineOverAngle = 0.5 - squared * (1.0 / 48 - squared * (1.0 / 3840 - next))
    } else {
      let angle = squared.squareRoot()
      cosine = Scalar.cos(angle / 2)
      sineOverAngle = Scalar.sin(angle / 2) / angle
    }
    self.init(unitW: cosine, x: v.x * sineOverAngle, y: v.y * sineOverAngle, z: v.z * sineOverAngle)
  }

  /// The logarithm: the shortest rotation vector, in radians, of length 0…π. Its components are equal in both frames.
  @inlinable
  public var rotationVector: Vector3<From> {
    let sine = (x * x + y * y + z * z).squareRoot()
    // q and -q are one rotation; w ≥ 0 gives the shorter way round.
    let sign: Double = w < 0 ? -1 : 1
    let factor: Double
    if sine < 1e-8 {
      factor = 2 * sign / max(abs(w), 0.5)
    } else {
      factor = 2 * Scalar.atan2(sine, sign * w) * sign / sine
    }
    return Vector3(x: x * factor, y: y * factor, z: z * factor)
  }

  /// The angle of the rotation in radians, 0…π.
  @inlinable
  public var angle: Double { 2 * Scalar.atan2((x * x + y * y + z * z).squareRoot(), abs(w)) }

  /// The angle, in radians, 0…π, of the rotation that leads from this one to `other`.
  @inlinable
  public func angle(to other: Self) -> Double { (other * inverse).angle }

  /// A rotation about an axis, right-handed, by `angle` radians; nil when the axis is zero or not finite.
  @inlinable
  public init?<F>(angle: Double, axis: Vector3<F>) {
    guard let unit = axis.normalized, angle.isFinite else { return nil }
    let sine = Scalar.sin(angle / 2)
    self.init(unitW: Scalar.cos(angle / 2), x: unit.x * sine, y: unit.y * sine, z: unit.z * sine)
  }

  /// A right-handed rotation about z by `angle` radians; the identity when the angle is not finite.
  @inlinable
  public init(aboutZ angle: Double) {
    guard angle.isFinite else {
      self = .identity
      return
    }
    self.init(unitW: Scalar.cos(angle / 2), x: 0, y: 0, z: Scalar.sin(angle / 2))
  }
}

// MARK: Matrices and directions

extension Rotation {
  /// The rotation matrix R with `v_To = R v_From`. Its columns are the axes of `From` in `To`.
  @inlinable
  public var matrix: Matrix3 {
    Matrix3(
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
  }

  /// The rotation of a matrix R with `v_To = R v_From`, or nil when R is not a rotation.
  ///
  /// `tolerance` bounds every element of RᵀR − 1; a reflection (determinant −1) is rejected. The largest of the four
  /// components is computed first, so that no digit is lost at any angle (Shepperd, J. Guid. Control 1(3), 1978).
  @inlinable
  public init?(matrix r: Matrix3, tolerance: Double = 1e-6) {
    let error = r.transpose * r - .identity
    let elements = [error.m11, error.m12, error.m13, error.m22, error.m23, error.m33]
    guard r.isFinite, r.determinant > 0, elements.allSatisfy({ abs($0) <= tolerance }) else { return nil }
    let trace = r.trace
    let largest = max(trace, r.m11, r.m22, r.m33)
    if largest == trace {
      self.init(w: 1 + trace, x: r.m32 - r.m23, y: r.m13 - r.m31, z: r.m21 - r.m12)
    } else if largest == r.m11 {
      self.init(w: r.m32 - r.m23, x: 1 + 2 * r.m11 - trace, y: r.m12 + r.m21, z: r.m13 + r.m31)
    } else if largest == r.m22 {
      self.init(w: r.m13 - r.m31, x: r.m12 + r.m21, y: 1 + 2 * r.m22 - trace, z: r.m23 + r.m32)
    } else {
      self.init(w: r.m21 - r.m12, x: r.m13 + r.m31, y: r.m23 + r.m32, z: 1 + 2 * r.m33 - trace)
    }
  }

  /// The shortest rotation that takes `direction` to the +z axis of `To`; nil when the direction is zero or not finite.
  ///
  /// This levels a device: `direction` is the measured up direction (specific force at rest).
  @inlinable
  public init?(levelling direction: Vector3<From>) {
    guard let up = direction.normalized else { return nil }
    if up.z < -1 + 1e-12 {
      self.init(unitW: 0, x: 1, y: 0, z: 0)
    } else {
      self.init(w: 1 + up.z, x: up.y, y: -up.x, z: 0)
    }
  }
}

extension Rotation: CustomStringConvertible {
  public var description: String { "(w: \(w), x: \(x), y: \(y), z: \(z))" }
}
