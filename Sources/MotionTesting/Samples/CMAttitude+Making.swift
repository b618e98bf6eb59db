// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
import Foundation
import MotionMath

/// Attitudes made by hand. Apple's framework has no initialisers for them, which is why this kit has.
extension CMAttitude {
  /// From the three angles of S13 in radians: R(q) = Rz(yaw) · Rx(pitch) · Ry(roll). All 0 = the axes coincide with the frame's.
  public convenience init(roll: Double, pitch: Double, yaw: Double) {
    let turn =
      Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 0, y: 0, z: yaw))
      * Rotation<Device, Device>(rotationVector: Vector3<Device>(x: pitch, y: 0, z: 0))
      * Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 0, y: roll, z: 0))
    self.init(CMQuaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w))
  }

  /// The same in degrees.
  public convenience init(rollDegrees: Double, pitchDegrees: Double, yawDegrees: Double) {
    self.init(
      roll: Angle(degrees: rollDegrees).radians, pitch: Angle(degrees: pitchDegrees).radians,
      yaw: Angle(degrees: yawDegrees).radians)
  }

  /// From a quaternion, device → reference frame (S11), brought to length one. Nil when it is zero or not finite.
  public convenience init?(quaternion: CMQuaternion) {
    guard
      let turn = Rotation<Device, Device>(w: quaternion.w, x: quaternion.x, y: quaternion.y, z: quaternion.z)
    else { return nil }
    self.init(CMQuaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w))
  }

  /// From a rotation matrix, reference → device (S12). Nil when it is no rotation to 10⁻⁶.
  public convenience init?(rotationMatrix m: CMRotationMatrix) {
    let matrix = Matrix3(m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33)
    guard let turn = Rotation<Device, Device>(matrix: matrix.transpose) else { return nil }
    self.init(CMQuaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w))
  }

  /// Degrees of the smallest turn between the two attitudes, 0…180: what a test compares with a bound.
  public func degrees(to other: CMAttitude) -> Double {
    let (p, q) = (quaternion, other.quaternion)
    guard let a = Rotation<Device, Device>(w: p.w, x: p.x, y: p.y, z: p.z),
      let b = Rotation<Device, Device>(w: q.w, x: q.x, y: q.y, z: q.z)
    else { return .nan }
    return Angle(radians: a.angle(to: b)).degrees
  }
}
