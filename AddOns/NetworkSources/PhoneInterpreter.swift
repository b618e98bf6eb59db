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
      // An attitude is looked at for the sign of gravity.
      Set(PhoneSensor.allCases).subtracting([.wrist, .headphones, .watchAccelerometer, .watchBarometer])
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
  /// Halves that wait for the other one.
  var waiting: Int { pairs.linear.count + pairs.gravity.count }

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
    unpaired += waiting
    units = PhoneUnits(platform: units.platform, isStandardised: units.isStandardised)
    (chosen, seen, pairs) = ([], [], ([], []))
  }

  /// Appends what a reading gives: usually one sample, two for a watch, none for what is not used. Returns how many
  /// readings that settles: a half settles nothing, and the other half both.
  mutating func append(_ reading: PhoneReading, to samples: inout [SensorSample]) -> Int {
    let time = SensorInstant(nanoseconds: reading.stamp)
    guard device.sensors.contains(reading.sensor), isChosen(reading.sensor) else {
      ignored += 1
      return 0
    }
    switch (reading.sensor, reading.values) {
    case (.attitude, _): break
    case (.accelerometer, .vector(let value)), (.totalAcceleration, .vector(let value)):
      let unit = units.accelerationUnit(of: reading.sensor)
      samples.append(.accelerometer(AccelerometerSample(time: time, reading: value, unit: unit)))
    case (.linearAcceleration, .vector(let value)):
      return pair(reading.stamp, value, \.linear, with: \.gravity, &samples)
    case (.gravity, .vector(let value)): return pair(reading.stamp, value, \.gravity, with: \.linear, &samples)
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
    default:
      ignored += 1
      return 0
    }
    return 1
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
  ) -> Int {
    guard let index = pairs[keyPath: other].firstIndex(where: { $0.0 == stamp }) else {
      pairs[keyPath: own].append((stamp, value))
      if pairs[keyPath: own].count > Self.longestWait {
        pairs[keyPath: own].removeFirst()
        unpaired += 1
      }
      return 0
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
    return 2
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

/// One measurement as a phone sent it: the sensor, the phone's time and the numbers, not yet brought to a unit.
///
/// A batch of messages is held back before the first sample is delivered, and which unit the numbers have shows only in
/// several of them. So a reading keeps what was sent.
struct PhoneReading: Sendable, Hashable {
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

  /// A barometer's pressure is in hectopascals; an attitude only tells the sign of gravity.
  var sensor: PhoneSensor
  /// ns on the phone's clock.
  var stamp: Int64
  var values: Values
}
