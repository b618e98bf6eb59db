// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The entries of a zip file, found through its central directory (APPNOTE.TXT 6.3, ZIP64 included).
///
/// Sizes come from the directory, so entries written with a data descriptor behind them read like others. Stored and
/// deflated entries are read; encrypted ones and other methods are refused by name.
struct ZipArchive: Sendable {
  /// One file inside.
  struct Entry: Sendable, Hashable {
    var name: String
    var isDeflated: Bool
    var isReadable: Bool
    var compressedSize: Int64
    var size: Int64
    /// Bytes from the start of the zip to the entry's local header.
    var headerOffset: Int64
    /// Found without a directory: ``size`` is not known, and the last one may be cut off.
    var isLoose = false
  }

  let path: String
  let entries: [Entry]
  /// The file ends before its directory: the entries are those that begin before the end.
  let isCutOff: Bool

  /// The bytes of an entry, inflated.
  func open(_ entry: Entry) throws(SensorError) -> any ByteSource {
    let name = "\(path)/\(entry.name)"
    guard entry.isReadable else {
      throw SensorError(
        .unsupported, "This entry is encrypted or compressed in an unusual way; unpack the zip first.",
        at: .init(file: name))
    }
    let header = try FileBytes(path: path, range: entry.headerOffset..<entry.headerOffset + 30).bytes(limit: 30)
    let fields = LittleEndianBytes(header)
    guard header.count == 30, fields.unsigned32(at: 0) == 0x0403_4B50 else {
      throw SensorError(
        .malformed, "The zip's directory points to a place where no entry begins; copy or export the file again.",
        at: .init(file: name, byte: Int(entry.headerOffset)))
    }
    // The extra field may be longer here than in the directory.
    let start = entry.headerOffset + 30 + Int64(fields.unsigned16(at: 26)) + Int64(fields.unsigned16(at: 28))
    let data = try FileBytes(path: path, range: start..<start + entry.compressedSize)
    guard start + entry.compressedSize <= data.fileSize else {
      throw SensorError(
        .malformed, "The zip ends before this entry does; copy or export the file again.", at: .init(file: name))
    }
    if !entry.isDeflated { return data }
    if entry.isLoose { return try InflatedBytes(data, wrapping: .looseEntry, name: name) }
    return try InflatedBytes(data, wrapping: .zipEntry(size: entry.size), name: name)
  }
}

/// Little-endian numbers at given offsets; 0 where the bytes end, so that callers check lengths once.
struct LittleEndianBytes {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  func unsigned16(at offset: Int) -> UInt16 { UInt16(number(at: offset, count: 2)) }
  func unsigned32(at offset: Int) -> UInt32 { UInt32(number(at: offset, count: 4)) }
  func unsigned64(at offset: Int) -> UInt64 { number(at: offset, count: 8) }

  private func number(at offset: Int, count: Int) -> UInt64 {
    guard offset >= 0, offset <= bytes.count - count else { return 0 }
    return (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }
}
