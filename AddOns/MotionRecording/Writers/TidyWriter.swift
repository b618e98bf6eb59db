// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Writes a recording as one table per topic: `walk.sensor.gyroscope.csv`, `walk.motion.device.csv` …, and
/// `walk.columns.csv`, which contains the unit and the meaning of every column.
///
/// The columns are the properties of the topic's messages, nested ones joined by an underscore (`attitude_x`), with the
/// same digits. Absent values are empty cells. A table is created with its first row.
public final class TidyWriter: RecordingWriter {
  /// Creates the file of a table; its name is the recording's stem, a point and this: "sensor.gyroscope.csv".
  public typealias SinkMaker = (_ name: String) throws(SensorError) -> any ByteSink

  /// Rows written, of all tables.
  package private(set) var rows = 0
  private let makeSink: SinkMaker
  private var encoder: TopicEncoder
  /// In the order in which they were begun.
  private var tables: [(topic: Topic, sink: any ByteSink)] = []
  private var row = JSONText(capacity: 1024)

  /// A writer of one device's recording.
  public init(description: RecordingDescription, makeSink: @escaping SinkMaker) {
    self.makeSink = makeSink
    encoder = TopicEncoder(description)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    try encoder.forEachMessage(of: item) { (topic, _, values) throws(SensorError) in
      let sink = try sink(of: topic)
      row.removeAll()
      for (index, value) in values.enumerated() {
        if index > 0 { row.append(",") }
        row.append(cell: value)
      }
      row.append("\n")
      try sink.write(row)
      rows += 1
    }
  }

  public func finish() throws(SensorError) {
    for table in tables { try table.sink.finish() }
    let sink = try makeSink("columns.csv")
    row.removeAll()
    row.append("topic,column,unit,description\n")
    for (topic, _) in tables {
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
    if let table = tables.first(where: { $0.topic == topic }) { return table.sink }
    let name = topic.name.dropFirst().split(separator: "/").joined(separator: ".")
    let sink = try makeSink("\(name).csv")
    tables.append((topic, sink))
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
    ("m/s^2", "m/s^2"), ("rad/s", "rad/s"), ("microtesla", "µT"), ("tesla", "T"), ("pascal", "Pa"),
    ("degrees Celsius", "°C"), ("degrees", "°"), ("nanoseconds", "ns"), ("seconds", "s"), ("g", "g"),
  ]
}
