// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Writes a recording as a table a topic: `walk.sensor.gyroscope.csv`, `walk.motion.device.csv` …, and `walk.columns.csv`, which tells
/// the unit and the meaning of every column.
///
/// The columns are the properties of the topic's messages, nested ones joined by an underscore (`attitude_x`), with the same
/// digits. Absent values are empty cells. A table is begun when its first item comes.
public final class TidyWriter: CountingWriter {
  /// Makes the file of a table; its name is the recording's stem, a point and this: "sensor.gyroscope.csv".
  public typealias SinkMaker = (_ name: String) throws(SensorError) -> any ByteSink

  public private(set) var counts = WriterCounts()
  private let makeSink: SinkMaker
  private var encoder: TopicEncoder
  private var sinks: [Topic: any ByteSink] = [:]
  /// In the order of their beginning.
  private var topics: [Topic] = []
  private var row = JSONText(capacity: 1024)

  /// A writer of one device's recording.
  public init(description: RecordingDescription, makeSink: @escaping SinkMaker) {
    self.makeSink = makeSink
    encoder = TopicEncoder(description)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    try encoder.encode(item) { (topic, _, body) throws(SensorError) in
      let sink = try sink(of: topic)
      row.removeAll()
      var reader = CellReader(body)
      reader.append(topic.kind.fields, to: &row)
      row.append("\n")
      try sink.write(row)
      counts.rows += 1
    }
  }

  public func finish() throws(SensorError) {
    for topic in topics { try sinks[topic]?.finish() }
    let sink = try makeSink("columns.csv")
    row.removeAll()
    row.append("topic,column,unit,description\n")
    for topic in topics {
      for column in TidyColumn.all(of: topic.kind.fields) {
        row.append(raw: topic.name)
        for cell in [column.name, column.unit, column.remark] {
          row.append(",")
          row.append(csv: cell)
        }
        row.append("\n")
      }
    }
    try sink.write(row)
    try sink.finish()
  }

  private func sink(of topic: Topic) throws(SensorError) -> any ByteSink {
    if let sink = sinks[topic] { return sink }
    let name = topic.name.dropFirst().split(separator: "/").joined(separator: ".")
    let sink = try makeSink("\(name).csv")
    sinks[topic] = sink
    topics.append(topic)
    let names = TidyColumn.all(of: topic.kind.fields).map(\.name)
    try sink.write(Array((names.joined(separator: ",") + "\n").utf8))
    return sink
  }
}

/// A column of a tidy table.
struct TidyColumn {
  var name: String
  /// Empty for what has none.
  var unit: String
  var remark: String

  /// The leaves of a topic's properties.
  static func all(of fields: [TopicField], prefix: String = "", remark: String = "") -> [TidyColumn] {
    fields.flatMap { field -> [TidyColumn] in
      let text = field.remark.isEmpty ? remark : field.remark
      if case .object(let parts) = field.content {
        return all(of: parts, prefix: prefix + field.name + "_", remark: text)
      }
      return [TidyColumn(name: prefix + field.name, unit: unit(in: text), remark: text)]
    }
  }

  /// The table of fields has units in words, at the beginning or after the commas of the remark.
  private static func unit(in remark: String) -> String {
    let parts = remark.split(separator: ",").map { $0.drop { $0 == " " } }
    for (words, unit) in units where parts.contains(where: { $0.hasPrefix(words) }) { return unit }
    return ""
  }

  /// Longer words before those that begin them.
  private static let units = [
    ("m/s^2", "m/s^2"), ("rad/s", "rad/s"), ("microtesla", "µT"), ("tesla", "T"), ("kilopascal", "kPa"),
    ("pascal", "Pa"),
    ("degrees Celsius", "°C"), ("degrees", "°"), ("metre", "m"), ("nanoseconds", "ns"), ("seconds", "s"),
    ("Unix seconds", "s"), ("s/m", "s/m"), ("steps/s", "1/s"),
    ("g", "g"),
  ]
}

/// Reads the values of a message that this library has written itself, in the order of the topic's properties.
private struct CellReader {
  private let body: UnsafeRawBufferPointer
  private var position = 0
  private var isFirst = true

  init(_ body: UnsafeRawBufferPointer) { self.body = body }

  /// The cells of an object; a property that is not there leaves its cells empty.
  mutating func append(_ fields: [TopicField], to row: inout JSONText) {
    _ = take(UInt8(ascii: "{"))
    for field in fields {
      let isThere = takeKey(field.name)
      guard case .object(let parts) = field.content else {
        appendSeparator(to: &row)
        if isThere { appendValue(to: &row) }
        continue
      }
      if isThere {
        append(parts, to: &row)
      } else {
        for _ in TidyColumn.all(of: parts) { appendSeparator(to: &row) }
      }
    }
    _ = take(UInt8(ascii: "}"))
  }

  private mutating func appendSeparator(to row: inout JSONText) {
    if !isFirst { row.append(",") }
    isFirst = false
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < body.count, body[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func takeKey(_ name: String) -> Bool {
    var ahead = position
    if ahead < body.count, body[ahead] == UInt8(ascii: ",") { ahead += 1 }
    let key = "\"\(name)\":".utf8
    guard body.count - ahead >= key.count, body[ahead..<ahead + key.count].elementsEqual(key) else { return false }
    position = ahead + key.count
    return true
  }

  private mutating func appendValue(to row: inout JSONText) {
    guard position < body.count else { return }
    if body[position] == UInt8(ascii: "\"") { return appendString(to: &row) }
    let start = position
    while position < body.count, body[position] != UInt8(ascii: ","), body[position] != UInt8(ascii: "}") {
      position += 1
    }
    let value = body[start..<position]
    if !value.elementsEqual("null".utf8) { row.append(raw: value) }
  }

  private mutating func appendString(to row: inout JSONText) {
    position += 1
    var text: [UInt8] = []
    while position < body.count, body[position] != UInt8(ascii: "\"") {
      guard body[position] == UInt8(ascii: "\\"), position + 1 < body.count else {
        text.append(body[position])
        position += 1
        continue
      }
      switch body[position + 1] {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      // Other control characters have no place in a table.
      case UInt8(ascii: "u"): position += 4
      case let byte: text.append(byte)
      }
      position += 2
    }
    position += 1
    row.append(csv: String(decoding: text, as: UTF8.self))
  }
}
