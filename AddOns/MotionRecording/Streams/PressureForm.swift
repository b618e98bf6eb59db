// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// How the columns of a log of pressures become pascal and °C.
struct PressureForm: Sendable, Hashable {
  /// Where a row's numbers stand.
  enum Slot {
    static let pressure = 0
    static let temperature = 1
    static let count = 2
  }

  var medium = PressureSample.Medium.air
  /// Pascal per unit.
  var unit = 1.0
  /// °C = temperature + this.
  var temperatureOffset = 0.0

  func sample(time: SensorInstant, _ numbers: Span<Double>) -> SensorSample {
    let celsius = numbers[Slot.temperature] + temperatureOffset
    return .pressure(
      PressureSample(
        time: time, pressure: numbers[Slot.pressure] * unit, temperature: celsius.isNaN ? nil : celsius, medium: medium)
    )
  }
}
