// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One sample of the magnetometer, the device's own field in it.
open class CMMagnetometerData: CMLogItem {
  /// µT, device axes; the device's own field has not been removed.
  open var magneticField: CMMagneticField { CMMagneticField(vector) }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("magneticField", magneticField) { vector = $0.vector }
  }
}
