// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionMath
package import MotionSensing
import PhoneFormats

/// Turns messages of our own topics back into what was recorded: bit for bit what ``TopicEncoder`` was given, but that the two
/// halves of an inertial sample come apart.
///
/// Messages are not trusted: depth, lengths and magnitudes are capped, and what is not as the topic's table
/// says is a ``SensorError`` that names the byte. Not for several threads at once.
package struct TopicDecoder {
  private var fields: [Topic.Kind: TopicFields] = [:]
  private let wallOffset: SensorDuration

  /// `wallOffset`: Unix time less the recording's time, for the topics whose messages carry Unix time.
  package init(wallOffset: SensorDuration? = nil) { self.wallOffset = wallOffset ?? .zero }

  /// What a message says; nil for topics that hold results of Core Motion's services, which no source delivers.
  ///
  /// `time` is the message's instant as the file states it, where it does: Core Motion's time stamps are doubles, and the
  /// file's integer gives the exact nanosecond when the double is too coarse (Unix time). `place` is for messages.
  package mutating func decode(
    _ kind: Topic.Kind, _ body: UnsafeRawBufferPointer, time: SensorInstant? = nil, receivedAt: SensorInstant? = nil,
    at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) -> RecordedItem? {
    guard Self.isDecoded(kind) else { return nil }
    var values: TopicFields
    if let known = fields.removeValue(forKey: kind) { values = known } else { values = TopicFields(kind.fields) }
    defer { fields[kind] = values }
    do throws(JSONScanner.Failure) {
      try values.read(body)
    } catch {
      var place = place()
      place.byte = (place.byte ?? 0) + error.byte
      throw .damaged("\(error.message): this is not a message of \(kind.rawValue)", at: place)
    }
    guard let item = item(kind, values, time, receivedAt) else {
      throw .damaged(
        "A time, a number or a name in this message of \(kind.rawValue) is out of range", at: place())
    }
    return item
  }

  /// Whether messages of the topic become items.
  static func isDecoded(_ kind: Topic.Kind) -> Bool {
    switch kind {
    case .accelerometer, .gyroscope, .magnetometer, .pressure, .waterPressure, .temperature, .motionAccelerometer,
      .motionGyro, .motionMagnetometer, .deviceMotion, .headphoneMotion, .batchedAccelerometer, .batchedDeviceMotion,
      .connection, .availability, .error, .gap, .annotation, .truthPose:
      true
    default: false
    }
  }

  private func item(
    _ kind: Topic.Kind, _ values: TopicFields, _ hint: SensorInstant?, _ receivedAt: SensorInstant?
  ) -> RecordedItem? {
    switch kind {
    case .connection, .availability, .error, .gap, .annotation:
      return event(kind, values).map { .event($0, receivedAt: receivedAt) }
    case .truthPose:
      return truth(values, hint).map { .truth($0, receivedAt: receivedAt) }
    default:
      guard let time = kind.isStampedInNanoseconds ? values.instant(0) : values.instant(seconds: 0, hint: hint) else {
        return nil
      }
      return sample(kind, values, time).map { .sample($0, receivedAt: receivedAt) }
    }
  }

  private func sample(_ kind: Topic.Kind, _ values: TopicFields, _ time: SensorInstant) -> SensorSample? {
    let numbers = values.numbers
    switch kind {
    case .accelerometer:
      return .accelerometer(AccelerometerSample(time: time, specificForce: values.vector(1)))
    case .motionAccelerometer, .batchedAccelerometer:
      return .accelerometer(AccelerometerSample(time: time, reading: values.vector(1), unit: .reversedGravity))
    case .gyroscope, .motionGyro: return .gyroscope(GyroscopeSample(time: time, angularVelocity: values.vector(1)))
    case .magnetometer:
      return .magnetometer(MagnetometerSample(time: time, magneticField: values.vector(1)))
    case .motionMagnetometer:
      return .magnetometer(MagnetometerSample(time: time, reading: values.vector(1), unit: .microtesla))
    case .pressure, .waterPressure:
      return .pressure(
        PressureSample(
          time: time, pressure: numbers[1], temperature: numbers[2].isNaN ? nil : numbers[2],
          medium: kind == .pressure ? .air : .water))
    case .temperature: return .temperature(TemperatureSample(time: time, temperature: numbers[1]))
    case .deviceMotion, .headphoneMotion, .batchedDeviceMotion:
      return fusedMotion(values, time).map { .fusedMotion($0) }
    default: return nil
    }
  }

  private func event(_ kind: Topic.Kind, _ values: TopicFields) -> RecordingEvent? {
    guard let time = values.instant(0) else { return nil }
    let strings = values.strings
    let integers = values.integers
    switch kind {
    case .connection:
      guard let device = strings[1] else { return nil }
      return .connection(time, device: device, isConnected: values.numbers[2] == 1)
    case .availability:
      guard let service = strings[1], let authorization = integers[3] else { return nil }
      return .availability(
        time, service: service, isAvailable: values.numbers[2] == 1, authorization: Int(authorization))
    case .error:
      guard let service = strings[1], let domain = strings[2], let code = integers[3], let text = strings[4] else {
        return nil
      }
      return .error(time, service: service, domain: domain, code: Int(code), message: text)
    case .gap:
      guard let service = strings[1], let duration = integers[2] else { return nil }
      return .gap(
        time, service: service, duration: SensorDuration(nanoseconds: duration), lost: integers[3].map { Int($0) })
    case .annotation: return strings[1].map { .annotation(time, text: $0) }
    default: return nil
    }
  }
}

