// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Looks through the records of a file from the front to the last byte, whether it has an end or its recorder was
/// killed.
///
/// An end mark, the magic bytes or a record of no known type within the file end nothing: each is an entry of the account,
/// and what stands behind is read. Where the data are damaged, the summary says where the next chunk begins. Chunks are not
/// opened, but for those whose message indexes name a channel that is not known yet.
struct MCAPScan {
  var index: MCAPIndex
  private let input: MCAPInput
  private let damage: DamagePolicy
  private var position = UInt64(MCAPRecord.magic.count)
  /// The end of the data was passed, and since then nothing but the summary.
  private var isBehind = false
  /// The footer just passed: only the magic bytes may follow it.
  private var footer: UInt64?
  /// The file has the magic bytes of a finished one at its end: no record reaches beyond it.
  private let hasEnd: Bool
  /// The chunk just passed, until its message indexes have been.
  private var openChunk: (block: MCAPIndex.Block, channels: [UInt16])?
  /// The account has an entry for the chunk to which the next message indexes belong.
  private var isChunkCounted = false
  /// Where the summary says that chunks are; nil = not needed yet.
  private var landmarks: ArraySlice<UInt64>?
  private static let runLength: UInt64 = 1 << 20
  private static let headerSize = UInt64(MCAPRecord.headerSize)
  /// From the last footer to the end of a finished file.
  private static let endSize = headerSize + 20 + UInt64(MCAPRecord.magic.count)

  init(_ input: MCAPInput, _ damage: DamagePolicy) throws(SensorError) {
    (self.input, self.damage, index) = (input, damage, MCAPIndex(input.budget))
    hasEnd = try input.bytes(at: max(8, input.size) - 8, count: 8) == MCAPRecord.magic
  }

  mutating func run() throws(SensorError) {
    while position < input.size {
      let head = try input.header(at: position)
      if head.map({ $0.code == .foreign }) ?? true, try passMagic() { continue }
      let isRecord = head.map { $0.code != nil && $0.length <= input.size - position - Self.headerSize } ?? false
      if index.isFinished {
        guard isRecord else {
          index.found.count(.trailing, Int(clamping: input.size - position), at: input.place(position))
          return try closeChunk()
        }
        index.isFinished = false
        try report("Records stand behind the end of the file")
      }
      if let footer {
        self.footer = nil
        try report("The file's last record stands within it", at: footer)
      }
      guard let (code, length) = head else {
        noteCut()
        break
      }
      let left = input.size - position - Self.headerSize
      let isCut = length > left
      if code != .messageIndex { try closeChunk() }
      if isCut, try !isEndOfFile(code, length) {
        // Behind damage of the summary of a finished file stands its footer.
        let footer = input.size - min(input.size, Self.endSize)
        guard let next = isBehind && hasEnd ? footer : try nextLandmark(), next > position else { break }
        position = next
        continue
      }
      do throws(SensorError) {
        try read(code, length: min(length, left), isCut: isCut)
      } catch  where isCut && error.code == .malformed {
        // Not even its beginning is there.
      } catch {
        isChunkCounted = code == .chunk
        try report(error)
      }
      if isCut {
        noteCut()
        break
      }
      position += Self.headerSize + length
    }
    try closeChunk()
    if !index.isFinished, index.found[.truncated] == 0 { noteCut() }
    let orphans = index.channels.values.count { $0.schema != 0 && index.schemas[$0.schema] == nil }
    if orphans > 0 { index.found.count(.malformed, orphans, at: input.place(0)) }
  }

  /// The magic bytes: behind the footer the end of a file, else an entry; false where there are none.
  private mutating func passMagic() throws(SensorError) -> Bool {
    guard try input.bytes(at: position, count: MCAPRecord.magic.count) == MCAPRecord.magic else { return false }
    try closeChunk()
    if footer == nil { try report("The beginning or the end of another file stands within the file") }
    (index.isFinished, footer) = (footer != nil, nil)
    position += UInt64(MCAPRecord.magic.count)
    return true
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
    let footer = input.size - min(input.size, Self.endSize)
    guard hasEnd, try input.header(at: footer)?.code == .footer else { return [] }
    var place = try input.read(at: footer + Self.headerSize, count: 8) { (cursor) throws(SensorError) in
      try cursor.integer(UInt64.self)
    }
    var places: [UInt64] = []
    while place < footer, let (code, length) = try input.header(at: place), length <= footer - place {
      let content = try input.bytes(at: place + Self.headerSize, count: 24)[...]
      switch code {
      case .chunkIndex where content.count == 24: places.append(content.littleEndian(at: 16))
      default: break
      }
      place += Self.headerSize + length
    }
    return places.sorted()[...]
  }

  private mutating func read(_ code: MCAPRecord.Code?, length: UInt64, isCut: Bool) throws(SensorError) {
    if isBehind, code == .message || code == .chunk || code == .attachment || code == .dataEnd {
      isBehind = false
      try report("Data stand behind the record that ends them")
    }
    if code != .messageIndex { isChunkCounted = false }
    switch code {
    case nil: throw .damaged("There is no such type of record", at: input.place(position))
    case .footer: footer = position
    case .message: try readMessage(length, isCut: isCut)
    case .chunk: try readChunk(length, isCut: isCut)
    case .messageIndex where openChunk == nil:
      if !isChunkCounted { try report("A message index stands without its chunk") }
      isChunkCounted = true
    case .chunkIndex: index.chunkIndexes += 1
    case .messageIndex:
      let channel = try content(length, limit: 2) { (cursor) throws(SensorError) in try cursor.integer(UInt16.self) }
      if openChunk?.channels.count ?? 0 < InputLimits.channels { openChunk?.channels.append(channel) }
    case .statistics:
      index.stated = try content(length, limit: InputLimits.recordBytes) { (cursor) throws(SensorError) in
        try MCAPStatistics(&cursor)
      }
    case .dataEnd where !isCut:
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
    // Of the summary nothing but the comparison depends: its damage is no reason to refuse the data.
    guard damage == .skip || isBehind, error.code != .system, let place = error.place else { throw error }
    index.found.count(.malformed, at: place)
  }

  private mutating func report(_ what: String, at offset: UInt64? = nil) throws(SensorError) {
    try report(.damaged(what, at: input.place(offset ?? position)))
  }

  /// A truncated file is a normal case; it is counted, never an error.
  private mutating func noteCut() {
    index.isFinished = false
    index.found.count(.truncated, at: input.place(position))
  }
}
