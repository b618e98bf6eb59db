// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
    if squared < 1e-4 {
      // Maclaurin series of cos(a/2) and sin(a/2)/a: the next terms are below 1e-19 here.
      cosine = 1 - squared / 8 + squared * squared / 384 - squared * squared * squared / 46080
      sineOverAngle = 0.5 - squared / 48 + squared * squared / 3840 - squared * squared * squared / 645_120
    } else {
      let angle = squared.squareRoot()
      cosine = Scalar.cos(angle / 2)
      sineOverAngle = Scalar.sin(angle / 2) / angle
    }
    self.init(unitW: cosine, x: v.x * sineOverAngle, y: v.y * sineOverAngle, z: v.z * sineOverAngle)
  }

  /// The logarithm: the shortest rotation vector, in radians, of length 0…π. Its components are the same in both frames.
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

  /// The way from this rotation (`fraction` 0) to `other` (`fraction` 1) at constant angular velocity, the shorter way round.
  @inlinable
  public func interpolated(to other: Self, fraction: Double) -> Self {
    let step: Rotation<To, To> = Rotation<To, To>(rotationVector: (other * inverse).rotationVector * fraction)
    return step * self
  }
}