extension Topic.Kind {
  /// True for `timestamp_ns`; else `timestamp` in seconds.
  fileprivate var isStampedInNanoseconds: Bool {
    switch self {
    case .accelerometer, .gyroscope, .magnetometer, .pressure, .waterPressure, .temperature, .orientation: true
    default: false
    }
  }
}

extension TopicDecoder {
  private func truth(_ values: TopicFields, _ hint: SensorInstant?) -> TruthPose? {
    let numbers = values.numbers
    guard let seconds = values.integers[0], let rest = values.integers[1], (0..<1_000_000_000).contains(rest),
      (0..<4_000_000_000).contains(seconds), let frame = values.strings[2]
    else { return nil }
    let time = hint ?? SensorInstant(nanoseconds: seconds * 1_000_000_000 + rest) - wallOffset
    return TruthPose(
      time: time, frame: frame, position: (numbers[3], numbers[4], numbers[5]),
      orientation: (numbers[9], numbers[6], numbers[7], numbers[8]))
  }

  private func fusedMotion(_ values: TopicFields, _ time: SensorInstant) -> FusedMotionSample? {
    let numbers = values.numbers
    var field: FusedMotionSample.CalibratedField?
    if !numbers[14].isNaN {
      guard let accuracy = values.integers[17], (-1...2).contains(accuracy) else { return nil }
      field = FusedMotionSample.CalibratedField(
        reading: values.vector(14), unit: .microtesla, accuracy: Int8(accuracy))
    }
    let frame = values.integers[21] ?? 1
    guard [1, 2, 4, 8].contains(frame),
      let reference = FusedMotionSample.Reference(rawValue: UInt8(frame.trailingZeroBitCount)),
      let location = FusedMotionSample.Location(rawValue: UInt8(clamping: values.integers[20] ?? 0))
    else { return nil }
    return FusedMotionSample(
      time: time, w: numbers[4], vector: values.vector(1), reference: reference, angularVelocity: values.vector(5),
      gravity: values.vector(8), linearAcceleration: values.vector(11), accelerationUnit: .reversedGravity,
      field: field, heading: numbers[18].isNaN ? nil : AngleReading(numbers[18], .degree),
      headingAccuracy: numbers[19].isNaN ? nil : AngleReading(numbers[19], .degree), location: location,
      inclinationDeviation: numbers[22].isNaN ? nil : AngleReading(numbers[22], .degree),
      headingDeviation: numbers[23].isNaN ? nil : AngleReading(numbers[23], .degree))
  }
}

extension TopicFields {
  fileprivate func vector(_ slot: Int) -> Vector3<Device> {
    Vector3(x: numbers[slot], y: numbers[slot + 1], z: numbers[slot + 2])
  }

  fileprivate func instant(_ slot: Int) -> SensorInstant? { integers[slot].map { SensorInstant(nanoseconds: $0) } }

  /// The nanosecond that a time in seconds means: the one of `hint` where its double is the same.
  fileprivate func instant(seconds slot: Int, hint: SensorInstant?) -> SensorInstant? {
    if let hint, hint.seconds == numbers[slot] { return hint }
    return nanoseconds[slot].map { SensorInstant(nanoseconds: $0) }
  }
}

/// The values of one message, in slots: the leaves of a topic's table of fields, counted depth first.
struct TopicFields {
  /// NaN = absent; booleans are 0 and 1.
  private(set) var numbers: [Double]
  /// The same as whole nanoseconds or counts, kept exactly; nil = absent or not whole.
  private(set) var integers: [Int64?]
  /// Times in seconds as the nearest nanosecond of the digits as written.
  private(set) var nanoseconds: [Int64?]
  private(set) var strings: [String?]
  private let nodes: [Node]

