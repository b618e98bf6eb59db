// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A change of height since the updates began, and the pressure it was computed from.
open class CMAltitudeData: CMLogItem {
  private let storedRelativeAltitude: NSNumber
  private let storedPressure: NSNumber

  /// Metres, up positive, from where the first event of these updates was taken, which itself is exactly 0 (S61).
  open var relativeAltitude: NSNumber { storedRelativeAltitude }
  /// kPa, absolute, of the air; smoothed.
  open var pressure: NSNumber { storedPressure }

  public override init() {
    storedRelativeAltitude = 0
    storedPressure = 0
    super.init()
  }

  /// `relativeAltitude` in metres, `pressure` in kPa.
  package init(timestamp: TimeInterval, relativeAltitude: Double, pressure: Double) {
    storedRelativeAltitude = NSNumber(value: relativeAltitude)
    storedPressure = NSNumber(value: pressure)
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    storedRelativeAltitude = NSNumber(value: coder.number("relativeAltitude"))
    storedPressure = NSNumber(value: coder.number("pressure"))
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(relativeAltitude.doubleValue, forKey: "relativeAltitude")
    coder.encode(pressure.doubleValue, forKey: "pressure")
  }
}
