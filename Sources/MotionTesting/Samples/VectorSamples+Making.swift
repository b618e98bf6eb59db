// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation

extension CMAccelerometerData {
  /// A sample made by hand: g, device axes, gravity in it. At rest, face up: (0, 0, −1).
  public convenience init(acceleration: CMAcceleration, timestamp: TimeInterval = 0) {
    self.init(timestamp: timestamp, acceleration: acceleration)
  }
}

extension CMGyroData {
  /// A sample made by hand: rad/s, device axes, right-handed.
  public convenience init(rotationRate: CMRotationRate, timestamp: TimeInterval = 0) {
    self.init(timestamp: timestamp, rotationRate: rotationRate)
  }
}

extension CMMagnetometerData {
  /// A sample made by hand: µT, device axes.
  public convenience init(magneticField: CMMagneticField, timestamp: TimeInterval = 0) {
    self.init(timestamp: timestamp, magneticField: magneticField)
  }
}
