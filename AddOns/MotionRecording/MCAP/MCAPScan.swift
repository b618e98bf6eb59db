// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Looks through the records of a file from the front, for one that has no end (its recorder was killed) or no sound
/// summary.
///
/// Chunks are not opened, but for those whose message indexes name a channel that is not known yet.
struct MCAPScan {
  var index: MCAPIndex
  private let input: MCAPInput
  private let damage: DamagePolicy
  private var position = UInt64(MCAPRecord.magic.count)
  /// Behind the end of the data, where it was reached.
  private(set) var summaryStart: UInt64?
  /// The chunk just passed, until its message indexes have been.
  private var openChunk: (block: MCAPIndex.Block, channels: [UInt16])?
  private static let runLength: UInt64 = 1 << 20

  init(_ input: MCAPInput, _ damage: DamagePolicy) {
    (self.input, self.damage, index) = (input, damage, MCAPIndex(input.budget))
  }

  mutating func run() throws(SensorError) {
    while position < input.size {
      let left = input.size - position
      let head = try input.bytes(at: position, count: MCAPRecord.headerSize)
      guard head.count == MCAPRecord.headerSize else {
        noteCut()
        break
      }
      let length = LittleEndianBytes(head).unsigned64(at: 1)
      let isCut = length > left - UInt64(MCAPRecord.headerSize)
      let code = MCAPRecord.Code(rawValue: head[0])
      if code != .messageIndex { try closeChunk() }
      if code == .footer {
        try noteEnd(behind: position + UInt64(MCAPRecord.headerSize) &+ length)
        break
      }
      if code == .dataEnd, !isCut, summaryStart == nil {
        summaryStart = position + UInt64(MCAPRecord.headerSize) + length
        try index.noteDataEnd(input, at: position)
      }
      // A chunk that a repair has put behind the end of the data is read, too; nothing else there is needed.
      let isBehind = summaryStart != nil
      if isBehind, isCut { break }
      if isBehind, code != .chunk, code != .message, code != .messageIndex {
        position += UInt64(MCAPRecord.headerSize) + length
        continue
      }
      if isCut, try !isEndOfFile(code, length) { break }
      do throws(SensorError) {
        try read(code, length: isCut ? left - UInt64(MCAPRecord.headerSize) : length, isCut: isCut)
      } catch  where isBehind && error.code != .system {
        break
      } catch  where isCut && error.code == .malformed {
        // Not even its beginning is there.
      } catch {
        try report(error)
      }
      if isCut {
        noteCut()
        break
      }
      position += UInt64(MCAPRecord.headerSize) + length
    }
    try closeChunk()
  }

  /// A record that is longer than the file: cut off where it can be one, damage where no record is that long.
  private mutating func isEndOfFile(_ code: MCAPRecord.Code?, _ length: UInt64) throws(SensorError) -> Bool {
    guard let code, code == .attachment || length <= UInt64(InputLimits.recordBytes) else {
      var error = SensorError.damaged(
        "A record declares \(length) bytes, but \(input.size - position) are left", at: input.place(position))
      error.code = code == nil ? .malformed : .limitExceeded
      try report(error)
      return false
    }
    return true
  }

  private mutating func read(_ code: MCAPRecord.Code?, length: UInt64, isCut: Bool) throws(SensorError) {
    switch code {
    case .message: try readMessage(length, isCut: isCut)
    case .chunk: try readChunk(length, isCut: isCut)
    case .messageIndex:
      let channel = try content(length, limit: 2) { (cursor) throws(SensorError) in try cursor.integer(UInt16.self) }
      if openChunk?.channels.count ?? 0 < InputLimits.channels { openChunk?.channels.append(channel) }
    case .header, .schema, .channel, .metadata, .attachment:
      guard !isCut else { return }
      if code != .attachment { try checkSize("A record", length) }
      try readDeclaration(code, length)
    default: break
    }
  }

