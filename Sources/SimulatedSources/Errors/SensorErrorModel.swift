// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// The errors of a sensor with three axes.
///
/// A reading is computed from the true value v in this order:
///
///     scaleAndMisalignment · v + bias + biasPerKelvin · (T − 25 °C) + drift + noise   → clipped → quantised
///
/// Every number is in the SI unit of the sensor: m/s² (accelerometer), rad/s (gyroscope), tesla (magnetometer). The
/// terms are those of IEEE Std 952-1997, annex C. The default of every property is "no error".
public struct SensorErrorModel: Hashable, Sendable {
  /// White noise as data sheets give it, one-sided, in unit/√Hz: a sample of a sensor at rate r has the standard
  /// deviation `noiseDensity` · √(r/2) per axis.
  public var noiseDensity = 0.0
  /// Constant offset at 25 °C, in the sensor's unit, device axes.
  public var bias: Vector3<Device> = .zero
  /// Drift of the bias as a random walk, in unit/√s: after t seconds its standard deviation is `biasRandomWalk` · √t
  /// per axis. It is drawn once a second and linear in between, so that it does not depend on the sample rate.
  public var biasRandomWalk = 0.0
  /// Change of the bias per kelvin above 25 °C.
  public var biasPerKelvin: Vector3<Device> = .zero
  /// Scale factors on the diagonal (1 = correct), misalignment and cross-axis coupling off the diagonal.
  public var scaleAndMisalignment = Matrix3.identity
  /// The step between two neighbouring readings, in the sensor's unit; 0 = continuous.
  public var quantisation = 0.0
  /// The largest magnitude that one axis can report, in the sensor's unit; beyond it the reading is clipped.
  public var range = Double.infinity

  /// A sensor without errors.
  public init() {}

  /// True when readings equal the truth.
  package var isIdeal: Bool { self == SensorErrorModel() }
}

/// The errors of a magnetometer: those of any sensor, and those of the field around it.
public struct MagnetometerErrorModel: Hashable, Sendable {
  /// Errors of the sensor itself, in tesla. The hard iron is separate from its `bias`, for clarity; both are added.
  public var sensor = SensorErrorModel()
  /// The field of magnetised parts that turn with the device, in tesla, device axes.
  public var hardIron: Vector3<Device> = .zero
  /// The distortion of the field by unmagnetised iron in the device: applied to the true field, before the hard iron.
  public var softIron = Matrix3.identity
  /// External disturbances of the field.
  public var disturbances: [MagneticDisturbance] = []
  /// The age of the reported field, in seconds: 0.012 is typical of chips that average (Documentation/Filter.md).
  public var latency = 0.0

  /// A magnetometer without errors.
  public init() {}

  /// True when nothing in the device bends the field: such a magnetometer is calibrated from the start.
  var hasNoFieldOfItsOwn: Bool { hardIron == .zero && sensor.bias == .zero && softIron == .identity }
}

/// A period in which another field is added to the earth's.
public struct MagneticDisturbance: Hashable, Sendable {
  /// Seconds on the trajectory's time line.
  public var start: Double
  /// Seconds.
  public var duration: Double
  /// Tesla, in the earth's frame: added during the disturbance, with sharp edges.
  public var field: Vector3<EastNorthUp>

  /// A disturbance from `start` for `duration` seconds.
  public init(start: Double, duration: Double, field: Vector3<EastNorthUp>) {
    self.start = start
    self.duration = duration
    self.field = field
  }
}

/// The errors of a sensor with one value: a barometer (pascal), a thermometer (°C).
public struct ScalarErrorModel: Hashable, Sendable {
  /// White noise, one-sided, in unit/√Hz; see ``SensorErrorModel/noiseDensity``.
  public var noiseDensity: Double
  /// Constant offset in the sensor's unit.
  public var bias: Double
  /// Drift in unit/√s; see ``SensorErrorModel/biasRandomWalk``.
  public var biasRandomWalk: Double
  /// The step between two neighbouring readings; 0 = continuous.
  public var quantisation: Double

  /// A sensor with these errors, by default without any.
  public init(noiseDensity: Double = 0, bias: Double = 0, biasRandomWalk: Double = 0, quantisation: Double = 0) {
    (self.noiseDensity, self.bias) = (noiseDensity, bias)
    (self.biasRandomWalk, self.quantisation) = (biasRandomWalk, quantisation)
  }
}

/// The errors of all sensors of a simulated device.
///
/// The presets have typical, rounded values for their class and do not describe a specific product.
public struct DeviceErrorModel: Hashable, Sendable {
  /// In m/s².
  public var accelerometer = SensorErrorModel()
  /// In rad/s.
  public var gyroscope = SensorErrorModel()
  /// In tesla.
  public var magnetometer = MagnetometerErrorModel()
  /// In pascal, of the air and of the water.
  public var pressure = ScalarErrorModel(), waterPressure = ScalarErrorModel()
  /// In °C: the thermometer in the water pressure sensor, and the device's own.
  public var waterTemperature = ScalarErrorModel(), temperature = ScalarErrorModel()

  /// Readings equal the truth.
  public init() {}

  /// Readings equal the truth.
  public static var ideal: Self { Self() }

  /// A good sensor as in a phone: low noise, a gyroscope bias of about 0.3 °/s, 0.3 % of scale error, ranges of 8 g and
  /// 2000 °/s, a calibrated magnetometer with a few microtesla of remaining hard iron and 12 ms of latency.
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
    model.pressure = ScalarErrorModel(noiseDensity: 0.4, bias: 30, biasRandomWalk: 0.2)
    model.temperature.quantisation = 0.01
    return model
  }

  /// A sports watch: the sensors of the phone, but an accelerometer up to 64 g in steps of 1/65535 g, because a ball
  /// causes 47 g at the wrist (Documentation/Behaviour.md), and a gyroscope up to 4000 °/s.
  public static var watch: Self {
    var model = Self.phone
    model.accelerometer.quantisation = standardGravity / 65535
    model.accelerometer.range = 64 * standardGravity
    model.gyroscope.quantisation = Angle(degrees: 4000.0 / 32768).radians
    model.gyroscope.range = Angle(degrees: 4000).radians
    return model
  }

  /// A depth sensor of 30 bar as in a dive computer, everything else ideal: 20 Pa of noise at 25 Hz, steps of 10 Pa, 15
  /// hPa of offset, so the surface pressure must be measured with the same sensor (Documentation/Behaviour.md, water).
  public static var diver: Self {
    var model = Self()
    model.waterPressure = ScalarErrorModel(noiseDensity: 5.6, bias: 1500, quantisation: 10)
    model.waterTemperature = ScalarErrorModel(noiseDensity: 0.003, quantisation: 0.01)
    return model
  }

  /// A sensor as in a game controller: more noise, a gyroscope bias of about 1 °/s, 1 % of scale error, ranges of 4 g
  /// and 2000 °/s in 16 bit steps. Controllers have no magnetometer; its errors are those of the phone.
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
