// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A rate of rotation with its time, as research recordings hold it. ``CMGyroData`` is what a running manager delivers.
open class CMRotationRateData: CMLogItem {
  private let storedRotationRate: CMRotationRate

  /// rad/s, device axes, right-handed.
  open var rotationRate: CMRotationRate { storedRotationRate }

  public override init() {
    storedRotationRate = CMRotationRate()
    super.init()
  }

  /// A sample from its values: seconds and rad/s.
  package init(timestamp: TimeInterval, rotationRate: CMRotationRate) {
    storedRotationRate = rotationRate
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    storedRotationRate = coder.decodeRotationRate(forKey: "rotationRate")
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(rotationRate, forKey: "rotationRate")
  }
}
