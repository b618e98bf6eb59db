// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation

/// Where the reference frame of an attitude points. All have +z up.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public enum AttitudeReference: Hashable, Sendable, CaseIterable {
  /// +x horizontal, as the device lay when the stream began: yaw begins at 0 and drifts slowly.
  case xArbitrary
  /// The same, its drift held by the magnetometer.
  case xArbitraryCorrected
  /// +x to magnetic north, +y west. Needs a magnetometer.
  case xMagneticNorth
  /// +x to true north, +y west. Needs a magnetometer and the location.
  case xTrueNorth
}

/// One moment of motion: attitude, rotation, gravity, and the acceleration that the user gives to the device.
///
/// The numbers have Core Motion's units and signs. A device at rest, face up, reads a gravity of (0, 0, −1) g and a user
/// acceleration of 0; pushed to the right, its user acceleration is positive along x.
///
/// Each property has a default in `init`, so a test or a preview builds the sample that it needs:
///
/// ```swift
/// let upright = DeviceMotion(attitude: Attitude(pitch: .pi / 2))
/// ```
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct DeviceMotion: Hashable, Sendable {
  /// Seconds since the system was started, monotonic. Replayed recordings have their own origin.
  public var timestamp: TimeInterval
  /// How the device is turned against the reference frame of the stream.
  public var attitude: Attitude
  /// Rad/s, right-handed about the axes of the device, without the gyroscope's bias.
  public var rotationRate: Vector<DeviceFrame>
  /// g, of length 1, towards the ground: (0, 0, −1) face up.
  public var gravity: Vector<DeviceFrame>
  /// g, without gravity; 0 at rest.
  public var userAcceleration: Vector<DeviceFrame>
  /// Microtesla, the earth's field without that of the device; nil while uncalibrated, and for headphones.
  public var magneticField: Vector<DeviceFrame>?
  /// How well `magneticField` is calibrated; `.uncalibrated` where it is nil.
  public var magneticFieldAccuracy: CMMagneticFieldCalibrationAccuracy
  /// Degrees clockwise from the north of the frame, 0 ≤ heading < 360; nil in frames without a north.
  public var heading: Double?
  /// `.default` for the device itself; for headphones, which bud measured.
  public var sensorLocation: CMDeviceMotion.SensorLocation

  /// A sample from its values. `gravity` nil: as it follows from the attitude.
  public init(
    timestamp: TimeInterval = 0, attitude: Attitude = .identity, rotationRate: Vector<DeviceFrame> = .zero,
    gravity: Vector<DeviceFrame>? = nil, userAcceleration: Vector<DeviceFrame> = .zero,
    magneticField: Vector<DeviceFrame>? = nil,
    magneticFieldAccuracy: CMMagneticFieldCalibrationAccuracy = .uncalibrated, heading: Double? = nil,
    sensorLocation: CMDeviceMotion.SensorLocation = .default
  ) {
    self.timestamp = timestamp
    self.attitude = attitude
    self.rotationRate = rotationRate
    self.gravity = gravity ?? attitude.inDeviceFrame(Vector(z: -1))
    self.userAcceleration = userAcceleration
    self.magneticField = magneticField
    self.magneticFieldAccuracy = magneticFieldAccuracy
    self.heading = heading
    self.sensorLocation = sensorLocation
  }

  /// What the accelerometer measures: gravity and user acceleration together, g.
  public var acceleration: Vector<DeviceFrame> { gravity + userAcceleration }
  /// The user acceleration along the axes of the reference frame, g: z is upward.
  public var userAccelerationInReferenceFrame: Vector<ReferenceFrame> { attitude.inReferenceFrame(userAcceleration) }
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension DeviceMotion {
  /// The numbers of Core Motion's object.
  init(_ motion: CMDeviceMotion) {
    timestamp = motion.timestamp
    attitude = Attitude(unit: motion.attitude.quaternion)
    rotationRate = Vector(motion.rotationRate)
    gravity = Vector(motion.gravity)
    userAcceleration = Vector(motion.userAcceleration)
    let magnetic = motion.magneticField
    magneticField = magnetic.accuracy == .uncalibrated ? nil : Vector(magnetic.field)
    magneticFieldAccuracy = magnetic.accuracy
    #if os(visionOS)
    heading = nil
    #else
    let degrees = motion.heading
    heading = degrees < 0 ? nil : degrees
    #endif
    sensorLocation = motion.sensorLocation
  }
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension Vector where Frame == DeviceFrame {
  init(_ acceleration: CMAcceleration) { self.init(x: acceleration.x, y: acceleration.y, z: acceleration.z) }
  init(_ rate: CMRotationRate) { self.init(x: rate.x, y: rate.y, z: rate.z) }
  init(_ field: CMMagneticField) { self.init(x: field.x, y: field.y, z: field.z) }
}
