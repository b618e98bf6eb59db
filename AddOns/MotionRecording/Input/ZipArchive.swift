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
    /// CRC-32 of the content, as the directory states it.
    var checksum: UInt32
    /// A file, and not a link, a device or a folder, by the mode that Unix programs store.
    var isFile = true
  }

  let path: String
  let entries: [Entry]
  /// The first byte behind its end and how many there are; nil = none.
  var trailing: (start: Int64, count: Int64)?
  /// Bytes between the entries that belong to none of them, but for what may stand behind an entry (a data descriptor).
  var unnamed: Int64 = 0
  private static let descriptorSize: Int64 = 24

  /// The bytes of an entry, inflated.
  func open(_ entry: Entry) throws(SensorError) -> any ByteSource {
    let name = "\(path)/\(entry.name)"
    guard entry.isReadable else {
      throw SensorError(
        .unsupported, "This entry is encrypted or compressed in an unusual way; unpack the zip first.",
        at: .init(file: name))
    }
    let header = try FileBytes(path: path, range: entry.headerOffset..<entry.headerOffset + 30).bytes(limit: 30)
    guard header.count == 30, header.unsigned32(at: 0) == 0x0403_4B50 else {
      throw SensorError(
        .malformed, "The zip's directory points to a wrong place; copy or export the file again.",
        at: .init(file: name, byte: Int(entry.headerOffset)))
    }
    // The extra field may be longer here than in the directory.
    let start = entry.headerOffset + 30 + Int64(header.unsigned16(at: 26)) + Int64(header.unsigned16(at: 28))
    let data = try FileBytes(path: path, range: start..<start + entry.compressedSize)
    guard start + entry.compressedSize <= data.fileSize else {
      throw SensorError(
        .malformed, "The zip ends before this entry does; copy or export the file again.", at: .init(file: name))
    }
    return entry.isDeflated ? try InflatedBytes(data, zipEntrySize: entry.size, name: name) : data
  }
}

/// Little-endian numbers at given offsets; 0 where the bytes end, so that callers check lengths once.
extension [UInt8] {
  fileprivate func unsigned16(at offset: Int) -> UInt16 { number(at: offset) }
  fileprivate func unsigned32(at offset: Int) -> UInt32 { number(at: offset) }
  fileprivate func unsigned64(at offset: Int) -> UInt64 { number(at: offset) }

  private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    offset >= 0 && offset <= count - MemoryLayout<Number>.size ? self[...].littleEndian(at: offset) : 0
  }
}

extension ZipArchive {
  /// Reads the directory of the zip at `path`.
  init(path: String) throws(SensorError) {
    self.path = path
    let end = try Self.findEnd(path)
    guard end.entryCount <= InputLimits.entries else {
      throw SensorError(
        .limitExceeded,
        "The zip declares \(end.entryCount) entries; the limit is \(InputLimits.entries). Unpack it and give the folder.",
        at: .init(file: path))
    }
    guard end.size <= InputLimits.zipDirectoryBytes, end.offset >= 0, end.offset <= end.limit - end.size else {
      throw Self.damaged(path, "Its directory does not fit into the file")
    }
    let bytes = try FileBytes(path: path, range: end.offset..<end.offset + end.size).bytes(limit: Int(end.size))
    let all = try Self.readEntries(bytes, count: Int(end.entryCount), path: path, limit: end.limit)
    // A folder holds nothing itself.
    entries = all.filter { $0.isFile || $0.size > 0 }
    trailing = end.trailing
    var place = all.map(\.headerOffset).min() ?? 0
    for entry in all.sorted(by: { $0.headerOffset < $1.headerOffset }) {
      unnamed += max(0, entry.headerOffset - place - Self.descriptorSize)
      let header = try FileBytes(path: path, range: entry.headerOffset..<entry.headerOffset + 30).bytes(limit: 30)
      let names = Int64(header.unsigned16(at: 26)) + Int64(header.unsigned16(at: 28))
      place = entry.headerOffset + 30 + names + entry.compressedSize
    }
    unnamed += max(0, end.offset - place - Self.descriptorSize)
  }

  private struct DirectoryEnd {
    var entryCount: Int64
    var size: Int64
    var offset: Int64
    /// Nothing of an entry may lie at or behind this byte.
    var limit: Int64
    /// Behind the record and its comment.
    var trailing: (start: Int64, count: Int64)?
  }

