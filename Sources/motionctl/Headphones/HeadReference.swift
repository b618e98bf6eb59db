// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What counts as straight ahead.
///
/// A pose q becomes Rz(−ψ) · q · r⁻¹ · Rz(ψ) with the reference r and its azimuth ψ: the rotation since the reference, seen from a
/// level frame that faces where the head faced then. So a turn of the head is yaw alone, also where the headphones sit askew and
/// their rest pose is not level (as with most people); r⁻¹ · q, which is what `CMAttitude.multiply(byInverseOf:)` gives, would
/// carry it into pitch and roll.
///
/// Only yaw drifts, as gravity holds the other two. So the slow recentring turns the reference about the vertical and does
/// nothing else.
struct HeadReference: Sendable {
  private(set) var attitude: Rotation<Device, NorthWestUp>?
  /// How often straight ahead was set.
  private(set) var count = 0

  mutating func set(_ attitude: Rotation<Device, NorthWestUp>) {
    self.attitude = attitude
    count += 1
  }

  /// The pose relative to the reference; as it is before there is one.
  func relative(_ attitude: Rotation<Device, NorthWestUp>) -> HeadPose {
    guard let reference = self.attitude else { return HeadPose(attitude) }
    let facing = Rotation<NorthWestUp, NorthWestUp>(aboutZ: HeadPose(reference).yaw)
    let turned = facing.inverse * (attitude * reference.inverse) * facing
    return HeadPose(turned.relabeled(from: Device.self, to: NorthWestUp.self))
  }

  /// Lets the reference follow the head's azimuth: 63 % of the way in `timeConstant` seconds.
  mutating func follow(_ attitude: Rotation<Device, NorthWestUp>, elapsed: Double, timeConstant: Double) {
    guard let reference = self.attitude, elapsed > 0, timeConstant > 0 else { return }
    let share = 1 - Scalar.exp(-min(elapsed, 1) / timeConstant)
    self.attitude = Rotation<NorthWestUp, NorthWestUp>(aboutZ: relative(attitude).yaw * share) * reference
  }
}
