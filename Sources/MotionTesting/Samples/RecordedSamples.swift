// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation

extension CMLogItem {
  /// An item of which nothing but the time is known; seconds since boot.
  public convenience init(at timestamp: TimeInterval) { self.init(timestamp: timestamp) }
}

extension CMRotationRateData {
  /// A sample with given values: rad/s, device axes, right-handed.
  public convenience init(rotationRate: CMRotationRate, at timestamp: TimeInterval = 0) {
    self.init(timestamp: timestamp, vector: rotationRate.vector)
  }
}

extension CMRecordedRotationRateData {
  /// A recorded sample with given values: rad/s, device axes, right-handed, and the wall-clock time.
  public convenience init(rotationRate: CMRotationRate, startDate: Date, at timestamp: TimeInterval = 0) {
    self.init(timestamp: timestamp, rotationRate: rotationRate, startDate: startDate)
  }
}

extension CMRecordedAccelerometerData {
  /// A recorded sample with given values: g, device axes, including gravity; the number of its batch, and the
  /// wall-clock time.
  public convenience init(
    acceleration: CMAcceleration, identifier: UInt64 = 1, startDate: Date, at timestamp: TimeInterval = 0
  ) {
    self.init(timestamp: timestamp, acceleration: acceleration, identifier: identifier, startDate: startDate)
  }
}

extension CMRecordedDeviceMotion {
  /// A recorded sample with the values of `motion`; the number of its batch, and the wall-clock time.
  public convenience init(motion: CMDeviceMotion, identifier: UInt64 = 1, startDate: Date) {
    self.init(motion, identifier: identifier, startDate: startDate)
  }
}

extension CMAmbientPressureData {
  /// A reading with given values: kPa, absolute, and °C of the sensor.
  public convenience init(pressure: Double, temperature: Double, at timestamp: TimeInterval) {
    self.init(timestamp: timestamp, pressure: pressure, temperature: temperature)
  }
}

extension CMRecordedPressureData {
  /// A recorded reading with given values: kPa, absolute, and °C; the number of its batch, and the wall-clock time.
  public convenience init(
    pressure: Double, temperature: Double, identifier: UInt64 = 1, startDate: Date, at timestamp: TimeInterval = 0
  ) {
    self.init(
      timestamp: timestamp, pressure: pressure, temperature: temperature, identifier: identifier, startDate: startDate)
  }
}

extension CMSensorDataList {
  /// A list of given samples, oldest first; it can be gone through any number of times.
  public convenience init(samples: [CMRecordedAccelerometerData]) {
    self.init { AnyIterator(samples.makeIterator()) }
  }
}
