// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

/// A datagram of the apps that send JSON over UDP.
///
/// - SensaGram (Android): one sample, as ``AndroidSensorMessage``.
/// - ZIG SIM (iOS, Android): `{"sensordata":{"accel":{"x":…},"gravity":{"x":…},"gyro":{"x":…}, …}}`, g in Core Motion's sign and rad/s,
///   the gyroscope's bias removed. It has no times of the sensors: a sample has the time at which it arrived.
enum DatagramMessage: Sendable, Equatable {
  case android(PhoneReading?)
  case zigSim([PhoneReading])

  /// Units and signs of the app.
  var units: PhoneUnits {
    switch self {
    case .android: PhoneUnits(platform: .android)
    case .zigSim: PhoneUnits(platform: .ios, isStandardised: false)
    }
  }

  init(_ bytes: [UInt8], arrival: SensorInstant) throws(JSONScanner.Failure) {
    guard bytes.firstRange(of: Array("\"sensordata\"".utf8)) != nil else {
      self = .android(try AndroidSensorMessage.reading(bytes))
      return
    }
    var vectors: [String: Vector3<Device>] = [:]
    try JSONScanner.read(bytes) { (scanner) throws(JSONScanner.Failure) in
      try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
        guard key == "sensordata", scanner.peek() == UInt8(ascii: "{") else { return try scanner.skip(depth: 1) }
        try scanner.members { (name, scanner) throws(JSONScanner.Failure) in
          guard ["accel", "gravity", "gyro"].contains(name), scanner.peek() == UInt8(ascii: "{") else {
            return try scanner.skip(depth: 2)
          }
          vectors[name] = try Self.vector(&scanner)
        }
      }
    }
    var readings: [PhoneReading] = []
    // Core Motion has only split the accelerometer's reading: the sum is the raw sensor.
    if let acceleration = vectors["accel"], let gravity = vectors["gravity"] {
      readings.append(Self.reading(.accelerometer, acceleration + gravity, arrival))
    }
    if let rate = vectors["gyro"] { readings.append(Self.reading(.correctedGyroscope, rate, arrival)) }
    guard readings.allSatisfy({ if case .vector(let value) = $0.values { value.isFinite } else { true } }) else {
      throw JSONScanner.Failure(byte: 0, message: "The message has too few numbers")
    }
    self = .zigSim(readings)
  }

  private static func reading(
    _ sensor: PhoneSensor, _ value: Vector3<Device>, _ arrival: SensorInstant
  ) -> PhoneReading {
    PhoneReading(sensor: sensor, stamp: arrival.nanoseconds, values: .vector(value))
  }

  private static func vector(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) -> Vector3<Device> {
    var (x, y, z) = (Double.nan, Double.nan, Double.nan)
    try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
      switch key {
      case "x": x = try scanner.double() ?? .nan
      case "y": y = try scanner.double() ?? .nan
      case "z": z = try scanner.double() ?? .nan
      default: try scanner.skip(depth: 3)
      }
    }
    return Vector3(x: x, y: y, z: z)
  }

  static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.android(let a), .android(let b)): a == b
    case (.zigSim(let a), .zigSim(let b)): a == b
    default: false
    }
  }
}