  private mutating func readDeclaration(_ code: MCAPRecord.Code?, _ length: UInt64) throws(SensorError) {
    let place = input.place(position)
    // The attachment's content is not wanted here.
    let limit = code == .attachment ? 8192 : InputLimits.recordBytes
    let start = position + UInt64(MCAPRecord.headerSize)
    try input.read(at: start, count: Int(min(length, UInt64(limit)))) { (cursor) throws(SensorError) in
      switch code {
      case .schema: try index.add(MCAPSchema(&cursor), at: place)
      case .channel: try index.add(MCAPChannel(&cursor), at: place)
      case .metadata: try index.addMetadata(&cursor)
      case .attachment:
        let size = length + UInt64(MCAPRecord.headerSize)
        var attachment = MCAPAttachment(offset: position, length: size)
        try attachment.read(MCAPAttachment.head, &cursor)
        try index.add(attachment, at: place)
      default: index.header = try MCAPHeader(&cursor)
      }
    }
  }

  private mutating func readMessage(_ length: UInt64, isCut: Bool) throws(SensorError) {
    guard !isCut else { return }
    try checkSize("A message", length)
    let time = try content(length, limit: 22) { (cursor) throws(SensorError) in
      _ = try cursor.data(6)
      return try cursor.integer(UInt64.self)
    }
    let size = length + UInt64(MCAPRecord.headerSize)
    guard !index.extendLast(to: time, at: position, size: size, limit: Self.runLength) else { return }
    try index.add(
      MCAPIndex.Block(storage: .messages, start: time, end: time, offset: position, length: size),
      at: input.place(position))
  }

  private mutating func readChunk(_ length: UInt64, isCut: Bool) throws(SensorError) {
    let limit = 8 + 8 + 8 + 4 + 4 + InputLimits.nameBytes + 8
    let size = length + UInt64(MCAPRecord.headerSize)
    guard size <= UInt64(InputLimits.recordBytes) else {
      throw SensorError(
        .limitExceeded, "A chunk declares \(length) bytes; the limit is \(InputLimits.recordBytes).",
        at: input.place(position))
    }
    let head = try content(length, limit: limit) { (cursor) throws(SensorError) in try MCAPChunkHead(&cursor) }
    index.note(compression: head.compression)
    // What was compressed and cut off cannot be read in part.
    if isCut, !head.compression.isEmpty { return }
    let block = MCAPIndex.Block(
      storage: .chunk, start: head.start, end: head.end, offset: position, length: size, isCut: isCut)
    openChunk = (block, [])
  }

  private mutating func closeChunk() throws(SensorError) {
    guard let (block, channels) = openChunk else { return }
    openChunk = nil
    if channels.isEmpty || channels.contains(where: { index.channels[$0] == nil }) {
      do throws(SensorError) {
        let loaded = try MCAPBlock(block, input)
        try loaded.forEachDeclaration(input) { (code, cursor) throws(SensorError) in
          if code == .schema { try index.add(MCAPSchema(&cursor), at: cursor.place) }
          if code == .channel { try index.add(MCAPChannel(&cursor), at: cursor.place) }
        }
      } catch {
        // A library that is missing is no damage of the file.
        guard error.code != .unsupported else { throw error }
        try report(error)
        return
      }
    }
    try index.add(block, at: input.place(block.offset))
  }

  private func checkSize(_ what: String, _ length: UInt64) throws(SensorError) {
    try InputLimits.check(what, bytes: length, limit: InputLimits.recordBytes, at: input.place(position))
  }

  /// The beginning of the present record's content, at most `limit` bytes of it.
  private func content<Value>(
    _ length: UInt64, limit: Int, _ body: (inout MCAPCursor) throws(SensorError) -> Value
  ) throws(SensorError) -> Value {
    try input.read(at: position + UInt64(MCAPRecord.headerSize), count: Int(min(length, UInt64(limit))), body)
  }

  private mutating func report(_ error: SensorError) throws(SensorError) {
    guard damage == .skip, error.code != .system, let place = error.place else { throw error }
    index.found.count(.malformed, at: place)
  }

  /// What stands behind the end of a finished file is no part of it.
  private mutating func noteEnd(behind footer: UInt64) throws(SensorError) {
    guard footer < input.size, try input.bytes(at: footer, count: 8) == MCAPRecord.magic else { return }
    index.isFinished = true
    let end = footer + UInt64(MCAPRecord.magic.count)
    guard end < input.size else { return }
    index.found.count(.trailing, Int(clamping: input.size - end), at: input.place(end))
  }

  /// A truncated file is a normal case; it is counted, never an error.
  private mutating func noteCut() {
    index.isFinished = false
    index.found.count(.truncated, at: input.place(position))
  }
}
