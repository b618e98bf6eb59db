// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A change of height since the updates began, and the pressure it was computed from.
open class CMAltitudeData: CMLogItem {
  private var storedRelativeAltitude = 0.0
  private var kilopascals = 0.0

  /// Metres, up positive, from where the first event of these updates was taken, which itself is exactly 0 (S61).
  open var relativeAltitude: NSNumber { NSNumber(value: storedRelativeAltitude) }
  /// kPa, absolute, of the air; smoothed.
  open var pressure: NSNumber { NSNumber(value: kilopascals) }

  /// `relativeAltitude` in metres, `pressure` in kPa.
  package convenience init(timestamp: TimeInterval, relativeAltitude: Double, pressure: Double) {
    self.init(timestamp: timestamp)
    (storedRelativeAltitude, kilopascals) = (relativeAltitude, pressure)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("relativeAltitude", relativeAltitude.doubleValue, or: 0) { storedRelativeAltitude = $0 }
    archive.code("pressure", pressure.doubleValue, or: 0) { kilopascals = $0 }
  }
}
