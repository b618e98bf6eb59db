// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One sample of the accelerometer, gravity in it.
open class CMAccelerometerData: CMLogItem {
  /// g, device axes. A device at rest, face up, reads (0, 0, −1).
  open var acceleration: CMAcceleration { CMAcceleration(vector) }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("acceleration", acceleration) { vector = $0.vector }
  }
}
