// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The numbers of a ``CMDeviceMotion``, in Core Motion's units and signs, without the object: what the manager's translator makes of
/// an event, and what tools use that write millions of rows.
@_spi(MotionTools)
public struct DeviceMotionValue: Sendable {
  /// Seconds on the source's clock.
  public var timestamp: TimeInterval = 0
  /// Device → reference frame, scalar last.
  public var attitude = CMQuaternion(x: 0, y: 0, z: 0, w: 1)
  /// rad/s, device axes, the gyroscope's bias removed.
  public var rotationRate = CMRotationRate()
  /// g, device axes; face up (0, 0, −1).
  public var gravity = CMAcceleration()
  /// g, device axes.
  public var userAcceleration = CMAcceleration()
  /// µT, device axes; zero while its accuracy is `.uncalibrated`.
  public var magneticField = CMCalibratedMagneticField(field: CMMagneticField(), accuracy: .uncalibrated)
  /// Degrees, 0…360 clockwise from the frame's north; negative = none.
  public var heading: Double = -1
  /// Degrees; negative = the heading is not valid.
  public var headingAccuracy: Double = -1
  /// Where the sensor sits.
  public var sensorLocation = CMDeviceMotion.SensorLocation.default
  /// The frame that `attitude` leads to; motion that a recording had fused itself keeps its own. Nil = not known.
  public var frame: CMAttitudeReferenceFrame?

  /// Rad, −π…π, as ``CMAttitude/roll``.
  public var roll: Double { attitude.roll }
  /// Rad, −π/2…π/2, as ``CMAttitude/pitch``.
  public var pitch: Double { attitude.pitch }
  /// Rad, −π…π, as ``CMAttitude/yaw``.
  public var yaw: Double { attitude.yaw }
}

extension DeviceMotionValue {
  /// What a sample says of itself, overridden properties included. `frame` is what its manager was started with, nil where the
  /// sample does not follow it.
  public init(_ motion: CMDeviceMotion, frame: CMAttitudeReferenceFrame? = nil) {
    self.init(
      timestamp: motion.timestamp, attitude: motion.attitude.quaternion, rotationRate: motion.rotationRate,
      gravity: motion.gravity, userAcceleration: motion.userAcceleration, magneticField: motion.magneticField,
      heading: motion.heading, headingAccuracy: motion.headingAccuracy, sensorLocation: motion.sensorLocation,
      frame: frame)
  }
}
