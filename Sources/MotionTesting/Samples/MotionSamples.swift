// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation
import MotionMath

extension CMDeviceMotion {
  /// A sample with given values, self-consistent by default.
  ///
  /// ```swift
  /// let upright = CMDeviceMotion(attitude: CMAttitude(rollDegrees: 0, pitchDegrees: 90, yawDegrees: 0))
  /// upright.gravity.y   // -1
  /// ```
  ///
  /// - Parameters:
  ///   - attitude: copied; default: the axes coincide with the frame's.
  ///   - rotationRate: rad/s, device axes. Default zero.
  ///   - gravity: g, device axes; nil = derived from the attitude (S14): the reference frame's −z in device axes.
  ///   - userAcceleration: g, device axes. Default zero.
  ///   - magneticField: µT, device axes. Default: uncalibrated and zero.
  ///   - heading: degrees clockwise from north; nil = derived from the attitude (D1) in a north frame, −1 in the
  ///     others.
  ///   - headingAccuracy: degrees; negative, the default = the heading is not valid.
  ///   - referenceFrame: what the attitude is relative to; only the heading depends on it. Default: an arbitrary azimuth.
  ///   - sensorLocation: the side, for headphones.
  ///   - timestamp: seconds since boot. Default 0.
  public convenience init(
    attitude: CMAttitude, rotationRate: CMRotationRate = CMRotationRate(), gravity: CMAcceleration? = nil,
    userAcceleration: CMAcceleration = CMAcceleration(),
    magneticField: CMCalibratedMagneticField = CMCalibratedMagneticField(
      field: CMMagneticField(), accuracy: .uncalibrated),
    heading: Double? = nil, headingAccuracy: Double = -1,
    referenceFrame: CMAttitudeReferenceFrame = .xArbitraryZVertical,
    sensorLocation: SensorLocation = .default, timestamp: TimeInterval = 0
  ) {
    let matrix = attitude.rotationMatrix
    let gravity = gravity ?? CMAcceleration(x: -matrix.m13, y: -matrix.m23, z: -matrix.m33)
    let pointsNorth = referenceFrame == .xMagneticNorthZVertical || referenceFrame == .xTrueNorthZVertical
    let derived = pointsNorth ? attitude.quaternion.headingDegrees(gravity: gravity) : -1
    self.init(
      timestamp: timestamp, attitude: attitude, rotationRate: rotationRate, gravity: gravity,
      userAcceleration: userAcceleration, magneticField: magneticField, heading: heading ?? derived,
      headingAccuracy: headingAccuracy, sensorLocation: sensorLocation)
  }
}

/// Attitudes with given values. Apple's framework has no initialisers for them, so this kit adds them.
extension CMAttitude {
  /// From the three angles of S13 in radians: R(q) = Rz(yaw) · Rx(pitch) · Ry(roll). All 0 = the axes coincide with the
  /// frame's.
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

  /// From a quaternion, device → reference frame (S11), normalised. Nil when it is zero or not finite.
  public convenience init?(quaternion: CMQuaternion) {
    guard
      let turn = Rotation<Device, Device>(w: quaternion.w, x: quaternion.x, y: quaternion.y, z: quaternion.z)
    else { return nil }
    self.init(CMQuaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w))
  }

  /// From a rotation matrix, reference → device (S12). Nil when it is not a rotation within 10⁻⁶.
  public convenience init?(rotationMatrix m: CMRotationMatrix) {
    let matrix = Matrix3(m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33)
    guard let turn = Rotation<Device, Device>(matrix: matrix.transpose) else { return nil }
    self.init(CMQuaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w))
  }

  /// The angle between the two attitudes in degrees, 0…180, for comparison with a bound.
  public func degrees(to other: CMAttitude) -> Double {
    let (p, q) = (quaternion, other.quaternion)
    guard let a = Rotation<Device, Device>(w: p.w, x: p.x, y: p.y, z: p.z),
      let b = Rotation<Device, Device>(w: q.w, x: q.x, y: q.y, z: q.z)
    else { return .nan }
    return Angle(radians: a.angle(to: b)).degrees
  }
}

extension CMAccelerometerData {
  /// A sample with given values: g, device axes, including gravity. At rest, face up: (0, 0, −1).
  public convenience init(acceleration: CMAcceleration, timestamp: TimeInterval = 0) {
    self.init(timestamp: timestamp, vector: acceleration.vector)
  }
}

extension CMGyroData {
  /// A sample with given values: rad/s, device axes, right-handed.
  public convenience init(rotationRate: CMRotationRate, timestamp: TimeInterval = 0) {
    self.init(timestamp: timestamp, vector: rotationRate.vector)
  }
}

extension CMMagnetometerData {
  /// A sample with given values: µT, device axes.
  public convenience init(magneticField: CMMagneticField, timestamp: TimeInterval = 0) {
    self.init(timestamp: timestamp, vector: magneticField.vector)
  }
}
