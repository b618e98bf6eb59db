// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What somebody has measured of the errors of a device's sensors; nil = nothing is known of that sensor.
///
/// ```swift
/// let calibration = SensorCalibration(gyroscope: SensorCorrection(offset: Vector3(x: 0.01, y: 0, z: 0)))
/// let right = calibration.applied(to: sample)
/// ```
public struct SensorCalibration: Hashable, Sendable {
  /// Of the gyroscope; the offset in rad/s.
  public var gyroscope: SensorCorrection?
  /// Of the accelerometer; the offset in m/s² of specific force.
  public var accelerometer: SensorCorrection?
  /// Of the magnetometer; the offset in tesla.
  public var magnetometer: SensorCorrection?

  /// A calibration; leave out what was not measured.
  public init(
    gyroscope: SensorCorrection? = nil, accelerometer: SensorCorrection? = nil, magnetometer: SensorCorrection? = nil
  ) {
    self.gyroscope = gyroscope
    self.accelerometer = accelerometer
    self.magnetometer = magnetometer
  }

  /// The sensors of which something is known.
  public var kinds: SensorKinds {
    var kinds: SensorKinds = []
    if gyroscope != nil { kinds.insert(.gyroscope) }
    if accelerometer != nil { kinds.insert(.accelerometer) }
    if magnetometer != nil { kinds.insert(.magnetometer) }
    return kinds
  }

  /// The sample with its errors removed, its time and unit as they were. Kinds of which nothing is known, and motion that the
  /// device has fused itself, stay as they are.
  public func applied(to sample: SensorSample) -> SensorSample {
    switch sample {
    case .accelerometer(var sample):
      if let accelerometer { sample.reading = accelerometer(sample.reading, unit: sample.unit.scale) }
      return .accelerometer(sample)
    case .gyroscope(var sample):
      if let gyroscope { sample.angularVelocity = gyroscope(sample.angularVelocity) }
      return .gyroscope(sample)
    case .inertial(var sample):
      if let accelerometer { sample.specificForce = accelerometer(sample.specificForce) }
      if let gyroscope { sample.angularVelocity = gyroscope(sample.angularVelocity) }
      return .inertial(sample)
    case .magnetometer(var sample):
      if let magnetometer { sample.reading = magnetometer(sample.reading, unit: sample.unit.scale) }
      return .magnetometer(sample)
    case .pressure, .temperature, .fusedMotion:
      return sample
    }
  }
}
