// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import WearAnalysis

/// The file that `motionctl day` writes rows into: `-o days.csv`.
package struct DayFile {
  /// By the ending of a name.
  package enum Format: String, CaseIterable {
    case csv, json, ndjson, parquet

    package init?(path: String) {
      guard let dot = path.lastIndex(of: ".") else { return nil }
      self.init(rawValue: path[path.index(after: dot)...].lowercased())
    }
  }

  private let file: OutputFile
  private let format: Format

  /// Before anything is read: what cannot be written is said at once.
  package init(_ path: String, _ format: Format, readingFrom input: String?) throws {
    let inputs = [input].compactMap(\.self)
    self.format = format
    file =
      try format == .parquet
      ? OutputFile.openParquet(path, readingFrom: inputs) : OutputFile.open(path, readingFrom: inputs)
  }

  package func discard() { file.discard() }

  /// Writes the rows; the file takes its place.
  package func write(_ rows: DayRows, file name: String) throws {
    let columns = rows.columns(file: name)
    try file.whole { file in
      switch format {
      case .parquet: try rows.writeArrow(columns, OutputFileSink(file))
      case .csv: try file.write(rows.csv(columns))
      case .json: try file.write(rows.json(columns).bytes + [UInt8(ascii: "\n")])
      case .ndjson:
        for day in rows.days {
          var text = JSONText()
          DayRows.append(day, columns, to: &text)
          try file.write(text.bytes + [UInt8(ascii: "\n")])
        }
      }
    }
  }
}

/// The rows of days as a value of `--json`.
struct DayTable: Encodable {
  let rows: DayRows
  let file: String

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    let columns = rows.columns(file: file)
    for day in rows.days {
      var row = list.nestedContainer(keyedBy: Name.self)
      for column in columns {
        let name = Name(stringValue: column.name)
        switch column.cell(day) {
        case .text(let value): try row.encode(value, forKey: name)
        case .integer(let value): try row.encode(value, forKey: name)
        case .number(let value): try row.encode(value.flatMap { $0.isFinite ? $0 : nil }, forKey: name)
        }
      }
    }
  }
}

extension DayRows {
  static func append(_ day: DaySummary, _ columns: [Column], to text: inout JSONText) {
    for (index, column) in columns.enumerated() {
      text.append(byte: index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text.append(quoting: column.name)
      text.append(byte: UInt8(ascii: ":"))
      switch column.cell(day) {
      case .text(let value): text.append(quoting: value)
      case .integer(let value): text.append(value)
      case .number(let value): if let value, value.isFinite { text.append(value) } else { text.append("null") }
      }
    }
    text.append("}")
  }

  /// An array of objects.
  func json(_ columns: [Column]) -> JSONText {
    var text = JSONText()
    text.append("[")
    for (index, day) in days.enumerated() {
      if index > 0 { text.append(",") }
      Self.append(day, columns, to: &text)
    }
    text.append("]")
    return text
  }

  func csv(_ columns: [Column]) -> [UInt8] {
    var text = JSONText()
    text.append(columns.map(\.name).joined(separator: ",") + "\n")
    for day in days {
      for (index, column) in columns.enumerated() {
        if index > 0 { text.append(",") }
        switch column.cell(day) {
        case .text(let value): text.append(csv: value)
        case .integer(let value): text.append(value)
        case .number(let value): if let value, value.isFinite { text.append(value) }
        }
      }
      text.append("\n")
    }
    return text.bytes
  }

  /// Absent numbers are NaN there.
  func writeArrow(_ columns: [Column], _ sink: OutputFileSink) throws {
    var kinds: [ArrowColumn] = []
    var values: [ArrowValues] = []
    for column in columns {
      let cells = days.map(column.cell)
      switch cells.first {
      case .text:
        kinds.append(ArrowColumn(column.name, .text))
        values.append(.texts(cells.map { if case .text(let text) = $0 { text } else { nil } }))
      case .integer:
        kinds.append(ArrowColumn(column.name, .integer))
        values.append(.integers(cells.map { if case .integer(let value) = $0 { Int64(value) } else { .min } }))
      case .number, nil:
        kinds.append(ArrowColumn(column.name, .number, unit: column.unit))
        values.append(.numbers(cells.map { if case .number(let value?) = $0 { value } else { .nan } }))
      }
    }
    do {
      let writer = try ArrowStreamWriter(sink, columns: kinds)
      try writer.write(ArrowBatch(rowCount: days.count, columns: values))
      try writer.finish()
    } catch {
      throw sink.failure ?? error
    }
  }
}
