// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

// A zip that was cut off has lost its directory, which stands at the end, and little else: each entry has a header of its own.
extension ZipArchive {
  /// The entries of a zip without a directory, from the first byte on to where a header is missing. The last may be cut off.
  static func recover(_ path: String) throws(SensorError) -> [Entry] {
    let size = try FileBytes(path: path).fileSize
    var entries: [Entry] = []
    var position: Int64 = 0
    while entries.count < InputLimits.entries, position < size {
      let fields = LittleEndianBytes(try FileBytes(path: path, range: position..<size).bytes(limit: 30))
      let nameLength = Int(fields.unsigned16(at: 26))
      let extraLength = Int(fields.unsigned16(at: 28))
      let start = position + 30 + Int64(nameLength) + Int64(extraLength)
      guard fields.unsigned32(at: 0) == 0x0403_4B50, nameLength <= InputLimits.nameBytes, start < size else { break }
      let names = try FileBytes(path: path, range: position + 30..<start).bytes(limit: nameLength + extraLength)
      let flags = fields.unsigned16(at: 6)
      let method = fields.unsigned16(at: 8)
      var entry = Entry(
        name: String(decoding: names.prefix(nameLength), as: UTF8.self), isDeflated: method == 8,
        isReadable: flags & 1 == 0 && (method == 0 || method == 8),
        compressedSize: Int64(fields.unsigned32(at: 18)), size: Int64(fields.unsigned32(at: 22)),
        headerOffset: position, isLoose: true)
      entry.readZip64(LittleEndianBytes(names), from: nameLength, to: names.count)
      let isLengthBehind = flags & 8 != 0
      // Nothing tells where an entry ends that is stored with its length behind it.
      guard !isLengthBehind || entry.isDeflated, entry.compressedSize >= 0 else { break }
      if isLengthBehind { entry.compressedSize = length(ofDeflated: path, from: start, to: size) }
      entry.compressedSize = min(entry.compressedSize, size - start)
      if !entry.name.hasSuffix("/") { entries.append(entry) }
      position = start + entry.compressedSize
      if isLengthBehind { position = try next(path, after: position, to: size) }
    }
    return entries
  }

  /// Bytes up to the end of deflated data, which says itself where it ends; all of them where it does not come, or is damaged.
  private static func length(ofDeflated path: String, from start: Int64, to end: Int64) -> Int64 {
    guard let source = try? FileBytes(path: path, range: start..<end),
      let bytes = try? InflatedBytes(source, wrapping: .looseEntry, name: path)
    else { return end - start }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      guard let count = try? bytes.read(into: buffer) else { return end - start }
      if count == 0 { return bytes.consumed }
    }
  }

  /// Where the next header begins behind the lengths that follow an entry: 12 bytes, 20 with ZIP64, with or without a mark of 4.
  private static func next(_ path: String, after position: Int64, to size: Int64) throws(SensorError) -> Int64 {
    let fields = LittleEndianBytes(try FileBytes(path: path, range: position..<size).bytes(limit: 32))
    let behind = [16, 24, 12, 20].first { fields.unsigned32(at: $0) == 0x0403_4B50 }
    return behind.map { position + Int64($0) } ?? size
  }
}

extension [ZipArchive.Entry] {
  /// Without the last one where not even its first line is left, and there are others.
  func droppingStump(_ path: String) -> [ZipArchive.Entry] {
    guard count > 1, let last else { return self }
    let archive = ZipArchive(path: path, entries: self, isCutOff: true)
    let beginning = try? archive.open(last).bytes(limit: 64 << 10)
    return beginning?.contains(0x0A) == true ? self : dropLast()
  }
}
