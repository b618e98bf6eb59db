// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A reading of a pressure sensor and of the thermometer in it, without any height made of them.
open class CMAmbientPressureData: CMLogItem {
  private var kilopascals = 0.0
  private var celsius = 0.0

  /// Kilopascal, absolute.
  open var pressure: Measurement<UnitPressure> { Measurement(value: kilopascals, unit: .kilopascals) }
  /// Degrees Celsius, of the sensor.
  open var temperature: Measurement<UnitTemperature> { Measurement(value: celsius, unit: .celsius) }

  /// `pressure` in kPa, `temperature` in °C.
  package convenience init(timestamp: TimeInterval, pressure: Double, temperature: Double) {
    self.init(timestamp: timestamp)
    (kilopascals, celsius) = (pressure, temperature)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("pressure", pressure.converted(to: .kilopascals).value, or: 0) { kilopascals = $0 }
    archive.code("temperature", temperature.converted(to: .celsius).value, or: 0) { celsius = $0 }
  }
}
