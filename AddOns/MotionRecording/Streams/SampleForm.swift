// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

/// What the numbers of a row become. The slots stand in the comments.
enum SampleForm: Sendable {
  /// 0–2 x, y, z; `unit` in m/s² of specific force per unit.
  case accelerometer(unit: AccelerationUnit)
  /// Acceleration without gravity and gravity, where ``FusedForm/Slot`` has them. Their sum is the raw reading, sample by
  /// sample: Core Motion splits it and filters nothing away (shown on iPhone recordings, residual 2e-6 g).
  case accelerometerSum(unit: AccelerationUnit)
  /// 0–2 x, y, z in rad/s.
  case gyroscope
  /// 0–2 x, y, z; `unit` in tesla per unit. In tesla: multiplied out, beside an accelerometer that is in SI as well, so
  /// that both are of one family of topics.
  case magnetometer(unit: MagneticFieldUnit, inTesla: Bool = false)
  /// 0 Pa, 1 a temperature or none; `offset` in °C is added to it.
  case pressure(PressureSample.Medium, offset: Double)
  /// 0 temperature; `offset` in °C is added.
  case temperature(offset: Double)
  case motion(FusedForm)

  /// What comes out.
  var kind: SensorKinds {
    switch self {
    case .accelerometer, .accelerometerSum: .accelerometer
    case .gyroscope: .gyroscope
    case .magnetometer: .magnetometer
    case .pressure(let medium, _): medium == .air ? .airPressure : .waterPressure
    case .temperature: .temperature
    case .motion: .motion
    }
  }

  /// The sample of a row.
  func sample(time: Int64, _ numbers: Span<Double>) -> SensorSample {
    let time = SensorInstant(nanoseconds: time)
    return switch self {
    case .accelerometer(let unit):
      .accelerometer(AccelerometerSample(time: time, reading: Vector3(numbers, at: 0), unit: unit))
    case .accelerometerSum(let unit):
      .accelerometer(
        AccelerometerSample(
          time: time,
          reading: Vector3(numbers, at: FusedForm.Slot.acceleration) + Vector3(numbers, at: FusedForm.Slot.gravity),
          unit: unit))
    case .gyroscope: .gyroscope(GyroscopeSample(time: time, angularVelocity: Vector3(numbers, at: 0)))
    case .magnetometer(let unit, false):
      .magnetometer(MagnetometerSample(time: time, reading: Vector3(numbers, at: 0), unit: unit))
    case .magnetometer(let unit, true):
      .magnetometer(MagnetometerSample(time: time, magneticField: Vector3(numbers, at: 0) * unit.scale))
    case .pressure(let medium, let offset):
      .pressure(
        PressureSample(
          time: time, pressure: numbers[0], temperature: numbers[1].isNaN ? nil : numbers[1] + offset, medium: medium))
    case .temperature(let offset): .temperature(TemperatureSample(time: time, temperature: numbers[0] + offset))
    case .motion(let form): .motion(form.sample(time: time, numbers))
    }
  }
}

extension Vector3 {
  /// Three numbers in a row.
  init(_ numbers: Span<Double>, at slot: Int) {
    self.init(x: numbers[slot], y: numbers[slot + 1], z: numbers[slot + 2])
  }
}

/// How a row of recorded motion becomes a ``MotionRow``.
struct FusedForm: Sendable {
  /// Where in a row's numbers each quantity lies; NaN = absent, allowed for the field, its accuracy and the headings.
  enum Slot {
    /// Quaternion w, x, y, z.
    static let attitude = 0
    static let angularVelocity = 4
    static let gravity = 7
    /// Linear acceleration; for ``FusedForm/Origin/attitudeAndRawSensors`` the raw accelerometer.
    static let acceleration = 10
    static let field = 13
    static let fieldAccuracy = 16
    static let heading = 17
    static let reference = 18
    static let location = 19
    /// Degrees.
    static let headingAccuracy = 20
    /// Degrees, one standard deviation.
    static let inclinationDeviation = 21, headingDeviation = 22
    static let count = 23
  }

  /// What the recording holds.
  enum Origin: Sendable {
    /// All of it, as the phone computed it.
    case completeMotion
    /// The attitude alone: gravity follows from it (Documentation/Formats.md 2.3), linear acceleration is the raw
    /// accelerometer less that gravity, and the angular velocity is the raw gyroscope's.
    case attitudeAndRawSensors
  }

  var origin = Origin.completeMotion
  /// Used where the row names none.
  var reference: MotionRow.Reference
  /// The unit of gravity and acceleration.
  var accelerationUnit: AccelerationUnit
  /// What to multiply gravity with to have it in the unit of the acceleration; 1 but for files that mix units.
  var gravityScale = 1.0
  /// The quaternion leads to east-north-up and is turned to north-west-up.
  var isEastNorthUp = false

  func sample(time: SensorInstant, _ numbers: Span<Double>) -> MotionRow {
    var w = numbers[Slot.attitude]
    var vector = Vector3<Device>(numbers, at: Slot.attitude + 1)
    if isEastNorthUp { (w, vector) = MotionRow.northWestUp(fromEastNorthUp: w, vector) }
    var gravity = Vector3<Device>(numbers, at: Slot.gravity)
    if gravityScale != 1 { gravity = gravity * gravityScale }
    var acceleration = Vector3<Device>(numbers, at: Slot.acceleration)
    if origin == .attitudeAndRawSensors {
      // The reference's up axis seen from the device, which the reaction of gravity points along.
      let attitude = Rotation<Device, NorthWestUp>(w: w, x: vector.x, y: vector.y, z: vector.z) ?? .identity
      let up = attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: 1)
      gravity = up * (standardGravity / accelerationUnit.scale)
      acceleration = acceleration - gravity
    }
    let named = numbers[Slot.reference]
    let heading = numbers[Slot.heading]
    func degrees(_ slot: Int) -> AngleReading? {
      numbers[slot].isNaN ? nil : AngleReading(numbers[slot], .degree)
    }
    let location = numbers[Slot.location]
    return MotionRow(
      time: time, w: w, vector: vector,
      reference: UInt8(exactly: named).flatMap(MotionRow.Reference.init) ?? reference,
      angularVelocity: Vector3(numbers, at: Slot.angularVelocity), gravity: gravity, linearAcceleration: acceleration,
      accelerationUnit: accelerationUnit, field: field(numbers),
      // Negative = none, as Core Motion reports it.
      heading: heading >= 0 ? AngleReading(heading, .degree) : nil,
      headingAccuracy: degrees(Slot.headingAccuracy),
      location: UInt8(exactly: location).flatMap(MotionRow.Location.init) ?? .device,
      inclinationDeviation: degrees(Slot.inclinationDeviation), headingDeviation: degrees(Slot.headingDeviation))
  }

  private func field(_ numbers: Span<Double>) -> MotionRow.CalibratedField? {
    let reading = Vector3<Device>(numbers, at: Slot.field)
    guard reading.isFinite else { return nil }
    let accuracy = numbers[Slot.fieldAccuracy]
    return MotionRow.CalibratedField(
      reading: reading, unit: .microtesla,
      // Without one 0, low, the least that a calibrated field can claim.
      accuracy: accuracy.isNaN ? 0 : Int8(clamping: min(2, max(-1, accuracy))))
  }
}
