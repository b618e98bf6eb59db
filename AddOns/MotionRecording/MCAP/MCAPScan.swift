// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Looks through the records of a file from the front, whether it has an end or its recorder was killed.
///
/// The data say everything but the number of messages. Where they are damaged, the summary says what their chunks
/// declare, and where the next one begins. Chunks are not opened, but for those whose message indexes name a channel
/// that is not known yet.
struct MCAPScan {
  var index: MCAPIndex
  private let input: MCAPInput
  private let damage: DamagePolicy
  private var position = UInt64(MCAPRecord.magic.count)
  /// The end of the data was passed.
  private var isBehind = false
  /// The file has the magic bytes of a finished one at its end: no record reaches beyond it.
  private let hasEnd: Bool
  /// The chunk just passed, until its message indexes have been.
  private var openChunk: (block: MCAPIndex.Block, channels: [UInt16])?
  /// Where the summary says that chunks are; nil = not needed yet.
  private var landmarks: ArraySlice<UInt64>?
  private static let runLength: UInt64 = 1 << 20
  private static let headerSize = UInt64(MCAPRecord.headerSize)

  init(_ input: MCAPInput, _ damage: DamagePolicy) throws(SensorError) {
    (self.input, self.damage, index) = (input, damage, MCAPIndex(input.budget))
    hasEnd = try input.bytes(at: max(8, input.size) - 8, count: 8) == MCAPRecord.magic
  }

  mutating func run() throws(SensorError) {
    while position < input.size {
      guard let (code, length) = try input.header(at: position) else {
        noteCut()
        break
      }
      let left = input.size - position - Self.headerSize
      let isCut = length > left
      if code != .messageIndex { try closeChunk() }
      if code == .footer {
        try noteEnd(behind: position + Self.headerSize &+ length)
        break
      }
      if isCut {
        if isBehind { break }
        guard try isEndOfFile(code, length) else {
          guard let next = try nextLandmark() else { break }
          position = next
          continue
        }
      }
      do throws(SensorError) {
        try read(code, length: min(length, left), isCut: isCut)
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
      position += Self.headerSize + length
    }
    try closeChunk()
  }

  /// A record that is longer than the file: cut off where it can be one, damage where no record is that long.
  private mutating func isEndOfFile(_ code: MCAPRecord.Code?, _ length: UInt64) throws(SensorError) -> Bool {
    guard !hasEnd, let code, code == .attachment || length <= UInt64(InputLimits.recordBytes) else {
      var error = SensorError.damaged(
        "A record declares \(length) bytes, but \(input.size - position) are left", at: input.place(position))
      error.code = length <= UInt64(InputLimits.recordBytes) || code == nil ? .malformed : .limitExceeded
      try report(error)
      return false
    }
    return true
  }

  /// Where the next chunk begins behind damage; nil where the summary does not say, or is damaged itself.
  private mutating func nextLandmark() throws(SensorError) -> UInt64? {
    var places = if let landmarks { landmarks } else { try readLandmarks() }
    defer { landmarks = places }
    while let place = places.popFirst() {
      if place > position, try input.header(at: place)?.code == .chunk { return place }
    }
    return nil
  }

  private mutating func readLandmarks() throws(SensorError) -> ArraySlice<UInt64> {
    let footer = input.size - min(input.size, Self.headerSize + 20 + 8)
    guard hasEnd, try input.header(at: footer)?.code == .footer else { return [] }
    var place = try input.read(at: footer + Self.headerSize, count: 8) { (cursor) throws(SensorError) in
      try cursor.integer(UInt64.self)
    }
    var places: [UInt64] = []
    while place < footer, let (code, length) = try input.header(at: place), length <= footer - place {
      let content = try input.bytes(at: place + Self.headerSize, count: 24)[...]
      switch code {
      case .chunkIndex where content.count == 24: places.append(content.littleEndian(at: 16))
      case .statistics where content.count == 24: index.declaredMessages = content.littleEndian(at: 0)
      default: break
      }
      place += Self.headerSize + length
    }
    return places.sorted()[...]
  }

  private mutating func read(_ code: MCAPRecord.Code?, length: UInt64, isCut: Bool) throws(SensorError) {
    // A chunk that a repair has put behind the end of the data is read, too.
    switch code {
    case .message: try readMessage(length, isCut: isCut)
    case .chunk: try readChunk(length, isCut: isCut)
    case .messageIndex:
      let channel = try content(length, limit: 2) { (cursor) throws(SensorError) in try cursor.integer(UInt16.self) }
      if openChunk?.channels.count ?? 0 < InputLimits.channels { openChunk?.channels.append(channel) }
    case .statistics where isBehind:
      index.declaredMessages = try content(length, limit: 8) { (cursor) throws(SensorError) in try cursor.integer() }
    case .dataEnd where !isCut && !isBehind:
      isBehind = true
      let sum = try content(length, limit: 4) { (cursor) throws(SensorError) in try cursor.integer(UInt32.self) }
      index.dataEnd = sum == 0 ? nil : (position, sum)
    case .header, .schema, .channel, .metadata, .attachment:
      guard !isCut, !isBehind || code == .schema || code == .channel else { return }
      if code != .attachment { try checkSize("A record", length) }
      try readDeclaration(code, length)
    default: break
    }
  }

  private mutating func readDeclaration(_ code: MCAPRecord.Code?, _ length: UInt64) throws(SensorError) {
    let place = input.place(position)
    // The attachment's content is not wanted here.
    let limit = code == .attachment ? 8192 : InputLimits.recordBytes
    try content(length, limit: limit) { (cursor) throws(SensorError) in
      switch code {
      case .schema: try index.add(MCAPSchema(&cursor), at: place)
      case .channel: try index.add(MCAPChannel(&cursor), at: place)
      case .metadata: try index.addMetadata(&cursor)
      case .attachment:
        var attachment = MCAPAttachment(offset: position, length: length + Self.headerSize)
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
    let size = length + Self.headerSize
    guard !index.extendLast(to: time, at: position, size: size, limit: Self.runLength) else { return }
    try index.add(
      MCAPIndex.Block(storage: .messages, start: time, end: time, offset: position, length: size),
      at: input.place(position))
  }

  private mutating func readChunk(_ length: UInt64, isCut: Bool) throws(SensorError) {
    let limit = 8 + 8 + 8 + 4 + 4 + InputLimits.nameBytes + 8
    let size = length + Self.headerSize
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
        try loaded.forEachRecord(input) { (code, range) throws(SensorError) in
          let base = loaded.base + UInt64(range.lowerBound)
          var cursor = MCAPCursor(loaded.bytes[range], file: input.path, base: base)
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
    try input.read(at: position + Self.headerSize, count: Int(min(length, UInt64(limit))), body)
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
