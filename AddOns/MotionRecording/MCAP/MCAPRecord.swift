// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CZlib
import MotionSensing

/// The building blocks of an MCAP file (https://mcap.dev/spec): records of one byte of type, eight of length, and the
/// content.
enum MCAPRecord {
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
  /// Bytes of the type and the length.
  static let headerSize = 9

  enum Code: UInt8, CaseIterable {
    case header = 0x01
    case footer = 0x02
    case schema = 0x03
    case channel = 0x04
    case message = 0x05
    case chunk = 0x06
    case messageIndex = 0x07
    case chunkIndex = 0x08
    case attachment = 0x09
    case attachmentIndex = 0x0A
    case statistics = 0x0B
    case metadata = 0x0C
    case metadataIndex = 0x0D
    case summaryOffset = 0x0E
    case dataEnd = 0x0F
    /// This and all above: of other programs, and passed over.
    case foreign = 0x80

    /// Nil for a type that the format does not have.
    init?(_ byte: UInt8) { self.init(rawValue: min(byte, Self.foreign.rawValue)) }
  }
}

/// CRC-32 of zlib and gzip (reflected polynomial EDB88320).
func checksum(_ bytes: ArraySlice<UInt8>, continuing crc: UInt32 = 0) -> UInt32 {
  // unsafe: zlib reads the bytes during the call; of none it takes no address, which would mean the first sum.
  bytes.withUnsafeBufferPointer {
    $0.isEmpty ? crc : UInt32(truncatingIfNeeded: crc32_z(UInt(crc), $0.baseAddress, $0.count))
  }
}

/// Bytes in the making, little endian, in the forms that MCAP knows.
struct MCAPBytes {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ value: some FixedWidthInteger) {
    bytes.append(littleEndian: value)
  }

  mutating func append(raw other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ map: [(String, String)]) {
    append(UInt32(map.reduce(0) { $0 + 8 + $1.0.utf8.count + $1.1.utf8.count }))
    for (key, value) in map {
      append(key)
      append(value)
    }
  }

  mutating func append(counts: [(UInt16, UInt64)]) {
    append(UInt32(counts.count * 10))
    for (channel, count) in counts {
      append(channel)
      append(count)
    }
  }

  /// A record whose content `body` writes; the length is filled in afterwards.
  mutating func append(record code: MCAPRecord.Code, _ body: (inout MCAPBytes) -> Void) {
    bytes.append(code.rawValue)
    let place = bytes.count
    append(UInt64(0))
    body(&self)
    let length = UInt64(bytes.count - place - 8)
    for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> UInt64(8 * index)) }
  }

  var checksum: UInt32 { MotionRecording.checksum(bytes[...]) }
}

/// Reads MCAP's forms from memory. Every length is compared with the bytes that are left and with its cap before
/// anything is reserved for it.
struct MCAPCursor {
  private let bytes: ArraySlice<UInt8>
  private let file: String
  /// Where the first byte lies in the file, for messages.
  private let base: UInt64
  private(set) var offset = 0

  init(_ bytes: ArraySlice<UInt8>, file: String, base: UInt64) {
    (self.bytes, self.file, self.base) = (bytes, file, base)
  }

  var left: Int { bytes.count - offset }

  var place: SensorError.Place {
    SensorError.Place(file: file, byte: Int(truncatingIfNeeded: base &+ UInt64(offset)))
  }

  func malformed(_ what: String) -> SensorError {
    .damaged(what, at: place)
  }

  mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type = Value.self
  ) throws(SensorError) -> Value {
    let size = MemoryLayout<Value>.size
    guard left >= size else { throw malformed("A record is shorter than its format requires") }
    defer { offset += size }
    return bytes.span.littleEndian(at: offset)
  }

  mutating func data(_ count: some BinaryInteger) throws(SensorError) -> ArraySlice<UInt8> {
    guard let count = Int(exactly: count), count >= 0, count <= left else {
      throw malformed("A record declares \(count) bytes, but \(left) are left")
    }
    defer { offset += count }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }

  /// A string of at most `limit` bytes; `what` names it in messages.
  mutating func string(_ what: String, limit: Int = InputLimits.stringBytes) throws(SensorError) -> String {
    let count: UInt32 = try integer()
    try InputLimits.check("The \(what)", bytes: count, limit: limit, at: place)
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
      try InputLimits.checkRoom(
        "The \(what) has", "entries", count: pairs.count, limit: InputLimits.mapEntries, at: inner.place)
      pairs.append((try inner.string("key of the \(what)"), try inner.string("value of the \(what)")))
    }
    return pairs
  }
}
