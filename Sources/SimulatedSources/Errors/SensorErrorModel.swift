// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// What is wrong with a sensor of three axes.
///
/// A reading is made from the true value v in this order:
///
///     scaleAndMisalignment · v + bias + biasPerKelvin · (T − 25 °C) + drift + noise   → clipped → quantised
///
/// Every number is in the SI unit of the sensor: m/s² (accelerometer), rad/s (gyroscope), tesla (magnetometer). The terms are
/// those of IEEE Std 952-1997, annex C. The default of every property is "no error".
public struct SensorErrorModel: Hashable, Sendable {
  /// White noise as data sheets give it, one-sided, in unit/√Hz: a sample of a sensor at rate r has the standard deviation
  /// `noiseDensity` · √(r/2) per axis.
  public var noiseDensity = 0.0
  /// Constant offset at 25 °C, in the sensor's unit, device axes.
  public var bias: Vector3<Device> = .zero
  /// Drift of the bias as a random walk, in unit/√s: after t seconds its standard deviation is `biasRandomWalk` · √t per axis.
  /// It is drawn once a second and linear in between, so that it does not depend on the sample rate.
  public var biasRandomWalk = 0.0
  /// Change of the bias per kelvin that the device is warmer than 25 °C.
  public var biasPerKelvin: Vector3<Device> = .zero
  /// Scale factors on the diagonal (1 = right), misalignment and cross-axis coupling beside it.
  public var scaleAndMisalignment = Matrix3.identity
  /// The step between two neighbouring readings, in the sensor's unit; 0 = continuous.
  public var quantisation = 0.0
  /// The largest magnitude that one axis can report, in the sensor's unit; beyond it the reading is clipped.
  public var range = Double.infinity

  /// A sensor without errors.
  public init() {}

  /// True when readings equal the truth.
  public var isIdeal: Bool { self == SensorErrorModel() }
}

/// What is wrong with a magnetometer: the errors of any sensor, and those of the field around it.
public struct MagnetometerErrorModel: Hashable, Sendable {
  /// Errors of the sensor itself, in tesla. The hard iron is kept apart from its `bias`, for clarity; both add up.
  public var sensor = SensorErrorModel()
  /// The field of magnetised parts that turn with the device, in tesla, device axes.
  public var hardIron: Vector3<Device> = .zero
  /// How unmagnetised iron in the device bends the field: applied to the true field, before the hard iron.
  public var softIron = Matrix3.identity
  /// Times when something outside disturbs the field.
  public var disturbances: [MagneticDisturbance] = []
  /// How old the field is that a sample reports, in seconds: 0.012 is typical of chips that average (`spec/fusion.md`).
  public var latency = 0.0

  /// A magnetometer without errors.
  public init() {}

  /// True when nothing in the device bends the field: such a magnetometer is calibrated from the start.
  var hasNoFieldOfItsOwn: Bool { hardIron == .zero && sensor.bias == .zero && softIron == .identity }
}

/// A stretch of time in which a foreign field is added to the earth's.
public struct MagneticDisturbance: Hashable, Sendable {
  /// Seconds on the trajectory's time line.
  public var start: Double
  /// Seconds.
  public var duration: Double
  /// Tesla, in the earth's frame: added while the disturbance lasts, with hard edges.
  public var field: Vector3<EastNorthUp>

  /// A disturbance from `start` for `duration` seconds.
  public init(start: Double, duration: Double, field: Vector3<EastNorthUp>) {
    self.start = start
    self.duration = duration
    self.field = field
  }
}

/// What is wrong with a sensor of one number: a barometer (pascal), a thermometer (°C).
public struct ScalarErrorModel: Hashable, Sendable {
  /// White noise, one-sided, in unit/√Hz; see ``SensorErrorModel/noiseDensity``.
  public var noiseDensity = 0.0
  /// Constant offset in the sensor's unit.
  public var bias = 0.0
  /// Drift in unit/√s; see ``SensorErrorModel/biasRandomWalk``.
  public var biasRandomWalk = 0.0
  /// The step between two neighbouring readings; 0 = continuous.
  public var quantisation = 0.0

  /// A sensor without errors.
  public init() {}
}
