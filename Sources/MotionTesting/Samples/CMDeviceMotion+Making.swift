// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation

extension CMDeviceMotion {
  /// A sample made by hand, consistent with itself unless you say otherwise.
  ///
  /// ```swift
  /// let upright = CMDeviceMotion(attitude: CMAttitude(rollDegrees: 0, pitchDegrees: 90, yawDegrees: 0))
  /// upright.gravity.y   // -1
  /// ```
  ///
  /// - Parameters:
  ///   - attitude: copied; default: the axes coincide with the frame's.
  ///   - rotationRate: rad/s, device axes. Default zero.
  ///   - gravity: g, device axes; nil = follows from the attitude (S14): the reference frame's −z seen from the device.
  ///   - userAcceleration: g, device axes. Default zero.
  ///   - magneticField: µT, device axes. Default: uncalibrated and zero.
  ///   - heading: degrees clockwise from north; nil = follows from the attitude (D1) in a north frame, −1 in the others.
  ///   - headingAccuracy: degrees; negative, the default = the heading is not valid.
  ///   - referenceFrame: what the attitude is relative to; only the heading depends on it. Default: an arbitrary azimuth.
  ///   - sensorLocation: the side that spoke, of headphones.
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
