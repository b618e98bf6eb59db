// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
public import Foundation

/// What the accelerometer measures, gravity included.
///
/// At rest, face up, it reads (0, 0, −1) g: Core Motion's sign, opposite to Linux' and Android's.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct AccelerationSample: Hashable, Sendable {
  /// Seconds since the system was started, monotonic.
  public var timestamp: TimeInterval
  /// g, device axes.
  public var acceleration: Vector<DeviceFrame>

  /// A sample from its values. Default: at rest, face up.
  public init(timestamp: TimeInterval = 0, acceleration: Vector<DeviceFrame> = Vector(z: -1)) {
    (self.timestamp, self.acceleration) = (timestamp, acceleration)
  }

  init(_ data: CMAccelerometerData) { self.init(timestamp: data.timestamp, acceleration: Vector(data.acceleration)) }
}

/// What the gyroscope measures, with its bias: a device at rest does not read exactly 0.
///
/// ``DeviceMotion/rotationRate`` is the same without the bias.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct RotationRateSample: Hashable, Sendable {
  /// Seconds since the system was started, monotonic.
  public var timestamp: TimeInterval
  /// Rad/s, right-handed about the device axes.
  public var rotationRate: Vector<DeviceFrame>

  /// A sample from its values. Default: at rest.
  public init(timestamp: TimeInterval = 0, rotationRate: Vector<DeviceFrame> = .zero) {
    (self.timestamp, self.rotationRate) = (timestamp, rotationRate)
  }

  init(_ data: CMGyroData) { self.init(timestamp: data.timestamp, rotationRate: Vector(data.rotationRate)) }
}

/// What the magnetometer measures, with the field of the device itself.
///
/// ``DeviceMotion/magneticField`` is the same without the field of the device.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct MagneticFieldSample: Hashable, Sendable {
  /// Seconds since the system was started, monotonic.
  public var timestamp: TimeInterval
  /// Microtesla, device axes. The earth's field is 25 to 65 long.
  public var magneticField: Vector<DeviceFrame>

  /// A sample from its values. Default: no field.
  public init(timestamp: TimeInterval = 0, magneticField: Vector<DeviceFrame> = .zero) {
    (self.timestamp, self.magneticField) = (timestamp, magneticField)
  }
}

#if !os(visionOS)
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MagneticFieldSample {
  init(_ data: CMMagnetometerData) {
    self.init(timestamp: data.timestamp, magneticField: Vector(data.magneticField))
  }
}
#endif
