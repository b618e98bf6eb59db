// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Where a head points: its frame → a level one whose +y was straight ahead when it was last recentred.
///
/// Signs are those of Core Motion's headphones: turn left → yaw +, nod down → pitch −, tilt to the left shoulder → roll
/// −. Axes of the head: +x to the right ear, +y to the nose, +z up. Angles in rad, as ``CMAttitude`` has them (S13).
typealias HeadPose = Rotation<Device, NorthWestUp>

extension HeadPose {
  private var angles: YawPitchRoll { YawPitchRoll(w: w, x: x, y: y, z: z) }
  var yaw: Double { angles.yaw }
  var pitch: Double { angles.pitch }
  var roll: Double { angles.roll }
}

/// From the motion of headphones to the pose that goes out: straight ahead is taken off.
///
/// A pose q becomes Rz(−ψ) · q · r⁻¹ · Rz(ψ) with the reference r and its azimuth ψ: the rotation since the reference,
/// seen from a level frame that faces where the head faced then. So a turn of the head is yaw alone, also where the
/// headphones sit askew and their rest pose is not level (as with most people); r⁻¹ · q, which is what
/// `CMAttitude.multiply(byInverseOf:)` gives, would carry it into pitch and roll.
struct HeadFollower: Sendable {
  private var reference: HeadPose?
  private var wantsReference = true
  private var isWorn = true
  /// The latest pose; held while no samples come.
  private(set) var pose: HeadPose?
  /// How often straight ahead was set.
  private(set) var recentrings = 0

  /// The next sample counts as straight ahead.
  mutating func recentre() { wantsReference = true }

  /// The headphones are put on, or taken off: a head that wears nothing is not followed.
  mutating func note(isConnected: Bool) {
    if isConnected { recentre() }
    isWorn = isConnected
  }

  /// The pose of a sample; nil without a usable attitude, and while they are not worn.
  mutating func update(_ motion: MotionRow) -> HeadPose? {
    let square = motion.w * motion.w + motion.vector.dot(motion.vector)
    guard isWorn, abs(square - 1) < 0.05,
      let attitude = HeadPose(w: motion.w, x: motion.vector.x, y: motion.vector.y, z: motion.vector.z)
    else { return nil }
    if wantsReference {
      (reference, wantsReference) = (attitude, false)
      recentrings += 1
    }
    let facing = Rotation<NorthWestUp, NorthWestUp>(aboutZ: reference?.yaw ?? 0)
    let turned = facing.inverse * (attitude * (reference ?? attitude).inverse) * facing
    pose = turned.relabeled(from: Device.self, to: NorthWestUp.self)
    return pose
  }
}
