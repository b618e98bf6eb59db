// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// What the loggers of phones measure: one vocabulary for all apps, for their files and for what they send.
package enum PhoneSensor: UInt8, Sendable, CaseIterable {
  /// Gravity included: as the chip measures it, and as the phone adds it up.
  case accelerometer, totalAcceleration
  /// Gravity not included, and gravity.
  case linearAcceleration, gravity
  /// Bias included, and bias removed by the phone.
  case gyroscope, correctedGyroscope
  /// The phone's own field included, and removed.
  case magnetometer, correctedMagnetometer
  case barometer
  case attitude
  /// Motion that a watch and headphones have fused.
  case wrist, headphones
  /// What a watch measures itself.
  case watchAccelerometer, watchBarometer

  /// The ways to the accelerometer, the gyroscope and the magnetometer, best first: raw before corrected, and an
  /// accelerometer rebuilt from two streams where there is no raw one.
  package static let accelerometers: [[PhoneSensor]] = [
    [.accelerometer], [.totalAcceleration], [.linearAcceleration, .gravity],
  ]
  package static let gyroscopes: [PhoneSensor] = [.gyroscope, .correctedGyroscope]
  package static let magnetometers: [PhoneSensor] = [.magnetometer, .correctedMagnetometer]
}

/// Which of the devices that report to a phone's app is meant.
package enum PhoneDevice: String, Sendable, Hashable, CaseIterable {
  case phone, watch, headphones
}

/// Units and signs of the app Sensor Logger, for its files and for its pushes (Documentation/Formats.md 4.2).
///
/// The same numbers mean two things. *Upward*, on Android and where *Standardise* is on in the app, all accelerations
/// are in m/s² and positive upwards at rest. Otherwise they have Core Motion's sign: raw ones and those of watch and
/// headphones are in g, the phone's others, and the gravity of headphones, in m/s².
package enum SensorLogger {
  /// The app's names of the streams, as its files have them; pushes have them in small letters.
  package static let streams: KeyValuePairs<String, PhoneSensor> = [
    "AccelerometerUncalibrated": .accelerometer, "TotalAcceleration": .totalAcceleration,
    "Accelerometer": .linearAcceleration, "Gravity": .gravity, "GyroscopeUncalibrated": .gyroscope,
    "Gyroscope": .correctedGyroscope, "MagnetometerUncalibrated": .magnetometer,
    "Magnetometer": .correctedMagnetometer, "Barometer": .barometer, "Orientation": .attitude, "WristMotion": .wrist,
    "Headphone": .headphones, "WatchAccelerometerUncalibrated": .watchAccelerometer,
    "WatchBarometer": .watchBarometer,
  ]

  /// The name of a stream.
  package static func name(of sensor: PhoneSensor) -> String { streams.first { $0.value == sensor }?.key ?? "" }

  /// The unit of a stream's accelerations, with its sign.
  package static func accelerationUnit(of sensor: PhoneSensor, isUpward: Bool) -> AccelerationUnit {
    guard !isUpward else { return .metresPerSecondSquared }
    return switch sensor {
    case .totalAcceleration, .linearAcceleration, .gravity: .reversedMetresPerSecondSquared
    default: .reversedGravity
    }
  }

  /// What brings the gravity of a watch's or headphones' motion into the unit of its acceleration.
  package static func gravityScale(of sensor: PhoneSensor, isUpward: Bool) -> Double {
    sensor == .headphones && !isUpward ? 1 / standardGravity : 1
  }

  /// Pascal per unit of a pressure: mbar; a watch has kPa until it is converted.
  package static func pressureUnit(of sensor: PhoneSensor, isConverted: Bool = false) -> Double {
    sensor == .watchBarometer && !isConverted ? 1000 : 100
  }

  /// The raw value of ``MotionRow/Location`` for a word of `devicelocation`.
  package static func location(_ word: String?) -> MotionRow.Location {
    word == "left" ? .headphoneLeft : word == "right" ? .headphoneRight : .device
  }

  /// Whether gravity points along the upward direction of an attitude, as upward forms have it; nil when the quaternion
  /// is none.
  package static func isUpward(w: Double, _ vector: Vector3<Device>, gravity: Vector3<Device>) -> Bool? {
    up(w: w, vector).map { gravity.dot($0) > 0 }
  }

  /// Where up is in the device's axes by an attitude; nil when the quaternion is none.
  package static func up(w: Double, _ vector: Vector3<Device>) -> Vector3<Device>? {
    guard let attitude = Rotation<Device, NorthWestUp>(w: w, x: vector.x, y: vector.y, z: vector.z) else { return nil }
    return attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: 1)
  }
}

extension MotionRow {
  /// A quaternion that leads to east-north-up, turned by a quarter about up so that it leads to north-west-up; the
  /// numbers are not normalised (Documentation/Formats.md 2.4).
  package static func northWestUp(fromEastNorthUp w: Double, _ v: Vector3<Device>) -> (Double, Vector3<Device>) {
    let half = 0.5.squareRoot()
    return ((w + v.z) * half, Vector3(x: (v.x + v.y) * half, y: (v.y - v.x) * half, z: (v.z - w) * half))
  }
}
