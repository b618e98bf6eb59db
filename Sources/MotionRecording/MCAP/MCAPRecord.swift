// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The building blocks of an MCAP file (https://mcap.dev/spec): records of one byte of type, eight of length, and the content.
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
  }
}

/// CRC-32 of zlib and gzip (reflected polynomial EDB88320).
func checksum(_ bytes: UnsafeRawBufferPointer, continuing crc: UInt32 = 0) -> UInt32 {
  guard let base = bytes.baseAddress else { return crc }
  return UInt32(truncatingIfNeeded: crc32_z(UInt(crc), base.assumingMemoryBound(to: UInt8.self), bytes.count))
}

/// Bytes in the making, little endian, in the forms that MCAP knows.
struct MCAPBytes {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(raw other: some Collection<UInt8>) { bytes.append(contentsOf: other) }
  mutating func append(raw other: UnsafeRawBufferPointer) { bytes.append(contentsOf: other) }

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

  /// A record whose content `body` writes; the length is filled in afterwards.
  mutating func append(record code: MCAPRecord.Code, _ body: (inout MCAPBytes) -> Void) {
    bytes.append(code.rawValue)
    let place = bytes.count
    append(UInt64(0))
    body(&self)
    let length = UInt64(bytes.count - place - 8)
    for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> UInt64(8 * index)) }
  }

  var checksum: UInt32 { bytes.withUnsafeBytes { MotionRecording.checksum($0) } }
}
