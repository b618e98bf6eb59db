// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A quaternion, scalar last. As an attitude it has length one and turns device vectors into the reference frame.
///
/// `init()` is (0, 0, 0, 0), which is no rotation at all: the zero value of a C struct, as on Apple's systems.
public struct CMQuaternion: Sendable, BitwiseCopyable {
  /// The first component of the vector part.
  public var x: Double
  /// The second component of the vector part.
  public var y: Double
  /// The third component of the vector part.
  public var z: Double
  /// The scalar part, cos(angle / 2).
  public var w: Double

  /// (0, 0, 0, 0).
  public init() { (x, y, z, w) = (0, 0, 0, 0) }
  /// The components as they are given: nothing is normalised.
  public init(x: Double, y: Double, z: Double, w: Double) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }
}

/// Attitude formulas S11–S19 on the numbers of a quaternion (x, y, z, w), which is taken to have length one.
///
/// They work on the stored numbers, not on a `Rotation`, because recorded attitudes keep their printed digits.
extension CMQuaternion {
  var squaredLength: Double { x * x + y * y + z * z + w * w }

  var conjugate: CMQuaternion { CMQuaternion(x: -x, y: -y, z: -z, w: w) }

  /// The Hamilton product self ⊗ other.
  func multiplied(by other: CMQuaternion) -> CMQuaternion {
    CMQuaternion(
      x: w * other.x + x * other.w + y * other.z - z * other.y,
      y: w * other.y - x * other.z + y * other.w + z * other.x,
      z: w * other.z + x * other.y - y * other.x + z * other.w,
      w: w * other.w - x * other.x - y * other.y - z * other.z)
  }

  /// Of length one; unchanged when that is impossible.
  var normalized: CMQuaternion {
    let length = squaredLength.squareRoot()
    guard length > 0, length.isFinite else { return self }
    return CMQuaternion(x: x / length, y: y / length, z: z / length, w: w / length)
  }

  // S13, S19.
  private var angles: YawPitchRoll { YawPitchRoll(w: w, x: x, y: y, z: z) }
  var pitch: Double { angles.pitch }
  var roll: Double { angles.roll }
  var yaw: Double { angles.yaw }

  // S12: the transpose of R(q).
  var rotationMatrix: CMRotationMatrix {
    CMRotationMatrix(
      m11: 1 - 2 * (y * y + z * z), m12: 2 * (x * y + w * z), m13: 2 * (x * z - w * y),
      m21: 2 * (x * y - w * z), m22: 1 - 2 * (x * x + z * z), m23: 2 * (y * z + w * x),
      m31: 2 * (x * z + w * y), m32: 2 * (y * z - w * x), m33: 1 - 2 * (x * x + y * y))
  }

  /// The heading (D1), degrees clockwise from the north of the frame, in [0, 360).
  package func headingDegrees(gravity: CMAcceleration) -> Double {
    MotionRow.heading(
      w: w, vector: Vector3(x: x, y: y, z: z), gravity: Vector3(x: gravity.x, y: gravity.y, z: gravity.z)
    ).bearingDegrees
  }
}
