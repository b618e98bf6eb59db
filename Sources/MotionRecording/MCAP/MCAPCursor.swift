// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Reads MCAP's forms from memory. Every length is compared with the bytes that are left and with its cap before anything is
/// reserved for it.
struct MCAPCursor {
  private let bytes: UnsafeRawBufferPointer
  private let file: String
  /// Where the first byte lies in the file, for messages.
  private let base: UInt64
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer, file: String, base: UInt64) {
    self.bytes = bytes
    self.file = file
    self.base = base
  }

  var left: Int { bytes.count - offset }

  var place: SensorError.Place {
    SensorError.Place(file: file, byte: Int(truncatingIfNeeded: base &+ UInt64(offset)))
  }

  func malformed(_ what: String) -> SensorError {
    SensorError(.malformed, "\(what); \(SensorError.skipHint)", at: place)
  }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(SensorError) -> Value {
    let size = MemoryLayout<Value>.size
    guard left >= size else { throw malformed("A record is shorter than its form demands") }
    defer { offset += size }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  mutating func data(_ count: some BinaryInteger) throws(SensorError) -> UnsafeRawBufferPointer {
    guard let count = Int(exactly: count), count >= 0, count <= left else {
      throw malformed("A record declares \(count) bytes where \(left) are left")
    }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// A string of at most `limit` bytes; `what` names it in messages.
  mutating func string(_ what: String, limit: Int = InputLimits.stringBytes) throws(SensorError) -> String {
    let count: UInt32 = try integer()
    guard count <= limit else {
      throw SensorError(
        .limitExceeded, "The \(what) declares \(count) bytes; at most \(limit) are read.", at: place)
    }
    guard let text = String(validating: try data(count), as: UTF8.self) else {
      throw malformed("The \(what) is not UTF-8 text")
    }
    return text
  }

  mutating func name(_ what: String) throws(SensorError) -> String {
    try string(what, limit: InputLimits.nameBytes)
  }

  mutating func map(_ what: String) throws(SensorError) -> [(String, String)] {
    let size: UInt32 = try integer()
    var inner = MCAPCursor(try data(size), file: file, base: base &+ UInt64(offset - Int(size)))
    var pairs: [(String, String)] = []
    while inner.left > 0 {
      guard pairs.count < InputLimits.mapEntries else {
        throw SensorError(
          .limitExceeded, "The \(what) holds more than \(InputLimits.mapEntries) entries, the most that is read.",
          at: inner.place)
      }
      pairs.append((try inner.string("key of the \(what)"), try inner.string("value of the \(what)")))
    }
    return pairs
  }
}

extension MCAPSchema {
  init(_ cursor: inout MCAPCursor) throws(SensorError) {
    id = try cursor.integer()
    name = try cursor.name("name of a schema")
    encoding = try cursor.name("encoding of a schema")
    let count: UInt32 = try cursor.integer()
    guard count <= InputLimits.schemaBytes else {
      throw SensorError(
        .limitExceeded, "A schema declares \(count) bytes; at most \(InputLimits.schemaBytes) are read.",
        at: cursor.place)
    }
    data = Array(try cursor.data(count))
    guard id != 0 else { throw cursor.malformed("A schema has the number 0, which means none") }
  }
}

extension MCAPChannel {
  init(_ cursor: inout MCAPCursor) throws(SensorError) {
    id = try cursor.integer()
    schema = try cursor.integer()
    topic = try cursor.name("name of a topic")
    messageEncoding = try cursor.name("encoding of a channel")
    metadata = try cursor.map("metadata of a channel")
  }
}

extension MCAPChunkIndex {
  init(_ cursor: inout MCAPCursor) throws(SensorError) {
    start = try cursor.integer()
    end = try cursor.integer()
    offset = try cursor.integer()
    length = try cursor.integer()
    let size: UInt32 = try cursor.integer()
    // Where the message indexes lie is not needed: a chunk is read as a whole.
    _ = try cursor.data(size)
    messageIndexLength = try cursor.integer()
    compression = try cursor.name("compression")
    storedSize = try cursor.integer()
    self.size = try cursor.integer()
  }
}

extension MCAPAttachment {
  /// From an attachment index.
  init(_ cursor: inout MCAPCursor) throws(SensorError) {
    offset = try cursor.integer()
    length = try cursor.integer()
    logTime = try cursor.integer()
    createTime = try cursor.integer()
    size = try cursor.integer()
    name = try cursor.name("name of an attachment")
    mediaType = try cursor.name("type of an attachment")
  }

  /// From the beginning of an attachment's record.
  init(_ cursor: inout MCAPCursor, offset: UInt64, length: UInt64) throws(SensorError) {
    self.offset = offset
    self.length = length
    logTime = try cursor.integer()
    createTime = try cursor.integer()
    name = try cursor.name("name of an attachment")
    mediaType = try cursor.name("type of an attachment")
    size = try cursor.integer()
  }
}
