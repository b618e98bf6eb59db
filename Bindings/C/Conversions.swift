// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

extension ocm_parameters: SizedStructure {
  static var firstSize: Int { 80 }

  /// The defaults, which are those of `motionctl fuse`.
  static var standard: Self {
    let filter = OrientationFilter.Parameters()
    var p = ocm_parameters()
    (p.uses_magnetometer, p.magnetometer_is_calibrated) = (1, 0)
    (p.order, p.skips_missing, p.is_headphone) = (Int32(OCM_AGM), 0, 0)
    (p.magnetometer_unit, p.gyroscope_delay, p.gyroscope_range) = (1, .nan, .nan)
    p.gyroscope_bias_deviation = filter.gyroscopeBiasDeviation
    p.accelerometer_bias_deviation = filter.accelerometerBiasDeviation
    p.time_stamp_deviation = filter.timeStampDeviation
    return p
  }

  /// The same for the filter.
  var filter: OrientationFilter.Parameters {
    get throws(Failure) {
      var p: OrientationFilter.Parameters = is_headphone != 0 ? .headphones : OrientationFilter.Parameters()
      // False for NaN, too.
      guard magnetometer_unit >= 0, magnetometer_unit < .infinity, gyroscope_delay.isNaN || abs(gyroscope_delay) <= 1,
        (Int32(OCM_GAM)...Int32(OCM_MGA)).contains(order)
      else { throw .parameter }
      p.readsMeans = gyroscope_delay.isNaN
      p.gyroscopeDelay = gyroscope_delay.isNaN ? 0 : gyroscope_delay
      p.gyroscopeRange = nil
      if !gyroscope_range.isNaN {
        guard gyroscope_range > 0 else { throw .parameter }
        p.gyroscopeRange = gyroscope_range
      }
      for value in [gyroscope_bias_deviation, accelerometer_bias_deviation, time_stamp_deviation] {
        guard value > 0, value <= 1e3 else { throw .parameter }
      }
      p.isMagnetometerCalibrated = magnetometer_is_calibrated != 0
      p.gyroscopeBiasDeviation = gyroscope_bias_deviation
      p.accelerometerBiasDeviation = accelerometer_bias_deviation
      p.timeStampDeviation = time_stamp_deviation
      return p
    }
  }
}

/// What an earlier run has found out about a device, its doubts those of another day.
struct LearnedDevice {
  let sensor: LearnedSensor
  let magnetometer: MagnetometerCalibration?

  init(_ learned: ocm_learned) throws(Failure) {
    let sensor = LearnedSensor(
      gyroscopeBias: Vector3(learned.gyroscope_bias), gyroscopeMatrix: Matrix3(learned.gyroscope_matrix),
      magnetometerDelay: learned.magnetometer_delay,
      covariance: recast(learned.covariance, as: InlineArray<91, Double>.self))
    guard sensor.isPlausible else { throw .learned }
    self.sensor = sensor.widened(elapsed: .infinity)
    guard learned.has_magnetometer != 0 else {
      magnetometer = nil
      return
    }
    let accuracy: MagnetometerAccuracy? =
      switch learned.magnetometer_accuracy {
      case 0: .low
      case 1: .medium
      case 2: .high
      default: nil
      }
    guard let accuracy else { throw .learned }
    let calibration = MagnetometerCalibration(
      hardIron: Vector3(learned.hard_iron), fieldStrength: learned.field_strength,
      hardIronDeviation: learned.hard_iron_deviation, accuracy: accuracy)
    guard calibration.isPlausible else { throw .learned }
    magnetometer = calibration.widened(elapsed: .infinity)
  }
}

extension ocm_learned: SizedStructure {
  static var firstSize: Int { 888 }

  init(_ sensor: LearnedSensor, _ calibration: MagnetometerCalibration) {
    self.init()
    let (b, m) = (sensor.gyroscopeBias, sensor.gyroscopeMatrix)
    gyroscope_bias = (b.x, b.y, b.z)
    gyroscope_matrix = (m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33)
    magnetometer_delay = sensor.magnetometerDelay
    covariance = recast(sensor.covariance, as: type(of: covariance))
    guard calibration.accuracy > .uncalibrated else { return }
    has_magnetometer = 1
    hard_iron = (calibration.hardIron.x, calibration.hardIron.y, calibration.hardIron.z)
    (field_strength, hard_iron_deviation) = (calibration.fieldStrength, calibration.hardIronDeviation)
    magnetometer_accuracy = Double(calibration.accuracy.rawValue)
  }
}

extension Vector3 {
  fileprivate init(_ t: (Double, Double, Double)) { self.init(x: t.0, y: t.1, z: t.2) }
}

extension Matrix3 {
  fileprivate init(_ t: (Double, Double, Double, Double, Double, Double, Double, Double, Double)) {
    self.init(t.0, t.1, t.2, t.3, t.4, t.5, t.6, t.7, t.8)
  }
}
