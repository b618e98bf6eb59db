// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One sample of the gyroscope, its bias in it.
open class CMGyroData: CMLogItem {
  /// rad/s, device axes, right-handed; the sensor's bias has not been removed.
  open var rotationRate: CMRotationRate { CMRotationRate(vector) }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("rotationRate", rotationRate) { vector = $0.vector }
  }
}
