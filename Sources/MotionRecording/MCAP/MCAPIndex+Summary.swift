// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension MCAPIndex {
  private static let footerSize = MCAPRecord.headerSize + 20

  /// Reads the summary; false when there is none that is sound, and everything has to be looked for in the data.
  ///
  /// Nothing in a summary is needed that the data does not say, so damage here costs nothing but time.
  mutating func readSummary(_ input: MCAPInput) throws(SensorError) -> Bool {
    let tail = UInt64(Self.footerSize + MCAPRecord.magic.count)
    guard input.size >= tail + 8 else { return false }
    let end = try input.bytes(at: input.size - tail, count: Int(tail))
    guard end.count == Int(tail), end.suffix(8).elementsEqual(MCAPRecord.magic),
      end[0] == MCAPRecord.Code.footer.rawValue, end[1] == 20
    else { return false }
    isFinished = true
    let footer = input.size - tail
    let start = end.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 9, as: UInt64.self)) }
    let crc = end.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 25, as: UInt32.self)) }
    guard start >= 8, start < footer, footer - start <= UInt64(InputLimits.recordBytes) else { return false }
    let bytes = try input.bytes(at: start, count: Int(footer - start))
    guard bytes.count == Int(footer - start) else { return false }
    if crc != 0 {
      let covered = bytes.withUnsafeBytes { checksum($0) }
      guard end[..<25].withUnsafeBytes({ checksum($0, continuing: covered) }) == crc else { return false }
    }
    var found = Found()
    do throws(SensorError) {
      try bytes.withUnsafeBufferPointer { (buffer) throws(SensorError) in
        try read(UnsafeRawBufferPointer(buffer), input, base: start, &found)
      }
      return try use(found, input, end: start)
    } catch {
      guard error.code != .system else { throw error }
      return false
    }
  }

  private struct Found {
    var chunks: [MCAPChunkIndex] = []
    var metadata: [(offset: UInt64, length: UInt64)] = []
    var counts: (messages: UInt64, channels: UInt32, attachments: UInt32, metadata: UInt32, chunks: UInt32)?
  }

  private mutating func read(
    _ bytes: UnsafeRawBufferPointer, _ input: MCAPInput, base: UInt64, _ found: inout Found
  ) throws(SensorError) {
    var records = MCAPCursor(bytes, file: input.path, base: base)
    while records.left > 0 {
      let code: UInt8 = try records.integer()
      let length: UInt64 = try records.integer()
      let contentBase = base + UInt64(records.offset)
      var cursor = MCAPCursor(try records.data(length), file: input.path, base: contentBase)
      switch MCAPRecord.Code(rawValue: code) {
      case .schema: try add(MCAPSchema(&cursor), at: cursor.place)
      case .channel: try add(MCAPChannel(&cursor), at: cursor.place)
      case .chunkIndex: found.chunks.append(try MCAPChunkIndex(&cursor))
      case .attachmentIndex: try add(MCAPAttachment(&cursor), at: cursor.place)
      case .metadataIndex: found.metadata.append((try cursor.integer(), try cursor.integer()))
      case .statistics:
        let messages: UInt64 = try cursor.integer()
        _ = try cursor.integer(UInt16.self)
        found.counts = (
          messages, try cursor.integer(), try cursor.integer(), try cursor.integer(), try cursor.integer()
        )
      default: break
      }
    }
  }

  /// Whether what was found is complete and lies where it can lie.
  private mutating func use(_ found: Found, _ input: MCAPInput, end: UInt64) throws(SensorError) -> Bool {
    // Without the counts nobody knows whether the rest is complete.
    guard let counts = found.counts, counts.chunks == found.chunks.count, counts.channels == channels.count,
      counts.metadata == found.metadata.count, counts.attachments == attachments.count,
      counts.messages == 0 || !found.chunks.isEmpty, found.metadata.count <= InputLimits.channels
    else { return false }
    var last: UInt64 = 8
    for chunk in found.chunks.sorted(by: { $0.offset < $1.offset }) {
      guard chunk.offset >= last, chunk.offset < end, chunk.length <= end - chunk.offset,
        chunk.length <= UInt64(InputLimits.recordBytes), chunk.size <= UInt64(InputLimits.chunkBytes)
      else { return false }
      guard try !holdsMessages(input, from: last, to: chunk.offset) else { return false }
      last = chunk.offset + chunk.length
      note(compression: chunk.compression)
      blocks.append(
        Block(storage: .chunk, start: chunk.start, end: chunk.end, offset: chunk.offset, length: chunk.length))
    }
    guard try !holdsMessages(input, from: last, to: end) else { return false }
    for attachment in attachments {
      guard attachment.offset >= 8, attachment.offset < end, attachment.length <= end - attachment.offset else {
        return false
      }
    }
    for (offset, length) in found.metadata {
      guard offset >= 8, offset < end, length <= end - offset, length <= UInt64(InputLimits.recordBytes),
        length >= UInt64(MCAPRecord.headerSize)
      else { return false }
      let bytes = try input.bytes(at: offset, count: Int(length))
      guard bytes.first == MCAPRecord.Code.metadata.rawValue else { return false }
      try bytes.withUnsafeBufferPointer { (buffer) throws(SensorError) in
        var cursor = MCAPCursor(UnsafeRawBufferPointer(buffer), file: input.path, base: offset)
        _ = try cursor.data(MCAPRecord.headerSize)
        try addMetadata(&cursor)
      }
    }
    return try readHeader(input)
  }

  /// Whether there is a message, or a chunk, between two chunks of the summary, which then is not complete: messages may lie outside of
  /// chunks beside others that lie in them, and no summary tells where. What cannot be walked through is for the scan as well.
  private func holdsMessages(_ input: MCAPInput, from start: UInt64, to end: UInt64) throws(SensorError) -> Bool {
    let headerSize = UInt64(MCAPRecord.headerSize)
    var position = start
    while position < end {
      guard end - position >= headerSize else { return true }
      let head = try input.bytes(at: position, count: MCAPRecord.headerSize)
      guard head.count == MCAPRecord.headerSize else { return true }
      let length = head.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) }
      let code = MCAPRecord.Code(rawValue: head[0])
      guard code != .message, code != .chunk, length <= end - position - headerSize else { return true }
      position += headerSize + length
    }
    return false
  }

  /// The first record, which names the profile and the program.
  private mutating func readHeader(_ input: MCAPInput) throws(SensorError) -> Bool {
    let bytes = try input.bytes(at: 8, count: MCAPRecord.headerSize + 2 * (4 + InputLimits.nameBytes))
    guard bytes.first == MCAPRecord.Code.header.rawValue else { return false }
    try bytes.withUnsafeBufferPointer { (buffer) throws(SensorError) in
      var cursor = MCAPCursor(UnsafeRawBufferPointer(buffer), file: input.path, base: 8)
      _ = try cursor.data(MCAPRecord.headerSize)
      profile = try cursor.name("profile")
      library = try cursor.name("library")
    }
    return true
  }
}
