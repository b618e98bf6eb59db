// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A column of an Arrow stream, as this library reads and writes them.
public struct ArrowColumn: Sendable, Hashable {
  /// What the cells hold.
  public enum Kind: String, Sendable, Hashable {
    /// 64-bit whole numbers; times in nanoseconds among them.
    case integer = "int64"
    /// Double precision; NaN where nothing is known.
    case number = "double"
    /// UTF-8 text.
    case text = "utf8"
  }

  /// Unique within a table.
  public var name: String
  /// What the cells hold.
  public var kind: Kind
  /// The unit, as the field's metadata `unit` has it; empty = none.
  public var unit: String

  /// A column.
  public init(_ name: String, _ kind: Kind, unit: String = "") {
    self.name = name
    self.kind = kind
    self.unit = unit
  }
}

/// The cells of a column in one batch. Absent ones are NaN, `Int64.min` and nil.
public enum ArrowValues: Sendable, Hashable {
  case integers([Int64])
  case numbers([Double])
  case texts([String?])

  /// How many.
  public var count: Int {
    switch self {
    case .integers(let values): values.count
    case .numbers(let values): values.count
    case .texts(let values): values.count
    }
  }

  /// Empty, of a kind.
  public init(_ kind: ArrowColumn.Kind) {
    self =
      switch kind {
      case .integer: .integers([])
      case .number: .numbers([])
      case .text: .texts([])
      }
  }
}

/// Rows of an Arrow stream.
public struct ArrowBatch: Sendable, Hashable {
  /// How many rows.
  public var rowCount: Int
  /// A value for each column of the schema, each of `rowCount` cells.
  public var columns: [ArrowValues]

  /// A batch; all columns have the same length.
  public init(rowCount: Int, columns: [ArrowValues]) {
    self.rowCount = rowCount
    self.columns = columns
  }
}

/// The numbers of Arrow's format. Source: https://arrow.apache.org/docs/format/Columnar.html and its `Message.fbs`, `Schema.fbs`.
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
