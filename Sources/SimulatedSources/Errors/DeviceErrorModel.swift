// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The errors of all sensors of a simulated device.
///
/// The presets are of the right size for their class, rounded, and belong to no product.
public struct DeviceErrorModel: Hashable, Sendable {
  /// In m/s².
  public var accelerometer = SensorErrorModel()
  /// In rad/s.
  public var gyroscope = SensorErrorModel()
  /// In tesla.
  public var magnetometer = MagnetometerErrorModel()
  /// In pascal.
  public var pressure = ScalarErrorModel()
  /// In pascal.
  public var waterPressure = ScalarErrorModel()
  /// In °C, of the thermometer in the sensor of water pressure.
  public var waterTemperature = ScalarErrorModel()
  /// In °C.
  public var temperature = ScalarErrorModel()

  /// Readings equal the truth.
  public init() {}

  /// Readings equal the truth.
  public static var ideal: Self { Self() }

  /// A good sensor as in a telephone: little noise, a gyroscope bias of some 0.3 °/s, 0.3 % of scale error, ranges of 8 g and
  /// 2000 °/s, a calibrated magnetometer with a few microtesla of hard iron left and 12 ms of latency.
  public static var phone: Self {
    var model = Self()
    model.accelerometer.noiseDensity = 0.0015
    model.accelerometer.bias = Vector3(x: 0.04, y: -0.03, z: 0.06)
    model.accelerometer.biasRandomWalk = 0.0002
    model.accelerometer.biasPerKelvin = Vector3(x: 0.001, y: 0.001, z: -0.0015)
    model.accelerometer.scaleAndMisalignment = Matrix3(1.002, 0.001, 0, 0, 0.999, -0.001, 0.0005, 0, 1.001)
    model.accelerometer.quantisation = 8 * standardGravity / 32768
    model.accelerometer.range = 8 * standardGravity
    model.gyroscope.noiseDensity = Angle(degrees: 0.007).radians
    model.gyroscope.bias = Vector3(x: 0.004, y: -0.003, z: 0.002)
    model.gyroscope.biasRandomWalk = Angle(degrees: 0.0005).radians
    model.gyroscope.biasPerKelvin = Vector3(x: 1e-4, y: -0.5e-4, z: 0.5e-4)
    model.gyroscope.scaleAndMisalignment = Matrix3(1.003, 0.002, -0.001, 0, 0.998, 0.002, 0.001, 0, 1.002)
    model.gyroscope.quantisation = Angle(degrees: 2000.0 / 32768).radians
    model.gyroscope.range = Angle(degrees: 2000).radians
    model.magnetometer.sensor.noiseDensity = 0.1e-6
    model.magnetometer.sensor.quantisation = 0.15e-6
    model.magnetometer.sensor.range = 4900e-6
    model.magnetometer.hardIron = Vector3(x: 2e-6, y: -1.5e-6, z: 3e-6)
    model.magnetometer.softIron = Matrix3(1.01, 0.005, 0, 0.005, 0.995, 0, 0, 0, 1.0)
    model.magnetometer.latency = 0.012
    model.pressure.noiseDensity = 0.4
    model.pressure.bias = 30
    model.pressure.biasRandomWalk = 0.2
    model.temperature.quantisation = 0.01
    return model
  }

  /// A watch for sports: the sensors of the phone, but an accelerometer that goes up to 64 g in steps of 1/65535 g, since a ball
  /// gives a wrist 47 g (`spec/batched-sensors.md` 2), and a gyroscope that goes up to 4000 °/s.
  public static var watch: Self {
    var model = Self.phone
    model.accelerometer.quantisation = standardGravity / 65535
    model.accelerometer.range = 64 * standardGravity
    model.gyroscope.quantisation = Angle(degrees: 4000.0 / 32768).radians
    model.gyroscope.range = Angle(degrees: 4000).radians
    return model
  }

  /// A depth sensor of 30 bar as in a dive computer, all else ideal: 20 Pa of noise at 25 Hz, steps of 10 Pa, 15 hPa of offset,
  /// which is why the surface pressure has to be measured with the same sensor (`spec/water.md` 5).
  public static var diver: Self {
    var model = Self()
    model.waterPressure.noiseDensity = 5.6
    model.waterPressure.bias = 1500
    model.waterPressure.quantisation = 10
    model.waterTemperature.noiseDensity = 0.003
    model.waterTemperature.quantisation = 0.01
    return model
  }

  /// The barometer of a telephone, all else ideal: 1.4 Pa of noise at 25 Hz, that is 0.12 m.
  public static var climber: Self {
    var model = Self()
    model.pressure = Self.phone.pressure
    return model
  }

  /// A sensor as in a game controller: more noise, a gyroscope bias of about 1 °/s, 1 % of scale error, ranges of 4 g and
  /// 2000 °/s in 16 bit steps. Controllers carry no magnetometer; its errors are those of the phone.
  public static var controller: Self {
    var model = Self.phone
    model.accelerometer.noiseDensity = 0.003
    model.accelerometer.bias = Vector3(x: -0.15, y: 0.1, z: 0.2)
    model.accelerometer.scaleAndMisalignment = Matrix3(diagonal: 1.008, 0.994, 1.01)
    model.accelerometer.quantisation = 4 * standardGravity / 32768
    model.accelerometer.range = 4 * standardGravity
    model.gyroscope.noiseDensity = Angle(degrees: 0.014).radians
    model.gyroscope.bias = Vector3(x: 0.015, y: -0.01, z: 0.008)
    model.gyroscope.biasRandomWalk = Angle(degrees: 0.002).radians
    model.gyroscope.scaleAndMisalignment = Matrix3(1.01, 0.004, 0, -0.004, 0.992, 0, 0, 0.003, 1.006)
    return model
  }
}
