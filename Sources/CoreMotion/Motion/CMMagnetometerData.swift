// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One sample of the magnetometer, the device's own field in it.
open class CMMagnetometerData: CMLogItem {
  private let storedMagneticField: CMMagneticField

  /// µT, device axes; the device's own field has not been removed.
  open var magneticField: CMMagneticField { storedMagneticField }

  public override init() {
    storedMagneticField = CMMagneticField()
    super.init()
  }

  /// A sample from its values: seconds and µT.
  package init(timestamp: TimeInterval, magneticField: CMMagneticField) {
    storedMagneticField = magneticField
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    storedMagneticField = coder.decodeMagneticField(forKey: "magneticField")
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(magneticField, forKey: "magneticField")
  }
}
