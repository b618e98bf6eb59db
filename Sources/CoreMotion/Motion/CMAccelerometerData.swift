// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One sample of the accelerometer, gravity in it.
open class CMAccelerometerData: CMLogItem {
  private let storedAcceleration: CMAcceleration

  /// g, device axes. A device at rest, face up, reads (0, 0, −1).
  open var acceleration: CMAcceleration { storedAcceleration }

  public override init() {
    storedAcceleration = CMAcceleration()
    super.init()
  }

  /// A sample from its values: seconds, and g with Core Motion's signs (face up: z = −1).
  package init(timestamp: TimeInterval, acceleration: CMAcceleration) {
    storedAcceleration = acceleration
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    storedAcceleration = coder.decodeAcceleration(forKey: "acceleration")
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(acceleration, forKey: "acceleration")
  }
}
