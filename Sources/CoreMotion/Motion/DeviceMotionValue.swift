// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The numbers of a ``CMDeviceMotion``, in Core Motion's units and signs, before an object is made of them.
struct DeviceMotionValue: Sendable {
  /// Seconds on the source's clock.
  var timestamp: TimeInterval = 0
  /// Device → reference frame, scalar last.
  var attitude = CMQuaternion(x: 0, y: 0, z: 0, w: 1)
  /// rad/s, device axes, the gyroscope's bias removed.
  var rotationRate = CMRotationRate()
  /// g, device axes; face up (0, 0, −1).
  var gravity = CMAcceleration()
  /// g, device axes.
  var userAcceleration = CMAcceleration()
  /// µT, device axes; zero while its accuracy is `.uncalibrated`.
  var magneticField = CMCalibratedMagneticField(field: CMMagneticField(), accuracy: .uncalibrated)
  /// Degrees, 0…360 clockwise from the frame's north; negative = none.
  var heading: Double = -1
  /// Degrees; negative = the heading is not valid.
  var headingAccuracy: Double = -1
  /// Degrees, one standard deviation; negative = not known.
  var inclinationDeviation: Double = -1
  /// Degrees, one standard deviation; negative = not known.
  var headingDeviation: Double = -1
  /// Where the sensor sits.
  var sensorLocation = CMDeviceMotion.SensorLocation.default
}

extension DeviceMotionValue {
  /// What a sample says of itself, overridden properties included.
  init(_ motion: CMDeviceMotion) {
    self.init(
      timestamp: motion.timestamp, attitude: motion.attitude.quaternion, rotationRate: motion.rotationRate,
      gravity: motion.gravity, userAcceleration: motion.userAcceleration, magneticField: motion.magneticField,
      heading: motion.heading, headingAccuracy: motion.headingAccuracy,
      inclinationDeviation: motion.inclinationDeviation, headingDeviation: motion.headingDeviation,
      sensorLocation: motion.sensorLocation)
  }
}
