// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Three components.
struct Vector: Sendable, Equatable {
  var x, y, z: Double

  var length: Double { (x * x + y * y + z * z).squareRoot() }
  func distance(to other: Self) -> Double { (self - other).length }
  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  static func * (factor: Double, a: Self) -> Self { Self(x: factor * a.x, y: factor * a.y, z: factor * a.z) }
  /// The mean of many; zero of none.
  static func mean(_ vectors: [Self]) -> Self {
    (1 / Double(max(vectors.count, 1))) * vectors.reduce(Self(x: 0, y: 0, z: 0), +)
  }
}

/// A quaternion, scalar last, with the product that turns: q v q*.
struct Quaternion: Sendable, Equatable {
  var x, y, z, w: Double

  var length: Double { (x * x + y * y + z * z + w * w).squareRoot() }
  var inverse: Self { Self(x: -x, y: -y, z: -z, w: w) }

  static func * (a: Self, b: Self) -> Self {
    Self(
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
  }

  func turned(_ v: Vector) -> Vector {
    let turned = self * Quaternion(x: v.x, y: v.y, z: v.z, w: 0) * inverse
    return Vector(x: turned.x, y: turned.y, z: turned.z)
  }

  /// The ordinary matrix of the rotation: R(q), rows one after the other.
  var matrix: [Double] {
    [
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]
  }

  /// Its transpose, which Behaviour.md's S12 expects as `rotationMatrix`.
  var transposedMatrix: [Double] {
    let m = matrix
    return [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]]
  }

  /// S13.
  var roll: Double { atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)) }
  var pitch: Double { asin(min(1, max(-1, 2 * (w * x + y * z)))) }
  var yaw: Double { atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)) }

  /// The turn as a vector along its axis, in radians; the shorter way round.
  var rotationVector: Vector {
    let sign = w < 0 ? -1.0 : 1.0
    let sine = Vector(x: x, y: y, z: z).length
    let angle = 2 * atan2(sine, sign * w)
    return (sine > 1e-12 ? sign * angle / sine : 2) * Vector(x: x, y: y, z: z)
  }

  /// How far two attitudes are apart, whatever the signs of their quaternions.
  func difference(to other: Self) -> Double {
    min(
      hypot(hypot(x - other.x, y - other.y), hypot(z - other.z, w - other.w)),
      hypot(hypot(x + other.x, y + other.y), hypot(z + other.z, w + other.w)))
  }
}

extension Quaternion {
  /// The attitude with these angles: Rz(yaw) Rx(pitch) Ry(roll).
  init(roll: Double, pitch: Double, yaw: Double) {
    let z = Self(x: 0, y: 0, z: sin(yaw / 2), w: cos(yaw / 2))
    let x = Self(x: sin(pitch / 2), y: 0, z: 0, w: cos(pitch / 2))
    self = z * x * Self(x: 0, y: sin(roll / 2), z: 0, w: cos(roll / 2))
  }
}

/// The difference of two angles, the shorter way round.
func turn(_ radians: Double) -> Double { atan2(sin(radians), cos(radians)) }
func turnDegrees(_ degrees: Double) -> Double { turn(degrees * .pi / 180) * 180 / .pi }

/// D1: the azimuth of the top edge of a device that lies, of the back of one that stands, in degrees.
func headingOfD1(_ attitude: Quaternion, gravity: Vector) -> Double {
  let axis = abs(gravity.y) <= abs(gravity.z) ? Vector(x: 0, y: 1, z: 0) : Vector(x: 0, y: 0, z: -1)
  let direction = attitude.turned(axis)
  let degrees = -atan2(direction.y, direction.x) * 180 / .pi
  return degrees < 0 ? degrees + 360 : degrees
}
