// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// One reading of a magnetometer: `sensor_msgs/MagneticField`.
struct ROS2MagneticField: Hashable, Sendable {
  /// Time and frame.
  var header: ROS2Header
  /// Tesla.
  var magneticField: Vector3<Device>
  /// Tesla².
  var covariance = ROS2Covariance.unknown
}

extension ROS2MagneticField {
  /// The reading, unless it is marked or written as missing.
  var samples: [SensorSample] {
    guard covariance.isMeasured, magneticField.isMeasurement else { return [] }
    return [.magnetometer(MagnetometerSample(time: header.stamp.instant, magneticField: magneticField))]
  }

  mutating func code(_ coder: inout some CDRCoder) throws(SensorError) {
    try header.code(&coder)
    try magneticField.code(&coder)
    try covariance.code(&coder)
  }
}

/// One number with its variance: the layout that `sensor_msgs/FluidPressure` and `sensor_msgs/Temperature` share.
struct ROS2Scalar: Hashable, Sendable {
  /// Time and frame.
  var header: ROS2Header
  /// Pascal, absolute; or °C.
  var value: Double
  /// The square of the unit; 0 = not known.
  var variance = 0.0
}

extension ROS2Scalar {
  /// Nil when the number is none.
  var measurement: Double? { abs(value) <= InputLimits.magnitude ? value : nil }

  mutating func code(_ coder: inout some CDRCoder) throws(SensorError) {
    try header.code(&coder)
    try coder.code(&value)
    try coder.code(&variance)
  }
}

/// Orientation, rotation rate and acceleration of one inertial unit: `sensor_msgs/Imu`.
///
/// The orientation leads from the unit to east-north-up (REP 145). `linear_acceleration` contains gravity in spite of its
/// name: a unit at rest, face up, reads (0, 0, +9.81).
struct ROS2Imu: Hashable, Sendable {
  /// Time and frame.
  var header: ROS2Header
  /// The orientation's quaternion w as it stands there; see ``attitude``.
  var w: Double
  /// The orientation's quaternion x, y, z as it stands there.
  var vector: Vector3<Device>
  /// Of a small rotation about the three axes, rad².
  var orientationCovariance: ROS2Covariance
  /// rad/s, right-handed.
  var angularVelocity: Vector3<Device>
  /// rad²/s².
  var angularVelocityCovariance: ROS2Covariance
  /// m/s², gravity included, +9.81 up at rest.
  var specificForce: Vector3<Device>
  /// m²/s⁴.
  var specificForceCovariance: ROS2Covariance

  /// A message; nil = not measured, which the covariance says then. Covariances are unknown.
  init(
    header: ROS2Header, attitude: Rotation<Device, EastNorthUp>?, angularVelocity: Vector3<Device>?,
    specificForce: Vector3<Device>?
  ) {
    self.header = header
    let turn = attitude ?? .identity
    w = turn.w
    vector = Vector3(x: turn.x, y: turn.y, z: turn.z)
    orientationCovariance = attitude == nil ? .notMeasured : .unknown
    self.angularVelocity = angularVelocity ?? .zero
    angularVelocityCovariance = angularVelocity == nil ? .notMeasured : .unknown
    self.specificForce = specificForce ?? .zero
    specificForceCovariance = specificForce == nil ? .notMeasured : .unknown
  }

  /// The orientation as a rotation; nil when it is not measured or the numbers miss unit length by more than 1 %.
  var attitude: Rotation<Device, EastNorthUp>? {
    guard orientationCovariance.isMeasured, abs(w * w + vector.dot(vector) - 1) <= 0.02 else { return nil }
    return Rotation(w: w, x: vector.x, y: vector.y, z: vector.z)
  }

  /// What the sensors measured, without what is missing: −1 in the covariance, or a number that is none.
  var samples: [SensorSample] {
    let time = header.stamp.instant
    let hasRate = angularVelocityCovariance.isMeasured && angularVelocity.isMeasurement
    let hasForce = specificForceCovariance.isMeasured && specificForce.isMeasurement
    return switch (hasRate, hasForce) {
    case (true, true):
      [.inertial(InertialSample(time: time, angularVelocity: angularVelocity, specificForce: specificForce))]
    case (true, false): [.gyroscope(GyroscopeSample(time: time, angularVelocity: angularVelocity))]
    case (false, true): [.accelerometer(AccelerometerSample(time: time, specificForce: specificForce))]
    case (false, false): []
    }
  }

  /// The motion that the sender has fused itself; nil when one of its three parts is missing.
  ///
  /// - Parameter reference: what the sender's "north" is; the message does not say. Default: arbitrary.
  func fusedMotion(reference: FusedMotionSample.Reference = .xArbitrary) -> FusedMotionSample? {
    guard let attitude, angularVelocityCovariance.isMeasured, angularVelocity.isMeasurement,
      specificForceCovariance.isMeasured, specificForce.isMeasurement
    else { return nil }
    let gravity = attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: standardGravity)
    let turned = ROS2Frames.northWestUp * attitude
    return FusedMotionSample(
      time: header.stamp.instant, w: turned.w, vector: Vector3(x: turned.x, y: turned.y, z: turned.z),
      reference: reference, angularVelocity: angularVelocity, gravity: gravity,
      linearAcceleration: specificForce - gravity, accelerationUnit: .metresPerSecondSquared)
  }

  mutating func code(_ coder: inout some CDRCoder) throws(SensorError) {
    try header.code(&coder)
    try vector.code(&coder)
    try coder.code(&w)
    try orientationCovariance.code(&coder)
    try angularVelocity.code(&coder)
    try angularVelocityCovariance.code(&coder)
    try specificForce.code(&coder)
    try specificForceCovariance.code(&coder)
  }
}

/// The quarter turn between Core Motion's frame (x north, y west) and that of ROS (x east, y north; REP 103).
enum ROS2Frames {
  static var eastNorthUp: Rotation<NorthWestUp, EastNorthUp> { Rotation(aboutZ: .pi / 2) }
  static var northWestUp: Rotation<EastNorthUp, NorthWestUp> { Rotation(aboutZ: -.pi / 2) }
}
