// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The temperature of the water, and how far from it the truth may be.
open class CMWaterTemperature: NSObject, NSCopying, NSSecureCoding {
  private let storedDate: Date
  private let storedTemperature: Measurement<UnitTemperature>
  private let storedUncertainty: Measurement<UnitTemperature>

  /// When the temperature was measured.
  open var date: Date { storedDate }
  /// Degrees Celsius.
  open var temperature: Measurement<UnitTemperature> { storedTemperature }
  /// Degrees Celsius, a difference, 0 or more: the water is at `temperature` ± this. Being a difference it must not go through
  /// `converted(to: .fahrenheit)`, which would add 32; multiply `value` by 1.8.
  open var temperatureUncertainty: Measurement<UnitTemperature> { storedUncertainty }

  /// 0 ± 0 °C at the reference date of `Date`.
  public override init() {
    storedDate = Date(timeIntervalSinceReferenceDate: 0)
    storedTemperature = Measurement(value: 0, unit: .celsius)
    storedUncertainty = Measurement(value: 0, unit: .celsius)
    super.init()
  }

  /// Both in °C.
  package init(date: Date, temperature: Double, uncertainty: Double) {
    storedDate = date
    storedTemperature = Measurement(value: temperature, unit: .celsius)
    storedUncertainty = Measurement(value: uncertainty, unit: .celsius)
    super.init()
  }

  public required init?(coder: NSCoder) {
    guard let date = coder.date("date") else { return nil }
    storedDate = date
    storedTemperature = Measurement(value: coder.number("temperature"), unit: .celsius)
    storedUncertainty = Measurement(value: coder.number("temperatureUncertainty"), unit: .celsius)
    super.init()
  }

  /// Writes everything, in °C.
  open func encode(with coder: NSCoder) {
    coder.encode(date, forDateKey: "date")
    coder.encode(temperature.converted(to: .celsius).value, forKey: "temperature")
    // A difference: a subclass's other unit would need a factor, not a conversion.
    coder.encode(temperatureUncertainty.value, forKey: "temperatureUncertainty")
  }

  /// The temperature itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
