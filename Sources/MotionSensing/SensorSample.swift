// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// One reading of an accelerometer.
///
/// A reading keeps its original numbers and unit, and ``specificForce`` is their product in SI. So a recording in g
/// reaches the façade bit for bit (converting g → m/s² → g would change the last bit of one value in seven), while
/// everything in between computes in m/s².
public struct AccelerometerSample: Hashable, Sendable, BitwiseCopyable {
  /// When the sample was taken.
  public var time: SensorInstant
  /// The original numbers, device axes, in units of ``unit``.
  public var reading: Vector3<Device>
  /// The unit of `reading`: m/s² for SI sources, ``AccelerationUnit/reversedGravity`` for Core Motion's g, whose sign
  /// is opposite.
  public var unit: AccelerationUnit

  /// A reading in its own unit.
  public init(time: SensorInstant, reading: Vector3<Device>, unit: AccelerationUnit) {
    self.time = time
    self.reading = reading
    self.unit = unit
  }

  /// A reading in m/s², +9.81 up at rest.
  public init(time: SensorInstant, specificForce: Vector3<Device>) {
    self.init(time: time, reading: specificForce, unit: .metresPerSecondSquared)
  }

  /// m/s², device axes. A device at rest, face up, reads (0, 0, +9.81).
  public var specificForce: Vector3<Device> { reading * unit.scale }
}

/// One reading of a gyroscope, including its bias.
public struct GyroscopeSample: Hashable, Sendable, BitwiseCopyable {
  /// When the sample was taken.
  public var time: SensorInstant
  /// rad/s, device axes, right-handed.
  public var angularVelocity: Vector3<Device>

  /// A reading in rad/s.
  public init(time: SensorInstant, angularVelocity: Vector3<Device>) {
    self.time = time
    self.angularVelocity = angularVelocity
  }
}

/// One reading of a magnetometer, including the device's own field (hard iron).
public struct MagnetometerSample: Hashable, Sendable, BitwiseCopyable {
  /// When the sample was taken.
  public var time: SensorInstant
  /// The original numbers, device axes, in units of ``unit``.
  public var reading: Vector3<Device>
  /// The unit of `reading`: tesla for SI sources.
  public var unit: MagneticFieldUnit

  /// A reading in its own unit.
  public init(time: SensorInstant, reading: Vector3<Device>, unit: MagneticFieldUnit) {
    self.time = time
    self.reading = reading
    self.unit = unit
  }

  /// A reading in tesla.
  public init(time: SensorInstant, magneticField: Vector3<Device>) {
    self.init(time: time, reading: magneticField, unit: .tesla)
  }

  /// Tesla, device axes. The earth's field is 22…67 µT; north of the magnetic equator it points down.
  public var magneticField: Vector3<Device> { reading * unit.scale }
}

/// Accelerometer and gyroscope of one chip, sampled together; both in SI.
public struct InertialSample: Hashable, Sendable, BitwiseCopyable {
  /// When the sample was taken.
  public var time: SensorInstant
  /// rad/s, device axes, right-handed, including the bias.
  public var angularVelocity: Vector3<Device>
  /// m/s², device axes. A device at rest, face up, reads (0, 0, +9.81).
  public var specificForce: Vector3<Device>

  /// Both readings at one instant: rad/s, and m/s² with +9.81 up at rest.
  public init(time: SensorInstant, angularVelocity: Vector3<Device>, specificForce: Vector3<Device>) {
    self.time = time
    self.angularVelocity = angularVelocity
    self.specificForce = specificForce
  }

  /// The accelerometer's part.
  public var accelerometer: AccelerometerSample { AccelerometerSample(time: time, specificForce: specificForce) }
  /// The gyroscope's part.
  public var gyroscope: GyroscopeSample { GyroscopeSample(time: time, angularVelocity: angularVelocity) }
}

/// One reading of a pressure sensor, of air or of water.
public struct PressureSample: Hashable, Sendable, BitwiseCopyable {
  /// The medium of the pressure.
  public enum Medium: UInt8, Sendable, BitwiseCopyable { case air, water }

  /// When the sample was taken.
  public var time: SensorInstant
  /// Pascal, absolute.
  public var pressure: Double
  /// °C of the sensor itself; nil when it has no thermometer.
  public var temperature: Double?
  /// Default: air.
  public var medium: Medium

  /// A reading in pascal, absolute.
  public init(time: SensorInstant, pressure: Double, temperature: Double? = nil, medium: Medium = .air) {
    (self.time, self.pressure, self.temperature, self.medium) = (time, pressure, temperature, medium)
  }
}

/// One reading of a thermometer.
public struct TemperatureSample: Hashable, Sendable, BitwiseCopyable {
  /// When the sample was taken.
  public var time: SensorInstant
  /// °C.
  public var temperature: Double

  /// A reading in °C.
  public init(time: SensorInstant, temperature: Double) {
    self.time = time
    self.temperature = temperature
  }
}

/// One sample of any of a source's sensors.
///
/// It is copied several times on its path and fits in one cache line (64 bytes). Fused motion is four times that size
/// and rare: it is stored on the heap; the other kinds allocate nothing.
public enum SensorSample: Hashable, Sendable {
  case accelerometer(AccelerometerSample)
  case gyroscope(GyroscopeSample)
  case inertial(InertialSample)
  case magnetometer(MagnetometerSample)
  case pressure(PressureSample)
  case temperature(TemperatureSample)
  indirect case motion(MotionRow)

  /// When the sample was taken, on its source's clock.
  public var time: SensorInstant {
    switch self {
    case .accelerometer(let sample): sample.time
    case .gyroscope(let sample): sample.time
    case .inertial(let sample): sample.time
    case .magnetometer(let sample): sample.time
    case .pressure(let sample): sample.time
    case .temperature(let sample): sample.time
    case .motion(let sample): sample.time
    }
  }

  /// The same sample at another time.
  public func moved(to time: SensorInstant) -> SensorSample {
    func changed<Sample>(_ sample: Sample, _ change: (inout Sample) -> Void) -> Sample {
      var sample = sample
      change(&sample)
      return sample
    }
    return switch self {
    case .accelerometer(let sample): .accelerometer(changed(sample) { $0.time = time })
    case .gyroscope(let sample): .gyroscope(changed(sample) { $0.time = time })
    case .inertial(let sample): .inertial(changed(sample) { $0.time = time })
    case .magnetometer(let sample): .magnetometer(changed(sample) { $0.time = time })
    case .pressure(let sample): .pressure(changed(sample) { $0.time = time })
    case .temperature(let sample): .temperature(changed(sample) { $0.time = time })
    case .motion(let sample): .motion(changed(sample) { $0.time = time })
    }
  }

  /// The kinds of measurement in the sample.
  public var kinds: SensorKinds {
    switch self {
    case .accelerometer: .accelerometer
    case .gyroscope: .gyroscope
    case .inertial: .inertial
    case .magnetometer: .magnetometer
    case .pressure(let sample): sample.medium == .air ? .airPressure : .waterPressure
    case .temperature: .temperature
    case .motion: .motion
    }
  }
}
