// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The numbers of a ``CMDeviceMotion``, in Core Motion's units and signs, before an object is made of them.
struct DeviceMotionValue: Sendable {
  /// Seconds.
  var timestamp: TimeInterval = 0
  /// Device → reference frame.
  var attitude = CMQuaternion(x: 0, y: 0, z: 0, w: 1)
  var rotationRate = CMRotationRate()
  var gravity = CMAcceleration()
  var userAcceleration = CMAcceleration()
  var magneticField = CMCalibratedMagneticField(field: CMMagneticField(), accuracy: .uncalibrated)
  /// Negative = none.
  var headingDegrees: Double = -1
  /// Negative = the heading is not valid.
  var headingAccuracyDegrees: Double = -1
  var sensorLocation = CMDeviceMotion.SensorLocation.default
}

extension DeviceMotionValue {
  /// What a sample says of itself, overridden properties included.
  init(_ motion: CMDeviceMotion) {
    timestamp = motion.timestamp
    attitude = motion.attitude.quaternion
    rotationRate = motion.rotationRate
    gravity = motion.gravity
    userAcceleration = motion.userAcceleration
    magneticField = motion.magneticField
    headingDegrees = motion.heading
    headingAccuracyDegrees = motion.headingAccuracy
    sensorLocation = motion.sensorLocation
  }
}

/// The numbers of a sample of one vector, before an object is made of them.
struct VectorValue: Sendable {
  /// Seconds.
  var timestamp: TimeInterval
  var x: Double
  var y: Double
  var z: Double
}
