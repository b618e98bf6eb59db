// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// What an IIO channel measures, and the factor from the kernel's unit to SI.
///
/// | channel | the kernel's unit | inside |
/// |---|---|---|
/// | `in_accel` | m/s², specific force | m/s² |
/// | `in_anglvel` | rad/s | rad/s |
/// | `in_magn` | gauss | tesla |
/// | `in_pressure` | kilopascal | pascal |
/// | `in_temp` | thousandths of a degree Celsius | °C |
///
/// Source: the kernel's Documentation/ABI/testing/sysfs-bus-iio. Channels of other names
/// are not read: their unit is not known here.
enum IIOQuantity: String, CaseIterable, Sendable, Hashable {
  case accelerometer = "in_accel"
  case gyroscope = "in_anglvel"
  case magnetometer = "in_magn"
  case pressure = "in_pressure"
  case temperature = "in_temp"

  /// SI units per unit of the kernel.
  var unit: Double {
    switch self {
    case .accelerometer, .gyroscope: 1
    case .magnetometer: 1e-4
    case .pressure: 1000
    case .temperature: 1e-3
    }
  }

  /// The names of its channels, one per axis.
  var channels: [String] {
    switch self {
    case .accelerometer, .gyroscope, .magnetometer: ["x", "y", "z"].map { "\(rawValue)_\($0)" }
    case .pressure, .temperature: [rawValue]
    }
  }

  /// The kind of its samples; a sensor that was declared to be in water gives another one.
  func kind(isInWater: Bool) -> SensorKinds {
    switch self {
    case .accelerometer: .accelerometer
    case .gyroscope: .gyroscope
    case .magnetometer: .magnetometer
    case .pressure: isInWater ? .waterPressure : .airPressure
    case .temperature: .temperature
    }
  }
}

/// One quantity of a device: where its numbers are, and their way to SI and device axes.
///
/// A place is a field of a buffered record or the path of an attribute. What the kernel gives there becomes SI by
/// (raw + offset) × scale × unit (IIO-2).
struct IIOReading<Place: Sendable>: Sendable {
  /// One axis; `offset` in counts, `factor` in SI units per count.
  typealias Channel = (place: Place, offset: Double, factor: Double)

  var quantity: IIOQuantity
  var channels: [Channel]
  var map: AxisMap

  /// The quantity in SI and device axes, `number` being what stands at a place; a quantity without an axis has 0 there.
  func vector<Failure>(_ number: (Place) throws(Failure) -> Double) throws(Failure) -> Vector3<Device> {
    var axes = SIMD4<Double>.zero
    for index in channels.indices {
      axes[index] = (try number(channels[index].place) + channels[index].offset) * channels[index].factor
    }
    return map(x: axes.x, y: axes.y, z: axes.z)
  }
}

extension IIOQuantity {
  /// What the sensors of one device read at one instant, in SI and device axes, by ``place``; a single number is x.
  typealias Values = InlineArray<5, Vector3<Device>?>

  /// Where it stands among the values.
  var place: Int {
    switch self {
    case .accelerometer: 0
    case .gyroscope: 1
    case .magnetometer: 2
    case .pressure: 3
    case .temperature: 4
    }
  }
}

extension IIOPlan {
  /// Appends the samples of the wanted kinds. Accelerometer and gyroscope of one record belong together.
  func append(_ values: IIOQuantity.Values, at time: SensorInstant, to samples: inout [SensorSample]) {
    func value(_ quantity: IIOQuantity) -> Vector3<Device>? {
      wanted.contains(quantity.kind(isInWater: medium == .water)) ? values[quantity.place] : nil
    }
    switch (value(.accelerometer), value(.gyroscope)) {
    case (let force?, let rate?):
      samples.append(.inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force)))
    case (let force?, nil): samples.append(.accelerometer(AccelerometerSample(time: time, specificForce: force)))
    case (nil, let rate?): samples.append(.gyroscope(GyroscopeSample(time: time, angularVelocity: rate)))
    case (nil, nil): break
    }
    if let field = value(.magnetometer) {
      samples.append(.magnetometer(MagnetometerSample(time: time, magneticField: field)))
    }
    let temperature = values[IIOQuantity.temperature.place]?.x
    if let pressure = value(.pressure) {
      samples.append(
        .pressure(PressureSample(time: time, pressure: pressure.x, temperature: temperature, medium: medium)))
    }
    if let temperature, wanted.contains(.temperature) {
      samples.append(.temperature(TemperatureSample(time: time, temperature: temperature)))
    }
  }
}
