// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A column of an Arrow stream, as this library reads and writes them.
package struct ArrowColumn: Sendable, Hashable {
  /// What the cells hold.
  package enum Kind: String, Sendable, Hashable {
    /// 64-bit whole numbers; times in nanoseconds among them.
    case integer = "int64"
    /// Double precision; NaN where nothing is known.
    case number = "double"
    /// UTF-8 text.
    case text = "utf8"
  }

  /// Unique within a table.
  package var name: String
  /// What the cells hold.
  package var kind: Kind
  /// The unit, as the field's metadata `unit` has it; empty = none.
  package var unit: String

  /// A column.
  package init(_ name: String, _ kind: Kind, unit: String = "") {
    self.name = name
    self.kind = kind
    self.unit = unit
  }
}

/// The cells of a column in one batch. Absent ones are NaN, `Int64.min` and nil.
package enum ArrowValues: Sendable, Hashable {
  case integers([Int64])
  case numbers([Double])
  case texts([String?])

  /// How many.
  package var count: Int {
    switch self {
    case .integers(let values): values.count
    case .numbers(let values): values.count
    case .texts(let values): values.count
    }
  }

  /// Empty, of a kind.
  package init(_ kind: ArrowColumn.Kind) {
    self =
      switch kind {
      case .integer: .integers([])
      case .number: .numbers([])
      case .text: .texts([])
      }
  }
}

/// Rows of an Arrow stream.
package struct ArrowBatch: Sendable, Hashable {
  /// How many rows.
  package var rowCount: Int
  /// A value for each column of the schema, each of `rowCount` cells.
  package var columns: [ArrowValues]

  /// A batch; all columns have the same length.
  package init(rowCount: Int, columns: [ArrowValues]) {
    self.rowCount = rowCount
    self.columns = columns
  }
}

/// The numbers of Arrow's format. Source: https://arrow.apache.org/docs/format/Columnar.html and its `Message.fbs`,
/// `Schema.fbs`.
enum ArrowFormatNumbers {
  /// MetadataVersion V5; V4 differs in nothing that is read here.
  static let version: Int16 = 4
  static let headerSchema: UInt8 = 1
  static let headerDictionary: UInt8 = 2
  static let headerBatch: UInt8 = 3
  static let typeInt: UInt8 = 2
  static let typeFloatingPoint: UInt8 = 3
  static let typeUTF8: UInt8 = 5
  static let typeTimestamp: UInt8 = 10
  static let typeLargeUTF8: UInt8 = 20
  static let single: Int16 = 1
  static let double: Int16 = 2
}

/// How the cells of a column lie in the buffers of a batch.
enum ArrowStorage {
  /// Bytes of a whole number, and whether it has a sign; times are multiplied to nanoseconds.
  case whole(size: Int, isSigned: Bool, scale: Int64)
  case single
  case double
  case text
  case longText

  /// From a field of the schema; fails with the column's name.
  init(_ field: FlatBufferReader.Table, _ bytes: ArrowBytes, column: String) throws(SensorError) {
    typealias Numbers = ArrowFormatNumbers
    if field.has(4) {
      throw bytes.error(
        .unsupported, "This column is dictionary-encoded, which is not supported: write it as plain text or numbers.",
        column: column)
    }
    let number: UInt8 = field.number(2)
    let type = field.table(3)
    switch number {
    case Numbers.typeInt:
      let width: Int32 = type?.number(0) ?? 0
      let isSigned: UInt8 = type?.number(1) ?? 0
      if width == 32 || width == 64 {
        self = .whole(size: Int(width) / 8, isSigned: isSigned != 0, scale: 1)
        return
      }
    case Numbers.typeFloatingPoint:
      let precision: Int16 = type?.number(0) ?? 0
      if precision == Numbers.double {
        self = .double
        return
      }
      if precision == Numbers.single {
        self = .single
        return
      }
    case Numbers.typeTimestamp:
      let unit: Int16 = type?.number(0) ?? 0
      if (0...3).contains(unit) {
        self = .whole(size: 8, isSigned: true, scale: [1_000_000_000, 1_000_000, 1000, 1][Int(unit)])
        return
      }
    case Numbers.typeUTF8:
      self = .text
      return
    case Numbers.typeLargeUTF8:
      self = .longText
      return
    default: break
    }
    throw bytes.error(
      .unsupported,
      "The type of this column (number \(number)) is not supported: remove it, or cast it to int64, double or text.",
      column: column)
  }

  var kind: ArrowColumn.Kind {
    switch self {
    case .whole: .integer
    case .single, .double: .number
    case .text, .longText: .text
    }
  }

