// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MotionSensing

/// Reads an Arrow IPC stream, batch by batch, from a file or a pipe; an Arrow file (`ARROW1`) is read as the stream
/// that it contains.
///
/// Columns of whole numbers, floating point, time stamps (as nanoseconds) and text, with their bitmaps of validity.
/// Dictionaries, compressed bodies and other types are errors that name the column. Every length is compared with its
/// cap and with the bytes that are there before memory is taken. Source:
/// https://arrow.apache.org/docs/format/Columnar.html
package final class ArrowStreamReader {
  /// The columns in the order of the stream.
  package let columns: [ArrowColumn]
  /// Rows read so far.
  package private(set) var rowCount = 0
  /// Bytes read so far.
  package var byteCount: Int { bytes.offset }
  private let storages: [ArrowStorage]
  private let bytes: ArrowBytes
  private var hasEnded = false
  private var batchCount = 0

  /// Reads the schema from an open descriptor, which stays open; `name` is for messages.
  package convenience init(descriptor: Int32, name: String) throws(SensorError) {
    try self.init(DescriptorBytes(descriptor, name: name), name: name)
  }

  init(_ source: any ByteSource, name: String) throws(SensorError) {
    bytes = ArrowBytes(source, name: name)
    try bytes.skipFileHeader()
    guard let message = try bytes.message() else {
      throw bytes.error(.malformed, "It ends before its schema: this is not an Arrow stream, or an empty one.")
    }
    guard message.type == ArrowFormatNumbers.headerSchema, let schema = message.header else {
      throw bytes.error(.malformed, "An Arrow stream begins with its schema, but this does not.")
    }
    guard schema.number(0) as Int16 == 0 else {
      throw bytes.error(.unsupported, "Its numbers are big-endian, which is not supported.")
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
      guard let field, let name = field.string(0) else {
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
  package func next() throws(SensorError) -> ArrowBatch? {
    guard !hasEnded else { return nil }
    guard let message = try bytes.message() else {
      hasEnded = true
      return nil
    }
    guard message.type == ArrowFormatNumbers.headerBatch, let batch = message.header else {
      throw bytes.error(
        .unsupported,
        message.type == ArrowFormatNumbers.headerDictionary
          ? "It contains a dictionary, which is not supported: write plain columns."
          : "It contains a message of type \(message.type), which is not supported.")
    }
    let rows: Int64 = batch.number(0)
    guard rows >= 0, rows <= InputLimits.arrowRows else {
      throw bytes.error(.limitExceeded, "A batch declares \(rows) rows, more than \(InputLimits.arrowRows).")
    }
    if batch.has(3) {
      throw bytes.error(
        .unsupported, "Its columns are compressed, which is not supported: write the stream without compression.",
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
        throw bytes.error(.malformed, "The cells exceed the bytes of their batch.", column: column.name)
      }
      values.append(column)
    }
    rowCount += Int(rows)
    batchCount += 1
    return ArrowBatch(rowCount: Int(rows), columns: values)
  }

  /// Compares what stands behind the rows with what belongs there: the end mark, and in a file the footer, which counts
  /// the batches. Reads to the end of the bytes, so it is for files and not for pipes.
  package func checkEnd() throws(SensorError) {
    guard hasEnded else { return }
    try bytes.checkEnd(batches: batchCount)
  }

  private static func unit(of field: FlatBufferReader.Table) -> String {
    for case let entry? in field.tables(6, limit: InputLimits.arrowMetadataEntries) ?? []
    where entry.string(0) == "unit" { return entry.string(1) ?? "" }
    return ""
  }
}

/// Bytes of an open descriptor: a pipe, a socket, standard input.
final class DescriptorBytes: ByteSource {
  private let descriptor: Int32
  private let name: String

  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  func read(_ most: Int, into bytes: inout [UInt8]) throws(SensorError) -> Int {
    while true {
      let count = bytes.append(most: most) { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&state, 1, -1)
      default: throw SensorError(.system, "Reading failed.", at: .init(file: name), errno: errno)
      }
    }
  }
}

/// The messages of an Arrow stream, one after the other.
final class ArrowBytes {
  /// What stands in front of a body.
  struct Message {
    var type: UInt8
    var header: FlatBufferReader.Table?
    var bodyLength: Int64
  }

  private static let piece = 1 << 20
  private let source: any ByteSource
  private let name: String
  private(set) var offset = 0
  private var isFile = false
  private var hasEndMark = false
  /// Bytes that were looked at and belong to what follows.
  private var ahead: [UInt8] = []

  init(_ source: any ByteSource, name: String) {
    self.source = source
    self.name = name
  }

  func error(_ code: SensorError.Code, _ message: String, column: String? = nil) -> SensorError {
    SensorError(code, message, at: .init(file: name, byte: offset, column: column))
  }

  /// An Arrow file begins with `ARROW1` and two bytes of padding, then the stream follows.
  func skipFileHeader() throws(SensorError) {
    ahead = try read(8, orEnd: true) ?? []
    isFile = ahead.starts(with: Self.fileMagic)
    if isFile { ahead = [] } else { offset -= ahead.count }
  }

  /// The next message's metadata; nil at the end mark and at the end of the bytes.
  func message() throws(SensorError) -> Message? {
    guard let head = try read(8, orEnd: true) else { return nil }
    guard head[0..<4].allSatisfy({ $0 == 0xFF }) else {
      throw error(
        .malformed,
        "A message should begin here with FF FF FF FF: this is not an Arrow stream, or one from before 2019.")
    }
    let length = (4..<8).reversed().reduce(0) { $0 << 8 | Int(head[$1]) }
    if length == 0 {
      hasEndMark = true
      return nil
    }
    guard length <= InputLimits.arrowMetadataBytes else {
      throw error(
        .limitExceeded,
        "A message declares \(length) bytes of metadata, more than \(InputLimits.arrowMetadataBytes >> 20) MiB.")
    }
    guard let metadata = try read(length), let root = FlatBufferReader(bytes: metadata).root else {
      throw error(.malformed, "The metadata of a message cannot be read.")
    }
    let bodyLength: Int64 = root.number(3)
    guard bodyLength >= 0, bodyLength <= InputLimits.arrowBodyBytes else {
      throw error(
        .limitExceeded,
        "A batch declares \(bodyLength) bytes, more than \(InputLimits.arrowBodyBytes >> 20) MiB: write smaller batches."
      )
    }
    return Message(type: root.number(1), header: root.table(2), bodyLength: bodyLength)
  }

  private static let fileMagic = Array("ARROW1".utf8)

  /// Behind the end mark: nothing in a stream; in a file a footer that counts as many batches, its length and `ARROW1`.
  func checkEnd(batches: Int) throws(SensorError) {
    guard hasEndMark else { throw error(.cutOff, "The end mark is missing: the Arrow stream is truncated.") }
    let start = offset
    // A footer is a copy of the schema and 24 bytes for a batch.
    let rest = try read(InputLimits.arrowMetadataBytes, upTo: true) ?? []
    guard isFile else {
      guard rest.isEmpty else { throw trailing(start) }
      return
    }
    let length = Int(LittleEndianBytes(rest.prefix(max(0, rest.count - 6)).suffix(4)).unsigned32(at: 0))
    guard rest.suffix(6).elementsEqual(Self.fileMagic), length == rest.count - 10 else {
      // A footer that ends elsewhere has something behind it; one that ends nowhere is cut off.
      guard let end = rest.indices.last(where: { rest[$0...].starts(with: Self.fileMagic) }), end + 6 < rest.count
      else { throw error(.cutOff, "The footer of the Arrow file is missing: it is truncated.") }
      throw trailing(start + end + 6)
    }
    let declared = FlatBufferReader(bytes: Array(rest.prefix(length))).root?.count(3, elementSize: 24) ?? 0
    guard declared <= batches else {
      throw error(.cutOff, "The footer counts \(declared) batches, but \(batches) are there.")
    }
  }

  private func trailing(_ place: Int) -> SensorError {
    SensorError(
      .trailing, "Bytes that belong to nothing stand behind the end of the Arrow stream.",
      at: .init(file: name, byte: place))
  }

  /// The bytes behind the metadata.
  func body(_ length: Int64) throws(SensorError) -> ArrowBody { ArrowBody(bytes: try read(Int(length)) ?? []) }

  /// Exactly so many bytes, or with `upTo` what is there of them. At the end of the source: nil with `orEnd` when there
  /// was none, else an error. Memory grows with the bytes that come, not with what was declared.
  private func read(_ count: Int, orEnd: Bool = false, upTo isLimit: Bool = false) throws(SensorError) -> [UInt8]? {
    var bytes = ahead
    ahead = []
    if bytes.count > count {
      ahead = Array(bytes[count...])
      bytes.removeLast(bytes.count - count)
    }
    offset += bytes.count
    // Room, which takes no memory before bytes come.
    bytes.reserveCapacity(min(count, 16 * Self.piece))
    while bytes.count < count {
      let step = try source.read(min(Self.piece, count - bytes.count), into: &bytes)
      if step == 0 {
        if isLimit { return bytes }
        if orEnd, bytes.isEmpty { return nil }
        throw error(
          .malformed, "The Arrow stream is truncated here: \(count) bytes should follow, but \(bytes.count) do.")
      }
      offset += step
    }
    return bytes
  }
}

/// The bytes of a batch.
struct ArrowBody {
  let bytes: [UInt8]

  /// One buffer; nil when it reaches beyond the batch.
  func part(_ offset: Int64, _ length: Int64) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= Int64(bytes.count), length <= Int64(bytes.count) - offset else {
      return nil
    }
    return bytes[Int(offset)..<Int(offset + length)]
  }
}
