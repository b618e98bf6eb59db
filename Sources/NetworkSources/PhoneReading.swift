// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import PhoneFormats

/// One measurement as a phone sent it: the sensor, the phone's time and the numbers, not yet brought to a unit.
///
/// A batch of messages is held back before the first sample is delivered, and which unit the numbers have shows only in
/// several of them. So a reading keeps what was sent.
struct PhoneReading: Sendable, Hashable {
  /// What was measured. A barometer's pressure is in hectopascals; an attitude only tells the sign of gravity.
  typealias Sensor = PhoneSensor

  /// Motion that a device had fused itself; the quaternion leads from the device to its reference.
  struct Motion: Sendable, Hashable {
    var w: Double
    var vector, angularVelocity, gravity, acceleration: Vector3<Device>
    /// 0 the device itself, 1 the left bud, 2 the right bud.
    var location: UInt8
  }

  enum Values: Sendable, Hashable {
    case vector(Vector3<Device>)
    case number(Double)
    indirect case motion(Motion)
  }

  var sensor: Sensor
  /// ns on the phone's clock.
  var stamp: Int64
  var values: Values
}
