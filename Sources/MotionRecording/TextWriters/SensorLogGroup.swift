// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The groups of columns that ``SensorLogWriter`` writes, in the order of the app's own files.
enum SensorLogGroup: CaseIterable {
  case accelerometer, gyroscope, magnetometer, motion, altimeter

  var kind: SensorKinds {
    switch self {
    case .accelerometer: .accelerometer
    case .gyroscope: .gyroscope
    case .magnetometer: .magnetometer
    case .motion: .fusedMotion
    case .altimeter: .airPressure
    }
  }

  var header: StaticString {
    switch self {
    case .accelerometer:
      "accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G)"
    case .gyroscope: "gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s)"
    case .magnetometer:
      "magnetometerTimestamp_sinceReboot(s),magnetometerX(\u{B5}T),magnetometerY(\u{B5}T),magnetometerZ(\u{B5}T)"
    case .motion:
      "motionTimestamp_sinceReboot(s),motionYaw(rad),motionRoll(rad),motionPitch(rad),motionRotationRateX(rad/s),motionRotationRateY(rad/s),motionRotationRateZ(rad/s),motionUserAccelerationX(G),motionUserAccelerationY(G),motionUserAccelerationZ(G),motionAttitudeReferenceFrame(txt),motionQuaternionX(R),motionQuaternionY(R),motionQuaternionZ(R),motionQuaternionW(R),motionGravityX(G),motionGravityY(G),motionGravityZ(G),motionMagneticFieldX(\u{B5}T),motionMagneticFieldY(\u{B5}T),motionMagneticFieldZ(\u{B5}T),motionHeading(\u{B0}),motionMagneticFieldCalibrationAccuracy(Z)"
    case .altimeter:
      "altimeterTimestamp_sinceReboot(s),altimeterReset(bool),altimeterRelativeAltitude(m),altimeterPressure(kPa)"
    }
  }

  private var columnCount: Int {
    switch self {
    case .accelerometer, .gyroscope, .magnetometer, .altimeter: 4
    case .motion: 23
    }
  }

  /// The cells of a sensor that has not spoken yet.
  func appendEmpty(to text: inout JSONText) {
    for _ in 1..<columnCount { text.append(",") }
  }

  func append(_ sample: SensorSample, to text: inout JSONText) {
    text.append(seconds: sample.time)
    switch sample {
    case .accelerometer(let sample): text.append(cells: sample.gravities)
    case .gyroscope(let sample): text.append(cells: sample.angularVelocity)
    case .magnetometer(let sample): text.append(cells: sample.microteslas)
    case .pressure(let sample):
      text.append(",,,")
      text.append(cell: sample.kilopascals)
    case .fusedMotion(let sample): append(sample, to: &text)
    // Taken apart, or without columns.
    case .inertial, .temperature: break
    }
  }

  private func append(_ motion: FusedMotionSample, to text: inout JSONText) {
    let angles = motion.angles
    for angle in [angles.yaw, angles.roll, angles.pitch] {
      text.append(",")
      text.append(cell: angle)
    }
    text.append(cells: motion.angularVelocity)
    text.append(cells: motion.userAccelerationInGravities)
    text.append(",")
    text.append(motion.reference.name)
    text.append(cells: motion.vector)
    text.append(",")
    text.append(cell: motion.w)
    text.append(cells: motion.gravityInGravities)
    if let field = motion.field {
      text.append(cells: MagnetometerSample(time: motion.time, reading: field.reading, unit: field.unit).microteslas)
    } else {
      text.append(",,,")
    }
    text.append(",")
    if let heading = motion.heading { text.append(cell: heading.value(in: .degree)) }
    text.append(",")
    if let field = motion.field { text.append(field.accuracy) }
  }
}
