// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

extension PhoneDevice {
  /// The readings that it is made of.
  var sensors: Set<PhoneSensor> {
    switch self {
    case .phone:
      Set(PhoneSensor.allCases).subtracting([.wrist, .headphones, .attitude, .watchAccelerometer, .watchBarometer])
    case .watch: [.wrist]
    case .headphones: [.headphones]
    }
  }
}

/// Makes samples of a phone's readings. Their times are still the phone's stamps.
///
/// The rules are those for the app's files (``PhoneSensor``, ``SensorLogger``); as there, a magnetometer is in tesla
/// beside accelerations of SI's sign.
struct PhoneInterpreter: Sendable {
  let device: PhoneDevice
  var units: PhoneUnits
  /// Readings of another device or of a second choice; half of a pair without the other half.
  private(set) var ignored = 0, unpaired = 0

  /// Of each quantity the sensor in use; the first one that came, once the choice is made.
  private var chosen: Set<PhoneSensor> = []
  private static let choices =
    [PhoneSensor.accelerometers.compactMap(\.last), PhoneSensor.gyroscopes, PhoneSensor.magnetometers]
  private var seen: Set<PhoneSensor> = []
  private var pairs = (linear: [(Int64, Vector3<Device>)](), gravity: [(Int64, Vector3<Device>)]())

  /// Readings that wait for their other half, at most.
  private static let longestWait = 64

  init(device: PhoneDevice, units: PhoneUnits) { (self.device, self.units) = (device, units) }

  /// Looks at readings before the first one becomes a sample.
  mutating func learn(_ readings: [PhoneReading]) {
    for reading in readings {
      seen.insert(reading.sensor)
      units.learn(reading)
    }
  }

  /// Chooses the sensors from what has been seen.
  mutating func choose() {
    for choice in Self.choices {
      if let best = choice.first(where: seen.contains) { chosen.insert(best) }
    }
  }

  /// Another recording begins, perhaps with other sensors and settings.
  mutating func restart() {
    let (ignored, unpaired) = (ignored, unpaired + pairs.linear.count + pairs.gravity.count)
    self = PhoneInterpreter(
      device: device, units: PhoneUnits(platform: units.platform, isStandardised: units.isStandardised))
    (self.ignored, self.unpaired) = (ignored, unpaired)
  }

  /// Appends what a reading gives: usually one sample, two for a watch, none for what is not used.
  mutating func append(_ reading: PhoneReading, to samples: inout [SensorSample]) {
    let time = SensorInstant(nanoseconds: reading.stamp)
    guard device.sensors.contains(reading.sensor) else {
      // An attitude is looked at for the sign of gravity, and not lost.
      if reading.sensor != .attitude { ignored += 1 }
      return
    }
    guard isChosen(reading.sensor) else { return ignored += 1 }
    switch (reading.sensor, reading.values) {
    case (.accelerometer, .vector(let value)), (.totalAcceleration, .vector(let value)):
      let unit = units.accelerationUnit(of: reading.sensor)
      samples.append(.accelerometer(AccelerometerSample(time: time, reading: value, unit: unit)))
    case (.linearAcceleration, .vector(let value)): pair(reading.stamp, value, \.linear, with: \.gravity, &samples)
    case (.gravity, .vector(let value)): pair(reading.stamp, value, \.gravity, with: \.linear, &samples)
    case (.gyroscope, .vector(let value)), (.correctedGyroscope, .vector(let value)):
      samples.append(.gyroscope(GyroscopeSample(time: time, angularVelocity: value)))
    case (.magnetometer, .vector(let value)), (.correctedMagnetometer, .vector(let value)):
      samples.append(
        .magnetometer(
          units.isUpward(.accelerometer)
            ? MagnetometerSample(time: time, magneticField: value * MagneticFieldUnit.microtesla.scale)
            : MagnetometerSample(time: time, reading: value, unit: .microtesla)))
    case (.barometer, .number(let value)):
      let pressure = value * SensorLogger.pressureUnit(of: .barometer)
      samples.append(.pressure(PressureSample(time: time, pressure: pressure)))
    case (.wrist, .motion(let motion)):
      // Core Motion only splits the accelerometer's reading, so the sum is the raw sensor.
      let (sum, unit) = (motion.acceleration + motion.gravity, units.accelerationUnit(of: .wrist))
      samples.append(.accelerometer(AccelerometerSample(time: time, reading: sum, unit: unit)))
      samples.append(.gyroscope(GyroscopeSample(time: time, angularVelocity: motion.angularVelocity)))
    case (.headphones, .motion(let motion)): samples.append(.motion(headMotion(motion, time)))
    default: ignored += 1
    }
  }

  private mutating func isChosen(_ sensor: PhoneSensor) -> Bool {
    // The two halves of an accelerometer are one choice.
    let sensor = sensor == .linearAcceleration ? .gravity : sensor
    guard let choice = Self.choices.first(where: { $0.contains(sensor) }) else { return true }
    if chosen.isDisjoint(with: choice) { chosen.insert(sensor) }
    return chosen.contains(sensor)
  }

  private typealias Halves = (linear: [(Int64, Vector3<Device>)], gravity: [(Int64, Vector3<Device>)])

  /// Gravity and linear acceleration of one event have the same stamp, and may come in either order.
  private mutating func pair(
    _ stamp: Int64, _ value: Vector3<Device>, _ own: WritableKeyPath<Halves, [(Int64, Vector3<Device>)]>,
    with other: WritableKeyPath<Halves, [(Int64, Vector3<Device>)]>, _ samples: inout [SensorSample]
  ) {
    guard let index = pairs[keyPath: other].firstIndex(where: { $0.0 == stamp }) else {
      pairs[keyPath: own].append((stamp, value))
      if pairs[keyPath: own].count > Self.longestWait {
        pairs[keyPath: own].removeFirst()
        unpaired += 1
      }
      return
    }
    let half = pairs[keyPath: other][index].1
    unpaired += index
    pairs[keyPath: other].removeFirst(index + 1)
    let (linear, gravity) = own == \Halves.linear ? (value, half) : (half, value)
    samples.append(
      .accelerometer(
        AccelerometerSample(
          time: SensorInstant(nanoseconds: stamp), reading: linear + gravity,
          unit: units.accelerationUnit(of: .gravity))))
  }

  private func headMotion(_ motion: PhoneReading.Motion, _ time: SensorInstant) -> MotionRow {
    let isUpward = units.isUpward(.headphones)
    let (w, vector) =
      isUpward
      ? MotionRow.northWestUp(fromEastNorthUp: motion.w, motion.vector) : (motion.w, motion.vector)
    let scale = SensorLogger.gravityScale(of: .headphones, isUpward: isUpward)
    return MotionRow(
      time: time, w: w, vector: vector, reference: .xArbitrary, angularVelocity: motion.angularVelocity,
      gravity: scale == 1 ? motion.gravity : motion.gravity * scale, linearAcceleration: motion.acceleration,
      accelerationUnit: units.accelerationUnit(of: .headphones),
      location: MotionRow.Location(rawValue: motion.location) ?? .device)
  }
}

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
