// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One sample of the gyroscope, its bias in it.
open class CMGyroData: CMLogItem {
  private let storedRotationRate: CMRotationRate

  /// rad/s, device axes, right-handed; the sensor's bias has not been removed.
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
