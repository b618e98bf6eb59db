// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// How the device is turned against its reference frame: a unit quaternion with Core Motion's conventions.
///
/// ```swift
/// let degrees = motion.attitude.roll * 180 / .pi
/// let down = motion.attitude.inDeviceFrame(Vector<ReferenceFrame>(z: -1))   // = motion.gravity
/// ```
///
/// * The quaternion turns device vectors into the reference frame: v_ref = q v_dev q* (S11). Core Motion's
///   `rotationMatrix` is the transpose: it turns reference vectors into device axes (S12); ``inDeviceFrame(_:)`` does
///   what it does.
/// * The angles build the rotation as yaw about z, then pitch about x, then roll about y (S13). All are 0 when the axes
///   coincide. At pitch ±π/2 roll and yaw are finite and mean nothing by themselves.
///
/// An attitude is a value: unlike a `CMAttitude` it never changes under another reader, and ``relative(to:)`` returns
/// the result instead of changing the receiver.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct Attitude: Hashable, Sendable {
  /// The first component of the vector part.
  public let x: Double
  /// The second component of the vector part.
  public let y: Double
  /// The third component of the vector part.
  public let z: Double
  /// The scalar part, cos(angle / 2).
  public let w: Double

  /// The axes of the device coincide with those of the frame.
  public static let identity = Attitude(unit: CMQuaternion(x: 0, y: 0, z: 0, w: 1))

  /// The digits as Core Motion gives them, which are of length one.
  init(unit q: CMQuaternion) { (x, y, z, w) = (q.x, q.y, q.z, q.w) }

  /// From a quaternion, device → reference, scalar last, scaled to length one. Nil when it is zero or not finite.
  public init?(x: Double, y: Double, z: Double, w: Double) {
    let length = (x * x + y * y + z * z + w * w).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    self.init(unit: CMQuaternion(x: x / length, y: y / length, z: z / length, w: w / length))
  }

  /// From the three angles in radians, yaw about z, then pitch about x, then roll about y. Default 0 each.
  public init(roll: Double = 0, pitch: Double = 0, yaw: Double = 0) {
    let (cosRoll, sinRoll) = (cos(roll / 2), sin(roll / 2))
    let (cosPitch, sinPitch) = (cos(pitch / 2), sin(pitch / 2))
    let (cosYaw, sinYaw) = (cos(yaw / 2), sin(yaw / 2))
    self.init(
      unit: CMQuaternion(
        x: cosYaw * sinPitch * cosRoll - sinYaw * cosPitch * sinRoll,
        y: cosYaw * cosPitch * sinRoll + sinYaw * sinPitch * cosRoll,
        z: cosYaw * sinPitch * sinRoll + sinYaw * cosPitch * cosRoll,
        w: cosYaw * cosPitch * cosRoll - sinYaw * sinPitch * sinRoll))
  }

  /// Rad, −π…π, about the device's y axis: positive when the right edge goes down.
  public var roll: Double { atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)) }
  /// Rad, −π/2…π/2, about the device's x axis: positive when the top edge goes up.
  public var pitch: Double { asin(max(-1, min(1, 2 * (w * x + y * z)))) }
  /// Rad, −π…π, about the vertical: positive counterclockwise seen from above.
  public var yaw: Double { atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)) }

  /// A vector of the device, seen in the reference frame: q v q* (S11). The unit stays.
  public func inReferenceFrame(_ v: Vector<DeviceFrame>) -> Vector<ReferenceFrame> {
    let turned = turn(v.x, v.y, v.z, by: 1)
    return Vector(x: turned.x, y: turned.y, z: turned.z)
  }

  /// A vector of the reference frame, seen in device axes: q* v q, as Core Motion's matrix does (S12). The unit stays.
  public func inDeviceFrame(_ v: Vector<ReferenceFrame>) -> Vector<DeviceFrame> {
    let turned = turn(v.x, v.y, v.z, by: -1)
    return Vector(x: turned.x, y: turned.y, z: turned.z)
  }

  /// The turn from `start` to this attitude: start⁻¹ · self, as `multiply(byInverseOf:)` computes it (S18). Its
  /// reference frame is the device as it was held at `start`; equal attitudes give the identity.
  public func relative(to start: Attitude) -> Attitude {
    let (a, b) = (start, self)
    return Attitude(
      x: a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
      y: a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x,
      z: a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w,
      w: a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z) ?? .identity
  }

  /// v + 2 w (u × v) + 2 u × (u × v), with `sign` times the vector part u.
  private func turn(
    _ vx: Double, _ vy: Double, _ vz: Double, by sign: Double
  ) -> (x: Double, y: Double, z: Double) {
    let (ux, uy, uz) = (sign * x, sign * y, sign * z)
    let (tx, ty, tz) = (2 * (uy * vz - uz * vy), 2 * (uz * vx - ux * vz), 2 * (ux * vy - uy * vx))
    return (
      vx + w * tx + uy * tz - uz * ty,
      vy + w * ty + uz * tx - ux * tz,
      vz + w * tz + ux * ty - uy * tx
    )
  }
}
