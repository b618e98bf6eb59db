// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Writes an Arrow IPC stream: the schema, record batches, the end mark.
///
/// Int64, double and UTF-8 columns without nulls (absent numbers are NaN), dictionaries or compression; the units are
/// in the metadata of the fields. Source: https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
package final class ArrowStreamWriter {
  /// As given.
  package let columns: [ArrowColumn]
  private let sink: any ByteSink
  /// The cells of a batch, in memory that is used again.
  private var body: [UInt8] = []

  /// Writes the schema. `metadata` is the table's own, in the order given.
  package init(
    _ sink: any ByteSink, columns: [ArrowColumn], metadata: [(key: String, value: String)] = []
  ) throws(SensorError) {
    self.columns = columns
    self.sink = sink
    try writeMessage(Self.schema(columns, metadata))
  }

  /// Writes rows; the columns must be those of the schema. An empty batch writes nothing.
  package func write(_ batch: ArrowBatch) throws(SensorError) {
    guard batch.rowCount > 0 else { return }
    body.removeAll(keepingCapacity: true)
    body.reserveCapacity(batch.rowCount * 8 * (batch.columns.count + 1))
    var buffers: [(Int64, Int64)] = []
    func append(_ cells: [some BitwiseCopyable]) {
      let start = body.count
      // unsafe: the bytes of plain numbers as they are, which on a little-endian machine are those of the stream.
      cells.withUnsafeBytes { body.append(contentsOf: $0) }
      buffers.append((Int64(start), Int64(body.count - start)))
      while body.count % 8 != 0 { body.append(0) }
    }
    for values in batch.columns {
      // No nulls, so the bitmap of validity may be empty.
      buffers.append((Int64(body.count), 0))
      switch values {
      case .integers(let values): append(values)
      case .numbers(let values): append(values)
      case .texts(let values):
        var text: [UInt8] = []
        var ends: [Int32] = [0]
        ends.reserveCapacity(values.count + 1)
        for value in values {
          text.append(contentsOf: (value ?? "").utf8)
          ends.append(Int32(truncatingIfNeeded: text.count))
        }
        guard text.count <= Int32.max else {
          throw SensorError(
            .limitExceeded, "The text of \(batch.rowCount) rows is longer than 2 GiB: write smaller batches.")
        }
        append(ends)
        append(text)
      }
    }
    try writeMessage(Self.batch(batch, buffers, bodyLength: body.count))
    try sink.write(body)
  }

  /// Writes the end mark and closes the sink.
  package func finish() throws(SensorError) {
    try sink.write([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
    try sink.finish()
  }

  /// Hands what has been written so far to the reader.
  package func flush() throws(SensorError) { try sink.flush() }

  private func writeMessage(_ metadata: [UInt8]) throws(SensorError) {
    var head: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    head.append(littleEndian: Int32(metadata.count))
    try sink.write(head)
    try sink.write(metadata)
  }

  private static func schema(_ columns: [ArrowColumn], _ metadata: [(key: String, value: String)]) -> [UInt8] {
    var (writer, root) = FlatBufferWriter.beginning()
    let message = writer.table(
      [.short(ArrowFormatNumbers.version), .byte(ArrowFormatNumbers.headerSchema), .reference, .long(0)], in: root)
    // Endianness little, fields, metadata.
    let schema = writer.table([.short(0), .reference, metadata.isEmpty ? .absent : .reference], in: message[0])
    if schema.count > 1 { append(metadata, in: schema[1], to: &writer) }
    for (column, hole) in zip(columns, writer.references(columns.count, in: schema[0])) {
      append(column, in: hole, to: &writer)
    }
    writer.align(to: 8)
    return writer.bytes
  }

  private static func append(
    _ column: ArrowColumn, in hole: FlatBufferWriter.Hole, to writer: inout FlatBufferWriter
  ) {
    typealias Numbers = ArrowFormatNumbers
    let type: UInt8 =
      switch column.kind {
      case .integer: Numbers.typeInt
      case .number: Numbers.typeFloatingPoint
      case .text: Numbers.typeUTF8
      }
    // Name, nullable, type, dictionary, children, metadata.
    let field = writer.table(
      [
        .reference, .byte(0), .byte(type), .reference, .absent, .reference, column.unit.isEmpty ? .absent : .reference,
      ], in: hole)
    writer.string(column.name, in: field[0])
    switch column.kind {
    case .integer: _ = writer.table([.int(64), .byte(1)], in: field[1])
    case .number: _ = writer.table([.short(Numbers.double)], in: field[1])
    case .text: _ = writer.table([], in: field[1])
    }
    // Empty, but readers insist on it.
    _ = writer.references(0, in: field[2])
    if field.count > 3 { append([("unit", column.unit)], in: field[3], to: &writer) }
  }

  private static func append(
    _ metadata: [(key: String, value: String)], in hole: FlatBufferWriter.Hole, to writer: inout FlatBufferWriter
  ) {
    for (pair, hole) in zip(metadata, writer.references(metadata.count, in: hole)) {
      let entry = writer.table([.reference, .reference], in: hole)
      writer.string(pair.key, in: entry[0])
      writer.string(pair.value, in: entry[1])
    }
  }

  private static func batch(_ batch: ArrowBatch, _ buffers: [(Int64, Int64)], bodyLength: Int) -> [UInt8] {
    var (writer, root) = FlatBufferWriter.beginning()
    let message = writer.table(
      [
        .short(ArrowFormatNumbers.version), .byte(ArrowFormatNumbers.headerBatch), .reference, .long(Int64(bodyLength)),
      ], in: root)
    let table = writer.table([.long(Int64(batch.rowCount)), .reference, .reference], in: message[0])
    writer.pairs(batch.columns.map { (Int64($0.count), 0) }, in: table[0])
    writer.pairs(buffers, in: table[1])
    writer.align(to: 8)
    return writer.bytes
  }
}
