// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The height above sea level, with how far it can be trusted (S62).
open class CMAbsoluteAltitudeData: CMLogItem {
  private var storedAltitude = 0.0
  private var storedAccuracy = 0.0
  private var storedPrecision = 0.0

  /// Metres above sea level, up positive; may be negative.
  open var altitude: Double { storedAltitude }
  /// Metres, one standard deviation. About 80 while the host has neither a reference pressure nor a height.
  open var accuracy: Double { storedAccuracy }
  /// Metres: the step in which it makes sense to show the altitude.
  open var precision: Double { storedPrecision }

  /// All three in metres.
  package convenience init(timestamp: TimeInterval, altitude: Double, accuracy: Double, precision: Double) {
    self.init(timestamp: timestamp)
    (storedAltitude, storedAccuracy, storedPrecision) = (altitude, accuracy, precision)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("altitude", altitude, or: 0) { storedAltitude = $0 }
    archive.code("accuracy", accuracy, or: 0) { storedAccuracy = $0 }
    archive.code("precision", precision, or: 0) { storedPrecision = $0 }
  }
}
