// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The temperature of the water, and how far from it the truth may be.
open class CMWaterTemperature: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
  private var storedDate = Date.referenceDate
  private var celsius = 0.0
  private var uncertainCelsius = 0.0

  /// When the temperature was measured.
  open var date: Date { storedDate }
  /// Degrees Celsius.
  open var temperature: Measurement<UnitTemperature> { Measurement(value: celsius, unit: .celsius) }
  /// Degrees Celsius, a difference, 0 or more: the water is at `temperature` ± this. Being a difference it must not go
  /// through `converted(to: .fahrenheit)`, which would add 32; multiply `value` by 1.8.
  open var temperatureUncertainty: Measurement<UnitTemperature> {
    Measurement(value: uncertainCelsius, unit: .celsius)
  }

  /// 0 ± 0 °C at the reference date of `Date`.
  public override init() { super.init() }

  /// Both in °C.
  package convenience init(date: Date, temperature: Double, uncertainty: Double) {
    self.init()
    (storedDate, celsius, uncertainCelsius) = (date, temperature, uncertainty)
  }

  func code(_ archive: SampleArchive) {
    archive.code("date", date) { storedDate = $0 }
    archive.code("temperature", temperature.converted(to: .celsius).value, or: 0) { celsius = $0 }
    // A difference: a subclass's other unit would need a factor, not a conversion.
    archive.code("temperatureUncertainty", temperatureUncertainty.value, or: 0) { uncertainCelsius = $0 }
  }

  public required init?(coder: NSCoder) {
    super.init()
    guard read(from: coder) else { return nil }
  }

  /// Writes everything, in °C.
  open func encode(with coder: NSCoder) { write(to: coder) }

  /// The temperature itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The class and its values by name; for people, not for programs.
  open override var description: String { fieldDescription }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