  /// Buffers of a column, the bitmap of validity included.
  var bufferCount: Int { kind == .text ? 3 : 2 }

  /// The cells; nil when they reach beyond their buffers.
  func values(_ cells: ArrowCells) -> ArrowValues? {
    switch self {
    case .whole(let size, let isSigned, let scale):
      guard cells.holds(size) else { return nil }
      if size == 8, scale == 1, let values = cells.whole(Int64.init(bitPattern:)) { return .integers(values) }
      return .integers(
        (0..<cells.rows).map { row in
          guard cells.isValid(row) else { return .min }
          let bits = cells.bits(row, size: size)
          let empty = UInt64(64 - 8 * size)
          let value = isSigned ? Int64(bitPattern: bits << empty) >> Int64(empty) : Int64(truncatingIfNeeded: bits)
          let (product, overflow) = value.multipliedReportingOverflow(by: scale)
          return overflow ? .min : product
        })
    case .double:
      guard cells.holds(8) else { return nil }
      if let values = cells.whole(Double.init(bitPattern:)) { return .numbers(values) }
      return .numbers(
        (0..<cells.rows).map { cells.isValid($0) ? Double(bitPattern: cells.bits($0, size: 8)) : .nan })
    case .single:
      guard cells.holds(4) else { return nil }
      return .numbers(
        (0..<cells.rows).map {
          cells.isValid($0) ? Double(Float(bitPattern: UInt32(cells.bits($0, size: 4)))) : .nan
        })
    case .text, .longText:
      let size = if case .text = self { 4 } else { 8 }
      return cells.texts(offsetSize: size).map { .texts($0) }
    }
  }
}

/// The buffers of one column of a batch.
struct ArrowCells {
  let rows: Int
  /// No cell is absent.
  private let isWhole: Bool
  private let validity: ArraySlice<UInt8>
  private let first: ArraySlice<UInt8>
  private let second: ArraySlice<UInt8>

  /// Nil when a buffer is missing, or the bitmap is shorter than the rows.
  init?(_ buffers: [ArraySlice<UInt8>?], rows: Int) {
    let found = buffers.compactMap(\.self)
    guard found.count == buffers.count, found.count >= 2 else { return nil }
    let validity = found[0]
    guard validity.isEmpty || validity.count >= (rows + 7) / 8 else { return nil }
    let rest: UInt8 = (1 << UInt8(rows % 8)) - 1
    isWhole =
      validity.isEmpty
      || (validity.prefix(rows / 8).allSatisfy { $0 == 0xFF }
        && (rest == 0 || validity[validity.startIndex + rows / 8] & rest == rest))
    self.validity = validity
    first = found[1]
    second = found.count > 2 ? found[2] : []
    self.rows = rows
  }

  /// Whether the cells of a column of numbers are all there.
  func holds(_ size: Int) -> Bool { first.count / size >= rows }

  /// All cells of eight bytes at once where none is absent.
  func whole<Cell>(_ cell: (UInt64) -> Cell) -> [Cell]? {
    isWhole ? (0..<rows).map { cell(first.span.littleEndian(at: 8 * $0)) } : nil
  }

  func isValid(_ row: Int) -> Bool {
    isWhole || validity[validity.startIndex + row / 8] & (1 << UInt8(row % 8)) != 0
  }

  /// The bytes of a cell, little-endian; `size` is 4 or 8.
  func bits(_ row: Int, size: Int) -> UInt64 {
    size == 4
      ? UInt64(first.span.littleEndian(at: row * 4, as: UInt32.self)) : first.span.littleEndian(at: row * 8)
  }

  /// Texts between offsets; nil when these do not rise within the text.
  func texts(offsetSize: Int) -> [String?]? {
    // A column without rows may have no offsets.
    guard rows > 0 else { return [] }
    guard first.count / offsetSize > rows else { return nil }
    var texts: [String?] = []
    texts.reserveCapacity(rows)
    var previous = ""
    var previousBytes: ArraySlice<UInt8> = []
    for row in 0..<rows {
      // Offsets of absent cells rise too: no text can be shared by many rows.
      let (start, end) = (bits(row, size: offsetSize), bits(row + 1, size: offsetSize))
      guard start <= end, end <= UInt64(second.count), end - start <= UInt64(InputLimits.stringBytes) else {
        return nil
      }
      guard isValid(row) else {
        texts.append(nil)
        continue
      }
      // Keys repeat from row to row: one string serves many.
      let bytes = second.dropFirst(Int(start)).prefix(Int(end - start))
      if bytes != previousBytes { (previous, previousBytes) = (String(decoding: bytes, as: UTF8.self), bytes) }
      texts.append(previous)
    }
    return texts
  }
}
