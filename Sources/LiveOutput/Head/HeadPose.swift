// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Where a head points: an attitude that is finite and of length one, by its type.
///
/// Signs are those of Core Motion's headphones: turn left → yaw +, nod down → pitch −, tilt to the left shoulder → roll
/// −. Axes of the head: +x to the right ear, +y to the nose, +z up.
struct HeadPose: Hashable, Sendable {
  /// Head → a level frame whose +y was straight ahead when the pose was last recentred.
  var attitude: Rotation<Device, NorthWestUp>

  init(_ attitude: Rotation<Device, NorthWestUp>) { self.attitude = attitude }

  /// About the vertical, then about the ears, then about the nose; rad. Angles that are not finite count as 0.
  init(yaw: Double, pitch: Double, roll: Double) {
    func turn(_ angle: Double, _ axis: Vector3<NorthWestUp>) -> Rotation<NorthWestUp, NorthWestUp> {
      Rotation(rotationVector: axis * (angle.isFinite ? angle : 0))
    }
    let turned =
      turn(yaw, .init(x: 0, y: 0, z: 1)) * turn(pitch, .init(x: 1, y: 0, z: 0)) * turn(roll, .init(x: 0, y: 1, z: 0))
    attitude = turned.relabeled(from: Device.self, to: NorthWestUp.self)
  }

  // S13, as ``CMAttitude``.

  private var angles: YawPitchRoll { YawPitchRoll(w: attitude.w, x: attitude.x, y: attitude.y, z: attitude.z) }
  /// Rad, −π…π, turned to the left +.
  var yaw: Double { angles.yaw }
  /// Rad, −π/2…π/2, nose up +.
  var pitch: Double { angles.pitch }
  /// Rad, −π…π, tilted to the right shoulder +.
  var roll: Double { angles.roll }

  /// The same attitude in the frame of ambisonics, +x to the nose, +y to the left ear, +z up: (x, y, z, w) → (y, −x, z,
  /// w).
  var ambisonic: (w: Double, x: Double, y: Double, z: Double) {
    (attitude.w, attitude.y, -attitude.x, attitude.z)
  }
}

/// One of the three angles of a head.
enum HeadAngle: String, CaseIterable, Sendable {
  case yaw, pitch, roll

  func value(of pose: HeadPose) -> Double {
    switch self {
    case .yaw: pose.yaw
    case .pitch: pose.pitch
    case .roll: pose.roll
    }
  }
}
