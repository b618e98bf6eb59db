// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The height above sea level, with how far it can be trusted (S62).
open class CMAbsoluteAltitudeData: CMLogItem {
  private let storedAltitude: Double
  private let storedAccuracy: Double
  private let storedPrecision: Double

  /// Metres above sea level, up positive; may be negative.
  open var altitude: Double { storedAltitude }
  /// Metres, one standard deviation. About 80 while the host knows neither a reference pressure nor a height.
  open var accuracy: Double { storedAccuracy }
  /// Metres: the step in which it makes sense to show the altitude.
  open var precision: Double { storedPrecision }

  public override init() {
    (storedAltitude, storedAccuracy, storedPrecision) = (0, 0, 0)
    super.init()
  }

  /// All three in metres.
  package init(timestamp: TimeInterval, altitude: Double, accuracy: Double, precision: Double) {
    (storedAltitude, storedAccuracy, storedPrecision) = (altitude, accuracy, precision)
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    storedAltitude = coder.number("altitude")
    storedAccuracy = coder.number("accuracy")
    storedPrecision = coder.number("precision")
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(altitude, forKey: "altitude")
    coder.encode(accuracy, forKey: "accuracy")
    coder.encode(precision, forKey: "precision")
  }
}
