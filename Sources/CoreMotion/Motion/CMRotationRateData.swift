// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A rate of rotation with its time, as research recordings hold it. ``CMGyroData`` is what a running manager delivers.
open class CMRotationRateData: CMLogItem {
  /// rad/s, device axes, right-handed.
  open var rotationRate: CMRotationRate { CMRotationRate(vector) }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("rotationRate", rotationRate) { vector = $0.vector }
  }
}
