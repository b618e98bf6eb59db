// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The angles of a device's attitude, rad: R(q) = Rz(yaw) · Rx(pitch) · Ry(roll).
///
/// Yaw and roll come from half their sum and half their difference (Bernardes, Viollet: PLoS ONE 17 (2022) e0276302):
/// each is one arctangent of the quaternion. At pitch ±90° one of the two is degenerate and stands for 0, and the other
/// is exact, so the angles rebuild the attitude at every pose. An arcsine would lose half of the digits there.
public struct YawPitchRoll: Sendable, Hashable, BitwiseCopyable {
  /// About z, −π…π.
  public let yaw: Double
  /// About x, −π/2…π/2.
  public let pitch: Double
  /// About y, −π…π.
  public let roll: Double

  /// The angles of a quaternion of length one; its sign does not matter.
  public init(w: Double, x: Double, y: Double, z: Double) {
    let (sum, difference) = (Scalar.atan2(y + z, w + x), Scalar.atan2(z - y, w - x))
    // √2 sin and √2 cos of half the angle from the lower pole.
    let upper = ((w + x) * (w + x) + (y + z) * (y + z)).squareRoot()
    let lower = ((w - x) * (w - x) + (z - y) * (z - y)).squareRoot()
    yaw = Self.principal(sum + difference)
    roll = Self.principal(sum - difference)
    pitch = 2 * Scalar.atan2(upper, lower) - .pi / 2
  }

  private static func principal(_ angle: Double) -> Double {
    angle > .pi ? angle - 2 * .pi : angle < -.pi ? angle + 2 * .pi : angle
  }
}
