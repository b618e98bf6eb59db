// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The readings of one instant of one device, in SI and device axes, put together to samples.
struct SampleAssembly: Sendable {
  var specificForce: Vector3<Device>?
  var angularVelocity: Vector3<Device>?
  var magneticField: Vector3<Device>?
  /// Pascal.
  var pressure: Double?
  /// °C.
  var temperature: Double?

  /// Puts a sensor's numbers in; one with an infinite number or none counts as false.
  mutating func set(_ quantity: IIOQuantity, x: Double, y: Double, z: Double, map: AxisMap) -> Bool {
    let vector = map(x: x, y: y, z: z)
    guard vector.isFinite else { return false }
    switch quantity {
    case .accelerometer: specificForce = vector
    case .gyroscope: angularVelocity = vector
    case .magnetometer: magneticField = vector
    case .pressure: pressure = x
    case .temperature: temperature = x
    }
    return true
  }

  /// Appends the samples of the wanted kinds. Accelerometer and gyroscope of one record belong together.
  func append(
    to samples: inout [SensorSample], time: SensorInstant, wanted: SensorKinds, medium: PressureSample.Medium
  ) {
    let force = wanted.contains(.accelerometer) ? specificForce : nil
    let rate = wanted.contains(.gyroscope) ? angularVelocity : nil
    switch (force, rate) {
    case (let force?, let rate?):
      samples.append(.inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force)))
    case (let force?, nil): samples.append(.accelerometer(AccelerometerSample(time: time, specificForce: force)))
    case (nil, let rate?): samples.append(.gyroscope(GyroscopeSample(time: time, angularVelocity: rate)))
    case (nil, nil): break
    }
    if let magneticField, wanted.contains(.magnetometer) {
      samples.append(.magnetometer(MagnetometerSample(time: time, magneticField: magneticField)))
    }
    if let pressure, wanted.contains(medium == .air ? .airPressure : .waterPressure) {
      samples.append(
        .pressure(PressureSample(time: time, pressure: pressure, temperature: temperature, medium: medium)))
    }
    if let temperature, wanted.contains(.temperature) {
      samples.append(.temperature(TemperatureSample(time: time, temperature: temperature)))
    }
  }
}
