// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing
import PhoneFormats

/// Turns messages of our own topics back into what was recorded: bit for bit what ``TopicEncoder`` was given, but that
/// the two halves of an inertial sample come apart.
///
/// Messages are not trusted: depth, lengths and magnitudes are capped, and what is not as the topic's table
/// says is a ``SensorError`` that names the byte. Not for several threads at once.
package struct TopicDecoder {
  private var parsers: [Topic.Kind: TopicParser] = [:]

  /// A decoder for all topics.
  package init() {}

  /// What a message says.
  ///
  /// `time` is the message's instant as the file states it, where it does: Core Motion's time stamps are doubles, and
  /// the file's integer gives the exact nanosecond when the double is too coarse (Unix time). `place` is for messages.
  package mutating func decode(
    _ kind: Topic.Kind, _ body: ArraySlice<UInt8>, time: SensorInstant? = nil, receivedAt: SensorInstant? = nil,
    at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) -> RecordedItem {
    var parser = parsers.removeValue(forKey: kind) ?? TopicParser(kind.fields)
    defer { parsers[kind] = parser }
    do throws(JSONScanner.Failure) {
      try parser.read(body)
    } catch {
      var place = place()
      place.byte = (place.byte ?? 0) + error.byte
      throw .damaged("\(error.message): this is not a message of \(kind.rawValue)", at: place)
    }
    var values = TopicValues(parser.values, hint: time)
    let item: RecordedItem? = values.instant().flatMap { time in
      switch kind.form.content {
      case .sample(let make): make(time, &values).map { .sample($0, receivedAt: receivedAt) }
      case .event(let make): make(time, &values).map { .event($0, receivedAt: receivedAt) }
      }
    }
    guard let item else {
      throw .damaged("A time, a number or a name in this message of \(kind.rawValue) is out of range", at: place())
    }
    return item
  }
}

/// The values of a decoded message, taken one after the other in the order of the topic's fields: as ``TopicEncoder``
/// appended them.
struct TopicValues {
  private let values: [TopicValue]
  private var next = 0
  /// The message's instant as the file states it.
  private let hint: SensorInstant?

  init(_ values: [TopicValue], hint: SensorInstant? = nil) { (self.values, self.hint) = (values, hint) }

  private mutating func take() -> TopicValue {
    defer { next += 1 }
    return values[next]
  }

  /// NaN = absent.
  mutating func number() -> Double { if case .number(let value) = take() { value } else { .nan } }

  mutating func optional() -> Double? {
    let value = number()
    return value.isNaN ? nil : value
  }

  mutating func degrees() -> AngleReading? { optional().map { AngleReading($0, .degree) } }

  mutating func vector() -> Vector3<Device> { Vector3(x: number(), y: number(), z: number()) }

  mutating func integer() -> Int64? { if case .integer(let value) = take() { value } else { nil } }

  mutating func boolean() -> Bool { if case .boolean(let value) = take() { value } else { false } }

  mutating func text() -> String? { if case .text(let value) = take() { value } else { nil } }

  /// The instant that a message begins with: whole nanoseconds, or seconds. Of seconds it is the nanosecond that the
  /// file states where its double is the same.
  mutating func instant() -> SensorInstant? {
    switch take() {
    case .integer(let nanoseconds): return SensorInstant(nanoseconds: nanoseconds)
    case .seconds(let seconds, let nanoseconds):
      if let hint, hint.seconds == seconds { return hint }
      return nanoseconds.map { SensorInstant(nanoseconds: $0) }
    default: return nil
    }
  }
}

/// Reads the messages of one topic by its table of fields: their values, in the order of the table.
struct TopicParser {
  private(set) var values: [TopicValue]
  private let fields: [TopicField]

  init(_ fields: [TopicField]) {
    self.fields = fields
    values = Array(repeating: .absent, count: fields.reduce(0) { $0 + $1.leafCount })
  }

  /// Reads one object; keys that are not in the table are passed over.
  mutating func read(_ bytes: ArraySlice<UInt8>) throws(JSONScanner.Failure) {
    for index in values.indices { values[index] = .absent }
    try JSONScanner.read(bytes) { (scanner) throws(JSONScanner.Failure) in
      try readObject(&scanner, fields, from: 0, depth: 1)
    }
  }

  /// `first`: the place of the object's first value.
  private mutating func readObject(
    _ scanner: inout JSONScanner, _ fields: [TopicField], from first: Int, depth: Int
  ) throws(JSONScanner.Failure) {
    try scanner.expect(UInt8(ascii: "{"))
    var seen: UInt64 = 0
    // Our own messages have the keys in the order of the table: what comes next, and the place of its first value.
    var (next, place) = (0, first)
    if !scanner.skip(UInt8(ascii: "}")) {
      repeat {
        let name = try scanner.rawString()
        try scanner.expect(UInt8(ascii: ":"))
        var isKnown = false
        for _ in fields.indices {
          if next == fields.count { (next, place) = (0, first) }
          isKnown = scanner.holds(name, fields[next].bytes)
          if isKnown { break }
          place += fields[next].leafCount
          next += 1
        }
        let isNull = scanner.peek() == UInt8(ascii: "n")
        guard isKnown, !isNull else {
          try scanner.skip(depth: depth + 1)
          continue
        }
        if case .object(let inner) = fields[next].content {
          try readObject(&scanner, inner, from: place, depth: depth + 1)
        } else {
          values[place] = try Self.value(&scanner, fields[next].content)
        }
        seen |= 1 << UInt64(next)
        place += fields[next].leafCount
        next += 1
      } while scanner.skip(UInt8(ascii: ","))
      try scanner.expect(UInt8(ascii: "}"))
    }
    for (index, field) in fields.enumerated() where field.isRequired && seen & (1 << UInt64(index)) == 0 {
      throw scanner.failure("The value \(field.name.debugDescription) is missing")
    }
  }

  private static func value(
    _ scanner: inout JSONScanner, _ content: TopicField.Content
  ) throws(JSONScanner.Failure) -> TopicValue {
    switch content {
    case .boolean: return .boolean(try scanner.boolean())
    case .string: return .text(try scanner.string())
    default: break
    }
    guard let (value, text) = try scanner.number() else { return .absent }
    if content == .integer {
      guard value.exponent == 0, !value.hasExponent, let whole = value.nanoseconds(decimals: 0) else {
        throw scanner.failure("This is not a whole number within the limits")
      }
      return .integer(whole)
    }
    guard let number = scanner.double(value, text), abs(number) <= InputLimits.magnitude else {
      throw scanner.failure("This number is too large for a measurement")
    }
    return content == .seconds ? .seconds(number, nanoseconds: value.nanoseconds(decimals: 9)) : .number(number)
  }
}