  /// The end record lies in the last 65,557 bytes: 22 of its own and a comment.
  private static func findEnd(_ path: String) throws(SensorError) -> DirectoryEnd {
    let size = try FileBytes(path: path).fileSize
    let start = max(0, size - 65_557)
    let tail = try FileBytes(path: path, range: start..<size).bytes(limit: Int(size - start))
    var position = tail.count - 22
    while position >= 0, tail.unsigned32(at: position) != 0x0605_4B50 { position -= 1 }
    guard position >= 0 else {
      throw damaged(path, "It has no directory at its end, so it is truncated (“zip -FF” finds what is left)")
    }
    var result = DirectoryEnd(
      entryCount: Int64(tail.unsigned16(at: position + 10)), size: Int64(tail.unsigned32(at: position + 12)),
      offset: Int64(tail.unsigned32(at: position + 16)), limit: start + Int64(position))
    let behind = start + Int64(position) + 22 + Int64(tail.unsigned16(at: position + 20))
    if behind < size { result.trailing = (behind, size - behind) }
    let isZip64 = result.entryCount == 0xFFFF || result.size == 0xFFFF_FFFF || result.offset == 0xFFFF_FFFF
    guard isZip64, position >= 20, tail.unsigned32(at: position - 20) == 0x0706_4B50 else { return result }
    guard let at = Int64(exactly: tail.unsigned64(at: position - 12)), at >= 0, at <= size - 56 else {
      throw damaged(path, "Its ZIP64 directory does not fit into the file")
    }
    let record = try FileBytes(path: path, range: at..<at + 56).bytes(limit: 56)
    guard record.unsigned32(at: 0) == 0x0606_4B50,
      let count = Int64(exactly: record.unsigned64(at: 32)), let length = Int64(exactly: record.unsigned64(at: 40)),
      let offset = Int64(exactly: record.unsigned64(at: 48))
    else { throw damaged(path, "Its ZIP64 directory cannot be read") }
    (result.entryCount, result.size, result.offset, result.limit) = (count, length, offset, at)
    return result
  }

  private static func readEntries(
    _ bytes: [UInt8], count: Int, path: String, limit: Int64
  ) throws(SensorError) -> [Entry] {
    var entries: [Entry] = []
    var position = 0
    for _ in 0..<count {
      guard position + 46 <= bytes.count, bytes.unsigned32(at: position) == 0x0201_4B50 else {
        throw damaged(path, "Its directory has fewer entries than it declares")
      }
      let nameLength = Int(bytes.unsigned16(at: position + 28))
      let extraLength = Int(bytes.unsigned16(at: position + 30))
      let next = position + 46 + nameLength + extraLength + Int(bytes.unsigned16(at: position + 32))
      guard next <= bytes.count, nameLength <= InputLimits.nameBytes else {
        throw damaged(path, "An entry of its directory is longer than the directory or than any file name")
      }
      let flags = bytes.unsigned16(at: position + 8)
      let method = bytes.unsigned16(at: position + 10)
      let nameStart = position + 46
      var entry = Entry(
        name: String(decoding: bytes[nameStart..<nameStart + nameLength], as: UTF8.self), isDeflated: method == 8,
        isReadable: flags & 1 == 0 && (method == 0 || method == 8),
        compressedSize: Int64(bytes.unsigned32(at: position + 20)), size: Int64(bytes.unsigned32(at: position + 24)),
        headerOffset: Int64(bytes.unsigned32(at: position + 42)), checksum: bytes.unsigned32(at: position + 16))
      // Made on Unix, with a mode, and not that of a regular file.
      let mode = bytes.unsigned32(at: position + 38) >> 16 & 0xF000
      entry.isFile = bytes.unsigned16(at: position + 4) >> 8 != 3 || mode == 0 || mode == 0x8000
      let extraStart = nameStart + nameLength
      entry.readZip64(bytes, from: extraStart, to: extraStart + extraLength)
      guard entry.size >= 0, entry.compressedSize >= 0, entry.headerOffset >= 0,
        entry.compressedSize <= limit, entry.headerOffset <= limit - entry.compressedSize,
        entry.isDeflated || entry.size == entry.compressedSize || !entry.isReadable
      else { throw damaged(path, "The entry \(entry.name.debugDescription) does not fit into the file") }
      if entry.name.hasSuffix("/") { entry.isFile = false }
      entries.append(entry)
      position = next
    }
    guard position == bytes.count else { throw damaged(path, "Its directory has more entries than it declares") }
    return entries
  }

  private static func damaged(_ path: String, _ what: String) -> SensorError {
    SensorError(.malformed, "This zip is damaged: \(what). Copy or export it again.", at: .init(file: path))
  }
}

extension ZipArchive.Entry {
  /// Reads 64-bit sizes from the extra field with id 1, which holds only the values that did not fit into 32 bits.
  fileprivate mutating func readZip64(_ bytes: [UInt8], from start: Int, to end: Int) {
    var position = start
    while position + 4 <= end {
      let length = Int(bytes.unsigned16(at: position + 2))
      if bytes.unsigned16(at: position) == 1 {
        var value = position + 4
        func read(_ number: inout Int64) {
          guard number == 0xFFFF_FFFF, value + 8 <= min(end, position + 4 + length) else { return }
          number = Int64(exactly: bytes.unsigned64(at: value)) ?? -1
          value += 8
        }
        read(&size)
        read(&compressedSize)
        read(&headerOffset)
        return
      }
      position += 4 + length
    }
  }
}
