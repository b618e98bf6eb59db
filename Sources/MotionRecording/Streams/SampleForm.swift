// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// What the numbers of a row become. The slots stand in the comments.
enum SampleForm: Sendable {
  /// 0–2 x, y, z; `unit` in m/s² of specific force per unit.
  case accelerometer(unit: AccelerationUnit)
  /// Acceleration without gravity from slot `linear` on, gravity from slot `gravity` on. Their sum is the raw reading,
  /// sample by sample: Core Motion splits it and filters nothing away (shown on iPhone recordings, residual 2e-6 g).
  case accelerometerSum(unit: AccelerationUnit, linear: Int = 0, gravity: Int = 3)
  /// 0–2 x, y, z in rad/s.
  case gyroscope
  /// 0–2 x, y, z; `unit` in tesla per unit. In tesla: multiplied out, beside an accelerometer that is in SI as well, so that both are of
  /// one family of topics.
  case magnetometer(unit: MagneticFieldUnit, inTesla: Bool = false)
  /// 0 pressure; `unit` in pascal per unit.
  case airPressure(unit: Double)
  /// Pressure with a temperature: see ``PressureForm/Slot``.
  case pressure(PressureForm)
  /// 0 temperature; `offset` in °C is added.
  case temperature(offset: Double)
  case fusedMotion(FusedForm)

  /// How many numbers a row has.
  var slotCount: Int {
    switch self {
    case .accelerometer, .gyroscope, .magnetometer: 3
    case .accelerometerSum(_, let linear, let gravity): max(linear, gravity) + 3
    case .airPressure, .temperature: 1
    case .pressure: PressureForm.Slot.count
    case .fusedMotion: FusedForm.Slot.count
    }
  }

  /// What comes out.
  var kind: SensorKinds {
    switch self {
    case .accelerometer, .accelerometerSum: .accelerometer
    case .gyroscope: .gyroscope
    case .magnetometer: .magnetometer
    case .airPressure: .airPressure
    case .pressure(let form): form.medium == .air ? .airPressure : .waterPressure
    case .temperature: .temperature
    case .fusedMotion: .fusedMotion
    }
  }

  /// The sample of a row.
  func sample(time: Int64, _ numbers: UnsafePointer<Double>) -> SensorSample {
    let time = SensorInstant(nanoseconds: time)
    return switch self {
    case .accelerometer(let unit):
      .accelerometer(AccelerometerSample(time: time, reading: Vector3(numbers, at: 0), unit: unit))
    case .accelerometerSum(let unit, let linear, let gravity):
      .accelerometer(
        AccelerometerSample(
          time: time, reading: Vector3(numbers, at: linear) + Vector3(numbers, at: gravity), unit: unit))
    case .gyroscope: .gyroscope(GyroscopeSample(time: time, angularVelocity: Vector3(numbers, at: 0)))
    case .magnetometer(let unit, false):
      .magnetometer(MagnetometerSample(time: time, reading: Vector3(numbers, at: 0), unit: unit))
    case .magnetometer(let unit, true):
      .magnetometer(MagnetometerSample(time: time, magneticField: Vector3(numbers, at: 0) * unit.scale))
    case .airPressure(let unit): .pressure(PressureSample(time: time, pressure: numbers[0] * unit))
    case .pressure(let form): form.sample(time: time, numbers)
    case .temperature(let offset): .temperature(TemperatureSample(time: time, temperature: numbers[0] + offset))
    case .fusedMotion(let form): .fusedMotion(form.sample(time: time, numbers))
    }
  }
}

extension Vector3 {
  /// Three numbers in a row.
  init(_ numbers: UnsafePointer<Double>, at slot: Int) {
    self.init(x: numbers[slot], y: numbers[slot + 1], z: numbers[slot + 2])
  }
}
