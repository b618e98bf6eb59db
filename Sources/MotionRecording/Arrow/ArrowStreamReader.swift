// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Reads an Arrow IPC stream, batch by batch, from a file or a pipe; an Arrow file (`ARROW1`) is read as the stream that it
/// contains.
///
/// Columns of whole numbers, floating point, time stamps (as nanoseconds) and text, with their bitmaps of validity. Dictionaries,
/// compressed bodies and other types are errors that name the column. Every length is compared with its cap and with the
/// bytes that are there before memory is taken. Source: https://arrow.apache.org/docs/format/Columnar.html
public final class ArrowStreamReader {
  /// The columns in the order of the stream.
  public let columns: [ArrowColumn]
  /// Rows read so far.
  public private(set) var rowCount = 0
  private let storages: [ArrowStorage]
  private let bytes: ArrowBytes
  private var hasEnded = false

  /// Reads the schema from an open descriptor, which stays open; `name` is for messages.
  public convenience init(descriptor: Int32, name: String) throws(SensorError) {
    try self.init(DescriptorBytes(descriptor, name: name), name: name)
  }

  init(_ source: any ByteSource, name: String) throws(SensorError) {
    bytes = ArrowBytes(source, name: name)
    try bytes.skipFileHeader()
    guard let message = try bytes.message() else {
      throw bytes.error(.malformed, "It ends before its schema: this is no Arrow stream, or an empty one.")
    }
    guard message.type == ArrowFormatNumbers.headerSchema, let schema = message.header else {
      throw bytes.error(.malformed, "An Arrow stream begins with its schema, and this does not.")
    }
    guard schema.number(0) as Int16 == 0 else {
      throw bytes.error(.unsupported, "Its numbers are big-endian, which is not read.")
    }
    let count = schema.count(1, elementSize: 4) ?? 0
    guard count <= InputLimits.columns else {
      throw bytes.error(.limitExceeded, "It has \(count) columns, more than \(InputLimits.columns).")
    }
    guard let fields = schema.tables(1, limit: InputLimits.columns) else {
      throw bytes.error(.malformed, "The schema names no columns.")
    }
    var columns: [ArrowColumn] = []
    var storages: [ArrowStorage] = []
    for field in fields {
      guard let field, let name = field.string(0), name.utf8.count <= InputLimits.nameBytes else {
        throw bytes.error(.malformed, "Column \(columns.count + 1) has no readable name.")
      }
      let storage = try ArrowStorage(field, bytes, column: name)
      columns.append(ArrowColumn(name, storage.kind, unit: Self.unit(of: field)))
      storages.append(storage)
    }
    self.columns = columns
    self.storages = storages
  }

  /// The next rows; nil at the end mark or the end of the bytes.
  public func next() throws(SensorError) -> ArrowBatch? {
    guard !hasEnded else { return nil }
    guard let message = try bytes.message() else {
      hasEnded = true
      return nil
    }
    guard message.type == ArrowFormatNumbers.headerBatch, let batch = message.header else {
      throw bytes.error(
        .unsupported,
        message.type == ArrowFormatNumbers.headerDictionary
          ? "It holds a dictionary, which is not read: write plain columns."
          : "It holds a message of type \(message.type), which is not read.")
    }
    let rows: Int64 = batch.number(0)
    guard rows >= 0, rows <= InputLimits.arrowRows else {
      throw bytes.error(.limitExceeded, "A batch declares \(rows) rows, more than \(InputLimits.arrowRows).")
    }
    if batch.has(3) {
      throw bytes.error(
        .unsupported, "Its columns are compressed, which is not read: write the stream without compression.",
        column: columns.first?.name)
    }
    let body = try bytes.body(message.bodyLength)
    guard let nodes = batch.pairs(1), let buffers = batch.pairs(2), nodes.count == columns.count,
      nodes.allSatisfy({ $0.0 == rows }), buffers.count == storages.reduce(0, { $0 + $1.bufferCount }),
      // Buffers that share bytes would make much memory of a small file.
      buffers.reduce(0.0, { $0 + Double($1.1) }) <= Double(body.bytes.count)
    else { throw bytes.error(.malformed, "A batch does not have the columns of the schema.") }
    var values: [ArrowValues] = []
    var first = 0
    for (storage, column) in zip(storages, columns) {
      let parts = buffers[first..<first + storage.bufferCount].map { body.part($0.0, $0.1) }
      first += storage.bufferCount
      guard let column = ArrowCells(parts, rows: Int(rows)).flatMap({ storage.values($0) }) else {
        throw bytes.error(.malformed, "The cells reach beyond the bytes of their batch.", column: column.name)
      }
      values.append(column)
    }
    rowCount += Int(rows)
    return ArrowBatch(rowCount: Int(rows), columns: values)
  }

  private static func unit(of field: FlatBufferReader.Table) -> String {
    for case let entry? in field.tables(6, limit: InputLimits.arrowMetadataEntries) ?? []
    where entry.string(0) == "unit" { return entry.string(1) ?? "" }
    return ""
  }
}
