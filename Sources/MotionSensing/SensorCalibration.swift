// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// The measured errors of a device's sensors; nil = unknown for that sensor.
///
/// ```swift
/// let calibration = SensorCalibration(gyroscope: SensorCorrection(offset: Vector3(x: 0.01, y: 0, z: 0)))
/// let right = calibration.applied(to: sample)
/// ```
package struct SensorCalibration: Hashable, Sendable {
  /// Of the gyroscope; the offset in rad/s.
  package var gyroscope: SensorCorrection?
  /// Of the accelerometer; the offset in m/s² of specific force.
  package var accelerometer: SensorCorrection?
  /// Of the magnetometer; the offset in tesla.
  package var magnetometer: SensorCorrection?

  /// A calibration; leave out what was not measured.
  package init(
    gyroscope: SensorCorrection? = nil, accelerometer: SensorCorrection? = nil, magnetometer: SensorCorrection? = nil
  ) {
    self.gyroscope = gyroscope
    self.accelerometer = accelerometer
    self.magnetometer = magnetometer
  }

  /// The sensors of which something is known.
  package var kinds: SensorKinds {
    var kinds: SensorKinds = []
    if gyroscope != nil { kinds.insert(.gyroscope) }
    if accelerometer != nil { kinds.insert(.accelerometer) }
    if magnetometer != nil { kinds.insert(.magnetometer) }
    return kinds
  }

  /// The sample with its errors removed, its time and unit as they were. Kinds of which nothing is known, and motion
  /// that the device has fused itself, stay as they are.
  package func applied(to sample: SensorSample) -> SensorSample {
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
    case .pressure, .temperature, .motion:
      return sample
    }
  }
}

/// The correction of the readings of one sensor with three axes.
///
///     right value = axes · matrix · (reading − offset)
///
/// The offset is a gyroscope's or an accelerometer's bias, or a magnetometer's hard iron. The matrix corrects scale and
/// misalignment, or soft iron. The user sets the axes if a chip is mounted differently from what its driver assumes.
package struct SensorCorrection: Hashable, Sendable {
  /// Taken from each reading, in the sensor's SI unit (rad/s, m/s², T), in the axes of the reading.
  package let offset: Vector3<Device>
  /// Applied to what remains; no unit. Default: the identity.
  package let matrix: Matrix3
  /// From the axes of the readings to those of the device; orthogonal. Default: the identity.
  package let axes: Matrix3

  /// Nil when a number is not finite, the matrix cannot be a sensor's (an axis lost, or its volume changed by more than
  /// eight times), or `axes` is not orthogonal within 1 %.
  package init?(offset: Vector3<Device>, matrix: Matrix3 = .identity, axes: Matrix3 = .identity) {
    guard offset.isFinite, matrix.isFinite, (0.125...8).contains(matrix.determinant), axes.isOrthogonal
    else { return nil }
    self.offset = offset
    self.matrix = matrix
    self.axes = axes
  }

  /// The right value of a reading; both in a unit, of which one is `unit` of the sensor's SI units.
  package func callAsFunction(_ reading: Vector3<Device>, unit: Double = 1) -> Vector3<Device> {
    axes * (matrix * (reading - offset / unit))
  }
}
