// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension ZipArchive {
  /// Reads the directory of the zip at `path`.
  init(path: String) throws(SensorError) {
    self.path = path
    let end: DirectoryEnd
    do throws(SensorError) { end = try Self.findEnd(path) } catch {
      guard error.code == .cutOff else { throw error }
      (entries, isCutOff) = (try Self.recover(path).droppingStump(path), true)
      guard !entries.isEmpty else {
        throw Self.damaged(path, "It has no directory at its end, so it was cut off")
      }
      return
    }
    isCutOff = false
    guard end.entryCount <= InputLimits.entries else {
      throw SensorError(
        .limitExceeded,
        "The zip declares \(end.entryCount) entries; at most \(InputLimits.entries) are read. Unpack it and give the folder.",
        at: .init(file: path))
    }
    guard end.size <= InputLimits.zipDirectoryBytes, end.offset >= 0, end.offset <= end.limit - end.size else {
      throw Self.damaged(path, "Its directory does not fit into the file")
    }
    let bytes = try FileBytes(path: path, range: end.offset..<end.offset + end.size).bytes(limit: Int(end.size))
    entries = try Self.readEntries(bytes, count: Int(end.entryCount), path: path, limit: end.limit)
  }

  private struct DirectoryEnd {
    var entryCount: Int64
    var size: Int64
    var offset: Int64
    /// Nothing of an entry may lie at or behind this byte.
    var limit: Int64
  }

  /// The end record lies in the last 65,557 bytes: 22 of its own and a comment.
  private static func findEnd(_ path: String) throws(SensorError) -> DirectoryEnd {
    let size = try FileBytes(path: path).fileSize
    let start = max(0, size - 65_557)
    let tail = try FileBytes(path: path, range: start..<size).bytes(limit: Int(size - start))
    let fields = LittleEndianBytes(tail)
    var position = tail.count - 22
    while position >= 0, fields.unsigned32(at: position) != 0x0605_4B50 { position -= 1 }
    guard position >= 0 else { throw SensorError(.cutOff, "The zip has no directory.", at: .init(file: path)) }
    var result = DirectoryEnd(
      entryCount: Int64(fields.unsigned16(at: position + 10)), size: Int64(fields.unsigned32(at: position + 12)),
      offset: Int64(fields.unsigned32(at: position + 16)), limit: start + Int64(position))
    let isZip64 = result.entryCount == 0xFFFF || result.size == 0xFFFF_FFFF || result.offset == 0xFFFF_FFFF
    guard isZip64, position >= 20, fields.unsigned32(at: position - 20) == 0x0706_4B50 else { return result }
    guard let at = Int64(exactly: fields.unsigned64(at: position - 12)), at >= 0, at <= size - 56 else {
      throw damaged(path, "Its ZIP64 directory does not fit into the file")
    }
    let record = LittleEndianBytes(try FileBytes(path: path, range: at..<at + 56).bytes(limit: 56))
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
    let fields = LittleEndianBytes(bytes)
    var entries: [Entry] = []
    var position = 0
    for _ in 0..<count {
      guard position + 46 <= bytes.count, fields.unsigned32(at: position) == 0x0201_4B50 else {
        throw damaged(path, "Its directory holds fewer entries than it declares")
      }
      let nameLength = Int(fields.unsigned16(at: position + 28))
      let extraLength = Int(fields.unsigned16(at: position + 30))
      let next = position + 46 + nameLength + extraLength + Int(fields.unsigned16(at: position + 32))
      guard next <= bytes.count, nameLength <= InputLimits.nameBytes else {
        throw damaged(path, "An entry of its directory is longer than the directory or than any file name")
      }
      let flags = fields.unsigned16(at: position + 8)
      let method = fields.unsigned16(at: position + 10)
      let nameStart = position + 46
      var entry = Entry(
        name: String(decoding: bytes[nameStart..<nameStart + nameLength], as: UTF8.self), isDeflated: method == 8,
        isReadable: flags & 1 == 0 && (method == 0 || method == 8),
        compressedSize: Int64(fields.unsigned32(at: position + 20)), size: Int64(fields.unsigned32(at: position + 24)),
        headerOffset: Int64(fields.unsigned32(at: position + 42)))
      let extraStart = nameStart + nameLength
      entry.readZip64(fields, from: extraStart, to: extraStart + extraLength)
      guard entry.size >= 0, entry.compressedSize >= 0, entry.headerOffset >= 0,
        entry.compressedSize <= limit, entry.headerOffset <= limit - entry.compressedSize,
        entry.isDeflated || entry.size == entry.compressedSize || !entry.isReadable
      else { throw damaged(path, "The entry \(entry.name.debugDescription) does not fit into the file") }
      if !entry.name.hasSuffix("/") { entries.append(entry) }
      position = next
    }
    return entries
  }

  private static func damaged(_ path: String, _ what: String) -> SensorError {
    SensorError(.malformed, "This zip is damaged: \(what). Copy or export it again.", at: .init(file: path))
  }
}

extension ZipArchive.Entry {
  /// Takes 64-bit sizes from the extra field with id 1, which holds only the values that did not fit into 32 bits.
  mutating func readZip64(_ fields: LittleEndianBytes, from start: Int, to end: Int) {
    var position = start
    while position + 4 <= end {
      let length = Int(fields.unsigned16(at: position + 2))
      if fields.unsigned16(at: position) == 1 {
        var value = position + 4
        func take(_ number: inout Int64) {
          guard number == 0xFFFF_FFFF, value + 8 <= min(end, position + 4 + length) else { return }
          number = Int64(exactly: fields.unsigned64(at: value)) ?? -1
          value += 8
        }
        take(&size)
        take(&compressedSize)
        take(&headerOffset)
        return
      }
      position += 4 + length
    }
  }
}
