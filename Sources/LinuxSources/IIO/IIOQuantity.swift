// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
/// Source: the kernel's Documentation/ABI/testing/sysfs-bus-iio; spec/linux-sensors.md sections 2, 8 and 13. Channels of other names
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

/// From the number that the kernel gives to SI: (raw + offset) × scale × unit (spec IIO-2).
struct LinearScale: Hashable, Sendable {
  /// Counts.
  var offset: Double
  /// SI units per count.
  var factor: Double

  /// The quantity in SI.
  func callAsFunction(_ raw: Double) -> Double { (raw + offset) * factor }
}
