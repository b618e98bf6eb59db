// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

/// Which units and signs the numbers of Sensor Logger have: what the person says, else what the numbers show.
///
/// The app's messages do not name which of the two forms of ``SensorLogger`` they have. A raw acceleration near 1 is
/// Core Motion's and one near 9.8 is not, and where there is none, gravity lies against or along the upward direction
/// of the attitude.
struct PhoneUnits: Sendable {
  /// The phone's system.
  enum Platform: String, Sendable, Hashable, CaseIterable { case ios, android }

  /// As the person says; nil = not said.
  var platform: Platform?
  var isStandardised: Bool?

  /// What the numbers have shown so far.
  private var lengths: [Double] = []
  private var votes: [PhoneSensor: Int] = [:]
  private var up: (stamp: Int64, direction: Vector3<Device>)? = nil
  private var isAndroid = false

  /// Readings that are looked at for one question.
  private static let enough = 200
  /// Between 1 g and 9.8 m/s², so that a phone that is moved while it starts is told as well.
  private static let between = 3.1

  init(platform: Platform? = nil, isStandardised: Bool? = nil) {
    (self.platform, self.isStandardised) = (platform, isStandardised)
  }

  /// Looks at a reading; those of one message come in order of time.
  mutating func learn(_ reading: PhoneReading) {
    switch (reading.sensor, reading.values) {
    case (.accelerometer, .vector(let value)) where lengths.count < Self.enough: lengths.append(value.length)
    case (.attitude, .motion(let motion)): up = motion.up.map { (reading.stamp, $0) }
    case (.gravity, .vector(let value)):
      // The attitude just before is near enough to tell up from down.
      guard let up, abs(up.stamp - reading.stamp) < 500_000_000 else { return }
      vote(.gravity, value.dot(up.direction))
    case (.wrist, .motion(let motion)), (.headphones, .motion(let motion)):
      if let up = motion.up { vote(reading.sensor, motion.gravity.dot(up)) }
    default: break
    }
  }

  /// An accuracy stood beside a reading, which is so on Android only.
  mutating func learnAccuracy() { isAndroid = true }

  private mutating func vote(_ sensor: PhoneSensor, _ alongUp: Double) {
    let votes = votes[sensor, default: 0]
    if abs(votes) < Self.enough { self.votes[sensor] = votes + (alongUp > 0 ? 1 : -1) }
  }

  /// What follows from what the person says; nil when it is not enough.
  private var isUpwardAsSaid: Bool? { platform == .android ? true : isStandardised }

  private var isUpwardByLength: Bool? {
    guard !lengths.isEmpty else { return nil }
    return lengths.sorted()[lengths.count / 2] > Self.between
  }

  /// Whether a sensor's accelerations are in m/s², upwards at rest; false: as Core Motion has them. Watch and
  /// headphones have forms of their own.
  func isUpward(_ sensor: PhoneSensor) -> Bool {
    if let isUpwardAsSaid { return isUpwardAsSaid }
    switch sensor {
    case .wrist, .headphones: return votes[sensor].map { $0 > 0 } ?? false
    default: return isUpwardByLength ?? votes[.gravity].map { $0 > 0 } ?? isAndroid
    }
  }

  /// The unit of a sensor's accelerations, with its sign.
  func accelerationUnit(of sensor: PhoneSensor) -> AccelerationUnit {
    SensorLogger.accelerationUnit(of: sensor, isUpward: isUpward(sensor))
  }

  /// What a person should know, as a sentence; nil = all is well.
  var doubt: String? {
    if let said = isUpwardAsSaid, let seen = isUpwardByLength ?? votes[.gravity].map({ $0 > 0 }), said != seen {
      let (form, option) =
        seen ? ("m/s², upwards", "standardised=yes") : ("g, as Core Motion has it", "standardised=no")
      return
        "The accelerations look like \(form), which is not what the address of the source says: remove “platform” and “standardised” from it, or write \(option)."
    }
    let isToldByNothing = lengths.isEmpty && votes[.gravity] == nil && !isAndroid
    if isUpwardAsSaid == nil, isToldByNothing {
      return
        "Nothing in the messages tells the sign of the accelerations, which is taken as Core Motion's. Switch on “Accelerometer Uncalibrated” or “Orientation” in Sensor Logger, or add platform=android or standardised=yes to the address of the source."
    }
    return nil
  }
}

extension PhoneReading.Motion {
  /// Where up is in the device's axes; nil when the quaternion is none.
  var up: Vector3<Device>? { SensorLogger.up(w: w, vector) }
}