  private indirect enum Content { case leaf(TopicField.Content, slot: Int), object([Node]) }
  private struct Node {
    var name: [UInt8]
    var content: Content
    var isRequired: Bool
  }

  init(_ fields: [TopicField]) {
    var count = 0
    nodes = Self.nodes(fields, &count)
    numbers = Array(repeating: .nan, count: count)
    integers = Array(repeating: nil, count: count)
    nanoseconds = Array(repeating: nil, count: count)
    strings = Array(repeating: nil, count: count)
  }

  private static func nodes(_ fields: [TopicField], _ count: inout Int) -> [Node] {
    var nodes: [Node] = []
    for field in fields {
      if case .object(let inner) = field.content {
        nodes.append(
          Node(name: Array(field.name.utf8), content: .object(Self.nodes(inner, &count)), isRequired: field.isRequired))
      } else {
        nodes.append(
          Node(
            name: Array(field.name.utf8), content: .leaf(field.content, slot: count), isRequired: field.isRequired))
        count += 1
      }
    }
    return nodes
  }

  /// Reads one object; keys that are not in the table are passed over.
  mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONScanner.Failure) {
    for slot in numbers.indices {
      numbers[slot] = .nan
      integers[slot] = nil
      nanoseconds[slot] = nil
      strings[slot] = nil
    }
    try JSONScanner.read(bytes.bindMemory(to: UInt8.self)) { (scanner) throws(JSONScanner.Failure) in
      try readObject(&scanner, nodes, depth: 1)
    }
  }

  private mutating func readObject(
    _ scanner: inout JSONScanner, _ nodes: [Node], depth: Int
  ) throws(JSONScanner.Failure) {
    try scanner.expect(UInt8(ascii: "{"))
    var seen: UInt64 = 0
    // Our own messages have the keys in the order of the table.
    var expected = 0
    if !scanner.skip(UInt8(ascii: "}")) {
      repeat {
        let name = try scanner.rawString()
        try scanner.expect(UInt8(ascii: ":"))
        guard let index = Self.find(name, nodes, from: expected) else {
          try scanner.skip(depth: depth + 1)
          continue
        }
        expected = index + 1
        let isNull = scanner.peek() == UInt8(ascii: "n")
        switch nodes[index].content {
        case .object(let inner) where !isNull: try readObject(&scanner, inner, depth: depth + 1)
        case .leaf(let content, let slot) where !isNull: try readLeaf(&scanner, content, slot)
        default: try scanner.skip(depth: depth + 1)
        }
        if !isNull { seen |= 1 << UInt64(index) }
      } while scanner.skip(UInt8(ascii: ","))
      try scanner.expect(UInt8(ascii: "}"))
    }
    for (index, node) in nodes.enumerated() where node.isRequired && seen & (1 << UInt64(index)) == 0 {
      throw scanner.failure("The value \(String(decoding: node.name, as: UTF8.self).debugDescription) is missing")
    }
  }

  private static func find(_ name: UnsafeBufferPointer<UInt8>, _ nodes: [Node], from expected: Int) -> Int? {
    if expected < nodes.count, isEqual(name, nodes[expected].name) { return expected }
    return nodes.firstIndex { isEqual(name, $0.name) }
  }

  private static func isEqual(_ name: UnsafeBufferPointer<UInt8>, _ other: [UInt8]) -> Bool {
    guard name.count == other.count, let base = name.baseAddress else { return false }
    return other.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { memcmp(base, $0, bytes.count) == 0 } ?? false
    }
  }

  private mutating func readLeaf(
    _ scanner: inout JSONScanner, _ content: TopicField.Content, _ slot: Int
  ) throws(JSONScanner.Failure) {
    switch content {
    case .boolean: numbers[slot] = try scanner.boolean() ? 1 : 0
    case .string: strings[slot] = try scanner.string()
    case .integer:
      guard let (value, _) = try scanner.number() else { return }
      guard value.exponent == 0, !value.hasExponent, let whole = value.nanoseconds(decimals: 0) else {
        throw scanner.failure("This is not a whole number within the limits")
      }
      integers[slot] = whole
    default:
      guard let (value, text) = try scanner.number() else { return }
      guard let number = value.double(text: text), abs(number) <= InputLimits.magnitude else {
        throw scanner.failure("This number is too large for a measurement")
      }
      numbers[slot] = number
      nanoseconds[slot] = value.nanoseconds(decimals: 9)
    }
  }
}
