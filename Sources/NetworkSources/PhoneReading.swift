// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
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

/// One message of a phone on its way from the thread of a server to that of a source.
struct PhoneLetter: Sendable {
  var readings: [PhoneReading]
  /// Counts within a session; nil where the transport has no numbers.
  var number: Int64?
  /// The recording of the app; "" where there are none.
  var session = ""
  /// When it arrived, on the clock of the run.
  var arrival: SensorInstant
  var hasAccuracy = false
}

/// What has arrived for a running source and was not taken yet. Limited: when the source does not keep up, the phone is
/// told.
final class PhoneInbox: Sendable {
  /// Messages, and readings in them.
  static let capacity = (letters: 256, readings: 200_000)

  let device: PhoneDevice
  let clock: any SensorClock
  private let wake: WakeSignal
  private let state = Lock((letters: [PhoneLetter](), readings: 0))

  init(device: PhoneDevice, session: SensorSession) {
    (self.device, clock, wake) = (device, session.clock, session.wake)
  }

  /// False when there is no room.
  func put(_ letter: PhoneLetter) -> Bool {
    let hasRoom = state.withLock { state in
      guard state.letters.count < Self.capacity.letters,
        state.readings + letter.readings.count <= Self.capacity.readings
      else { return false }
      state.letters.append(letter)
      state.readings += letter.readings.count
      return true
    }
    if hasRoom { wake.signal() }
    return hasRoom
  }

  func takeAll() -> [PhoneLetter] {
    state.withLock { state in
      defer { state = ([], 0) }
      return state.letters
    }
  }
}
