// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

/// One sample as the Android apps SensorServer (over WebSocket) and SensaGram (over UDP) send it:
///
/// ```
/// {"type":"android.sensor.accelerometer","timestamp":3925657519043709,"values":[0.31,-0.97,10.04],"accuracy":2}
/// ```
///
/// Times are ns since the phone has booted; units and signs are Android's (m/s² upwards at rest, rad/s, µT, hPa).
enum AndroidSensorMessage {
  /// The types that are used. Those without a bias or a field of the phone's own are its corrected ones.
  static let sensors: [String: PhoneSensor] = [
    "android.sensor.accelerometer": .accelerometer, "android.sensor.gyroscope": .correctedGyroscope,
    "android.sensor.gyroscope_uncalibrated": .gyroscope, "android.sensor.magnetic_field": .correctedMagnetometer,
    "android.sensor.magnetic_field_uncalibrated": .magnetometer, "android.sensor.pressure": .barometer,
  ]

  /// Nil for a sensor that is not used; throws when it is no such message. `sensor` is that of a message without a type.
  static func reading(
    _ text: [UInt8], sensor standard: PhoneSensor? = nil
  ) throws(JSONScanner.Failure) -> PhoneReading? {
    var type: String?
    var stamp: Int64?
    var values: [Double] = []
    try JSONScanner.read(text) { (scanner) throws(JSONScanner.Failure) in
      try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
        switch key {
        case "type": type = try scanner.text()
        case "timestamp": stamp = try scanner.whole()
        case "values" where scanner.peek() == UInt8(ascii: "["):
          try scanner.elements { (scanner) throws(JSONScanner.Failure) in
            let value = try scanner.double() ?? .nan
            // The uncalibrated types have six numbers, and no type that is used has more.
            if values.count < 6 { values.append(value) }
          }
        default: try scanner.skip(depth: 1)
        }
      }
    }
    guard let stamp, ArrivalClock.stamps.contains(stamp), type != nil || standard != nil else {
      throw JSONScanner.Failure(byte: 0, message: "The message has no time or no type")
    }
    guard let sensor = type.map({ sensors[$0] }) ?? standard else { return nil }
    if sensor == .barometer {
      guard let value = values.first, value.isFinite else { throw notFinite }
      return PhoneReading(sensor: sensor, stamp: stamp, values: .number(value))
    }
    guard values.count >= 3, values[..<3].allSatisfy(\.isFinite) else { throw notFinite }
    return PhoneReading(
      sensor: sensor, stamp: stamp, values: .vector(Vector3(x: values[0], y: values[1], z: values[2])))
  }

  private static var notFinite: JSONScanner.Failure {
    JSONScanner.Failure(byte: 0, message: "The message has too few numbers")
  }
}
