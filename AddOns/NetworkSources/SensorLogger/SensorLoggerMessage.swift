// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

/// One message of the app Sensor Logger, as it sends it by HTTP or MQTT:
///
/// ```
/// {"messageId":0,"sessionId":"…","deviceId":"…",
///  "payload":[{"name":"accelerometer","time":1698501144401773000,"values":{"x":0.1,"y":0.2,"z":0.3},"accuracy":3}]}
/// ```
///
/// Sensors that this package does not use (location, microphone, camera …) are passed over and counted.
/// Source: Documentation/Formats.md 5.1.
struct SensorLoggerMessage: Sendable {
  /// Which recording, and where in it; nil = not a part of a recording (the app's test message has neither member).
  var number: Int64?, session: String?
  var device = ""
  var readings: [PhoneReading] = []
  /// Names of sensors in the message that are not used, each once, at most 16.
  var unused: Set<String> = []
  /// Readings that were no numbers (null) or had no time.
  var unreadable = 0
  /// An accuracy stands beside a reading, as on Android only.
  var hasAccuracy = false

  /// Bytes of an identifier that are kept: it goes into messages.
  private static let longestName = 64

  /// Decodes a body; the error says what is wrong and where.
  init(_ body: [UInt8]) throws(SensorError) {
    var message = SensorLoggerMessage()
    do throws(JSONScanner.Failure) {
      try JSONScanner.read(body[...]) { (scanner) throws(JSONScanner.Failure) in try message.read(&scanner) }
    } catch {
      throw SensorError(
        .malformed, "\(error.message). A message is one JSON object, as Sensor Logger pushes it.",
        at: SensorError.Place(file: "the message", byte: error.byte))
    }
    self = message
  }

  private init() {}

  private mutating func read(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
      switch key {
      case "messageId":
        guard let whole = try scanner.whole() else { throw scanner.failure("This messageId is no number of 64 bits") }
        number = whole
      case "sessionId":
        guard let text = try scanner.text() else { throw scanner.failure("This sessionId is no text") }
        session = String(text.prefix(Self.longestName))
      case "deviceId": device = String((try scanner.text() ?? "").prefix(Self.longestName))
      case "payload" where scanner.peek() == UInt8(ascii: "["):
        try scanner.elements { (scanner) throws(JSONScanner.Failure) in try readEntry(&scanner) }
      default: try scanner.skip(depth: 1)
      }
    }
    guard (number == nil) == (session == nil) else { throw scanner.failure("A messageId comes with a sessionId") }
  }

  /// One reading. The values may stand before or after the name, so all numbers are kept until the end of the object.
  private mutating func readEntry(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    guard scanner.peek() == UInt8(ascii: "{") else { return try scanner.skip(depth: 2) }
    var name: String?
    var stamp: Int64?
    var values = EntryValues()
    try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
      switch key {
      case "name": name = try scanner.text()
      case "time": stamp = try scanner.whole()
      case "accuracy":
        hasAccuracy = true
        try scanner.skip(depth: 3)
      case "values" where scanner.peek() == UInt8(ascii: "{"): try values.read(&scanner)
      default: try scanner.skip(depth: 3)
      }
    }
    guard let name else {
      unreadable += 1
      return
    }
    guard let sensor = Self.sensors[name.lowercased().filter { $0 != " " }] else {
      if unused.count < 16 { unused.insert(String(name.prefix(Self.longestName))) }
      return
    }
    guard let stamp, ArrivalClock.stamps.contains(stamp), let numbers = values.reading(sensor) else {
      unreadable += 1
      return
    }
    readings.append(PhoneReading(sensor: sensor, stamp: stamp, values: numbers))
  }

  /// By the names of the app in small letters, "wrist motion" without its blank. What only a watch has comes in its
  /// files alone.
  private static let sensors = Dictionary(
    uniqueKeysWithValues: SensorLogger.streams.map { ($0.key.lowercased(), $0.value) }
      .filter { ![.watchAccelerometer, .watchBarometer].contains($0.1) })
}

/// The numbers of one reading by their names.
private struct EntryValues {
  /// NaN = not there, or null.
  private var numbers = [Double](repeating: .nan, count: EntryValues.names.count)
  private var location = MotionRow.Location.device

  /// Where each number goes.
  private static let names: [String: Int] = {
    let all =
      ["x", "y", "z", "pressure", "qw", "qx", "qy", "qz", "quaternionW", "quaternionX", "quaternionY", "quaternionZ"]
      + ["rotationRate", "gravity", "acceleration"].flatMap { name in ["X", "Y", "Z"].map { name + $0 } }
    return Dictionary(uniqueKeysWithValues: zip(all, 0...))
  }()

  mutating func read(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
      if let slot = Self.names[key], scanner.peek() != UInt8(ascii: "\"") {
        numbers[slot] = try scanner.double() ?? .nan
      } else if key == "devicelocation" {
        location = SensorLogger.location(try scanner.text())
      } else {
        try scanner.skip(depth: 4)
      }
    }
  }

  /// Nil when a number is missing.
  func reading(_ sensor: PhoneSensor) -> PhoneReading.Values? {
    func vector(_ slot: Int) -> Vector3<Device> {
      Vector3(x: numbers[slot], y: numbers[slot + 1], z: numbers[slot + 2])
    }
    func motion(quaternion slot: Int) -> PhoneReading.Motion {
      PhoneReading.Motion(
        w: numbers[slot], vector: vector(slot + 1), angularVelocity: vector(12), gravity: vector(15),
        acceleration: vector(18), location: location.rawValue)
    }
    switch sensor {
    case .barometer: return numbers[3].isFinite ? .number(numbers[3]) : nil
    case .attitude:
      var motion = motion(quaternion: 4)
      (motion.angularVelocity, motion.gravity, motion.acceleration) = (.zero, .zero, .zero)
      return motion.isFinite ? .motion(motion) : nil
    case .wrist, .headphones:
      let motion = motion(quaternion: 8)
      return motion.isFinite ? .motion(motion) : nil
    default: return vector(0).isFinite ? .vector(vector(0)) : nil
    }
  }
}

extension PhoneReading.Motion {
  fileprivate var isFinite: Bool {
    w.isFinite && vector.isFinite && angularVelocity.isFinite && gravity.isFinite && acceleration.isFinite
  }
}
