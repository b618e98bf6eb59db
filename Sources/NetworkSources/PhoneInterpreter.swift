// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Which of the devices that report to a phone's app a source stands for.
package enum PhoneDevice: String, Sendable, Hashable, CaseIterable {
  case phone, watch, headphones

  /// The readings that it is made of.
  var sensors: Set<PhoneReading.Sensor> {
    switch self {
    case .phone: Set(PhoneReading.Sensor.allCases).subtracting([.wrist, .headphones, .attitude])
    case .watch: [.wrist]
    case .headphones: [.headphones]
    }
  }
}

/// Makes samples of a phone's readings. Their times are still the phone's stamps.
///
/// The rules are those for the app's files: raw sensors before those that the phone has corrected, an accelerometer rebuilt
/// from gravity and linear acceleration where there is no raw one, and a magnetometer in tesla beside accelerations of SI's sign.
struct PhoneInterpreter: Sendable {
  let device: PhoneDevice
  var units: PhoneUnits
  /// Readings of another device or of a second choice; half of a pair without the other half.
  private(set) var ignored = 0, unpaired = 0

  /// Of each quantity the sensor in use; the first one that came, once the choice is made.
  private var accelerometer: PhoneReading.Sensor?
  private var gyroscope: PhoneReading.Sensor?
  private var magnetometer: PhoneReading.Sensor?
  private var seen: Set<PhoneReading.Sensor> = []
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
    accelerometer = seen.contains(.accelerometer) ? .accelerometer : seen.contains(.gravity) ? .gravity : nil
    gyroscope = [.gyroscope, .correctedGyroscope].first(where: seen.contains)
    magnetometer = [.magnetometer, .correctedMagnetometer].first(where: seen.contains)
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
    switch (reading.sensor, reading.values) {
    case (.accelerometer, .vector(let value)) where isChosen(.accelerometer, \.accelerometer):
      samples.append(.accelerometer(AccelerometerSample(time: time, reading: value, unit: units.rawAcceleration)))
    case (.linearAcceleration, .vector(let value)) where isChosen(.gravity, \.accelerometer):
      pair(reading.stamp, value, \.linear, with: \.gravity, &samples)
    case (.gravity, .vector(let value)) where isChosen(.gravity, \.accelerometer):
      pair(reading.stamp, value, \.gravity, with: \.linear, &samples)
    case (.gyroscope, .vector(let value)) where isChosen(.gyroscope, \.gyroscope),
      (.correctedGyroscope, .vector(let value)) where isChosen(.correctedGyroscope, \.gyroscope):
      samples.append(.gyroscope(GyroscopeSample(time: time, angularVelocity: value)))
    case (.magnetometer, .vector(let value)) where isChosen(.magnetometer, \.magnetometer),
      (.correctedMagnetometer, .vector(let value)) where isChosen(.correctedMagnetometer, \.magnetometer):
      samples.append(
        .magnetometer(
          units.isUpward
            ? MagnetometerSample(time: time, magneticField: value * MagneticFieldUnit.microtesla.scale)
            : MagnetometerSample(time: time, reading: value, unit: .microtesla)))
    case (.barometer, .number(let value)): samples.append(.pressure(PressureSample(time: time, pressure: value * 100)))
    case (.wrist, .motion(let motion)):
      let unit: AccelerationUnit = units.isUpward(.wrist) ? .metresPerSecondSquared : .reversedGravity
      // Core Motion only splits the accelerometer's reading, so the sum is the raw sensor.
      let sum = motion.acceleration + motion.gravity
      samples.append(.accelerometer(AccelerometerSample(time: time, reading: sum, unit: unit)))
      samples.append(.gyroscope(GyroscopeSample(time: time, angularVelocity: motion.angularVelocity)))
    case (.headphones, .motion(let motion)): samples.append(.fusedMotion(headMotion(motion, time)))
    default: ignored += 1
    }
  }

  private mutating func isChosen(
    _ sensor: PhoneReading.Sensor, _ choice: WritableKeyPath<Self, PhoneReading.Sensor?>
  ) -> Bool {
    if self[keyPath: choice] == nil { self[keyPath: choice] = sensor }
    return self[keyPath: choice] == sensor
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
          time: SensorInstant(nanoseconds: stamp), reading: linear + gravity, unit: units.acceleration)))
  }

  /// Apple mixes units here: the acceleration in g and gravity in m/s², unless they are standardised.
  private func headMotion(_ motion: PhoneReading.Motion, _ time: SensorInstant) -> FusedMotionSample {
    let isUpward = units.isUpward(.headphones)
    let (w, vector) =
      isUpward
      ? FusedMotionSample.northWestUp(fromEastNorthUp: motion.w, motion.vector) : (motion.w, motion.vector)
    return FusedMotionSample(
      time: time, w: w, vector: vector, reference: .xArbitrary, angularVelocity: motion.angularVelocity,
      gravity: isUpward ? motion.gravity : motion.gravity * (1 / standardGravity),
      linearAcceleration: motion.acceleration,
      accelerationUnit: isUpward ? .metresPerSecondSquared : .reversedGravity,
      location: FusedMotionSample.Location(rawValue: motion.location) ?? .device)
  }
}
