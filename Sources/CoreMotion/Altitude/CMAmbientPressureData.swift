// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A reading of a pressure sensor and of the thermometer in it, without any height made of them.
open class CMAmbientPressureData: CMLogItem {
  private let storedPressure: Measurement<UnitPressure>
  private let storedTemperature: Measurement<UnitTemperature>

  /// Kilopascal, absolute.
  open var pressure: Measurement<UnitPressure> { storedPressure }
  /// Degrees Celsius, of the sensor.
  open var temperature: Measurement<UnitTemperature> { storedTemperature }

  public override init() {
    storedPressure = Measurement(value: 0, unit: .kilopascals)
    storedTemperature = Measurement(value: 0, unit: .celsius)
    super.init()
  }

  /// `pressure` in kPa, `temperature` in °C.
  package init(timestamp: TimeInterval, pressure: Double, temperature: Double) {
    storedPressure = Measurement(value: pressure, unit: .kilopascals)
    storedTemperature = Measurement(value: temperature, unit: .celsius)
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    storedPressure = Measurement(value: coder.number("pressure"), unit: .kilopascals)
    storedTemperature = Measurement(value: coder.number("temperature"), unit: .celsius)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(pressure.converted(to: .kilopascals).value, forKey: "pressure")
    coder.encode(temperature.converted(to: .celsius).value, forKey: "temperature")
  }
}
