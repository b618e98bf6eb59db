// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What an MCAP file declares and where its messages lie: from the summary where there is a sound one, else from a
/// scan.
package struct MCAPIndex: Sendable {
  /// A part of the file that is read at once: a chunk, or messages that lie outside of chunks.
  struct Block: Sendable {
    enum Storage: Sendable { case chunk, messages }

    var storage: Storage
    /// Log times.
    var start: UInt64
    var end: UInt64
    /// Of the record, or of the first message.
    var offset: UInt64
    /// To the end of the record or of the last message, or to the end of the file where it was cut off.
    var length: UInt64
    /// The file ends within it.
    var isCut = false
  }

  /// Its use of MCAP, and the program that wrote it.
  package internal(set) var header = MCAPHeader()
  /// By number.
  package private(set) var schemas: [UInt16: MCAPSchema] = [:]
  /// By number.
  package private(set) var channels: [UInt16: MCAPChannel] = [:]
  private(set) var blocks: [Block] = []
  /// The records of facts.
  package private(set) var metadata: [MCAPMetadata] = []
  /// The files within the file.
  package private(set) var attachments: [MCAPAttachment] = []
  /// The file has the end that a finished one has; false: it is truncated, or its recorder was killed.
  package internal(set) var isFinished = false
  /// How many messages the file says that it holds; nil where it does not.
  var declaredMessages: UInt64?
  /// Where the record stands that ends the data, and the checksum of all bytes before it; nil where there is none.
  var dataEnd: (offset: UInt64, checksum: UInt32)?
  /// Of the chunks, by name, in the order of appearance; "" = none.
  package private(set) var compressions: [String] = []
  /// Damage found while it was made.
  var found = RecordingStatistics()

  /// What is paid for all of this; copies have it in common.
  private let share: Budget.Share
  let budget: Budget

  /// How many chunks there are.
  package var chunkCount: Int { blocks.count { $0.storage == .chunk } }

  init(_ budget: Budget) {
    self.budget = budget
    share = budget.share(
      "What the file declares (schemas, channels, metadata) and its index", remedy: "record in shorter files")
  }

  /// Reads the index of a file; damage that is to be skipped is counted in ``found``.
  init(_ input: MCAPInput, _ damage: DamagePolicy) throws(SensorError) {
    let magic = try input.bytes(at: 0, count: 8)
    guard magic == MCAPRecord.magic else {
      throw SensorError(.malformed, "The file does not begin like an MCAP file.", at: input.place(0))
    }
    var summary = MCAPIndex(input.budget)
    if try summary.readSummary(input) {
      self = summary
    } else {
      var scan = MCAPScan(input, damage)
      scan.index.isFinished = summary.isFinished
      try scan.run()
      if summary.declaredMessages == nil, let start = scan.summaryStart {
        // Where bytes are gone the summary is no longer where its footer says.
        summary = MCAPIndex(input.budget)
        _ = try summary.readSummary(input, at: start)
      }
      scan.index.declaredMessages = summary.declaredMessages
      self = scan.index
    }
    blocks.sort { ($0.start, $0.offset) < ($1.start, $1.offset) }
  }

  mutating func add(_ schema: MCAPSchema, at place: SensorError.Place) throws(SensorError) {
    guard schemas[schema.id] == nil else { return }
    guard schema.id != 0 else { throw .damaged("A schema has the reserved number 0", at: place) }
    try InputLimits.checkRoom(
      "The file declares", "schemas", count: schemas.count, limit: InputLimits.schemas, at: place)
    try share.keep(schema.data.count + 2 * InputLimits.nameBytes, at: place)
    schemas[schema.id] = schema
  }

  mutating func add(_ channel: MCAPChannel, at place: SensorError.Place) throws(SensorError) {
    if let known = channels[channel.id] {
      guard known.topic == channel.topic, known.schema == channel.schema else {
        throw .damaged(
          "Channel \(channel.id) is declared twice, for different topics: the first one is used", at: place)
      }
      return
    }
    try InputLimits.checkRoom(
      "The file declares", "channels", count: channels.count, limit: InputLimits.channels, at: place)
    try share.keep(Self.size(of: channel.metadata) + 2 * InputLimits.nameBytes, at: place)
    channels[channel.id] = channel
  }

  mutating func add(_ attachment: MCAPAttachment, at place: SensorError.Place) throws(SensorError) {
    try InputLimits.checkRoom(
      "The file has", "attachments", count: attachments.count, limit: InputLimits.channels, at: place)
    try share.keep(2 * InputLimits.nameBytes, at: place)
    attachments.append(attachment)
  }

  mutating func addMetadata(_ cursor: inout MCAPCursor) throws(SensorError) {
    try InputLimits.checkRoom(
      "The file has", "metadata records", count: metadata.count, limit: InputLimits.channels, at: cursor.place)
    // Before it is read: it may be as large as a record.
    try share.keep(cursor.left, at: cursor.place)
    let record = try MCAPMetadata(&cursor)
    try share.keep(record.values.count * MemoryLayout<(String, String)>.stride, at: cursor.place)
    metadata.append(record)
  }

  mutating func add(_ block: Block, at place: SensorError.Place) throws(SensorError) {
    try share.keep(MemoryLayout<Block>.stride, at: place)
    blocks.append(block)
  }

  /// Lengthens the last run of messages by one that lies right behind it; false when it does not, or the run is long
  /// enough.
  mutating func extendLast(to time: UInt64, at offset: UInt64, size: UInt64, limit: UInt64) -> Bool {
    guard let last = blocks.last, last.storage == .messages, last.offset + last.length == offset,
      last.length + size <= limit
    else { return false }
    let index = blocks.count - 1
    blocks[index].start = min(last.start, time)
    blocks[index].end = max(last.end, time)
    blocks[index].length += size
    return true
  }

  /// The same without some of its blocks and without what was wrong with it: for a look at the end.
  func tail(_ count: Int) -> MCAPIndex {
    var tail = self
    (tail.declaredMessages, tail.dataEnd) = (nil, nil)
    tail.blocks = blocks.suffix(count)
    tail.found = RecordingStatistics()
    return tail
  }

  /// Bytes of facts in memory.
  private static func size(of values: [(String, String)]) -> Int {
    values.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + MemoryLayout<(String, String)>.stride }
  }

  mutating func note(compression: String) {
    if !compressions.contains(compression), compressions.count < 16 { compressions.append(compression) }
  }
}

extension MCAPIndex {
  private static let footerSize = MCAPRecord.headerSize + 20
  private static let dataEndSize = MCAPRecord.headerSize + 4

  /// Keeps the checksum of the data where the record that ends them begins at `offset`.
  mutating func noteDataEnd(_ input: MCAPInput, at offset: UInt64) throws(SensorError) {
    let record = try input.bytes(at: offset, count: Self.dataEndSize)
    guard record.count == Self.dataEndSize, record[0] == MCAPRecord.Code.dataEnd.rawValue, record[1] == 4
    else { return }
    let sum = LittleEndianBytes(record).unsigned32(at: MCAPRecord.headerSize)
    dataEnd = sum == 0 ? nil : (offset, sum)
  }

  /// Reads the summary; false when there is none that is sound, and everything has to be looked for in the data.
  ///
  /// Nothing in a summary is needed that the data does not say, so damage here costs nothing but time.
  /// `at`: where it begins; nil = where the footer says.
  mutating func readSummary(_ input: MCAPInput, at start: UInt64? = nil) throws(SensorError) -> Bool {
    let tail = UInt64(Self.footerSize + MCAPRecord.magic.count)
    guard input.size >= tail + 8 else { return false }
    let end = try input.bytes(at: input.size - tail, count: Int(tail))
    guard end.count == Int(tail), end.suffix(8).elementsEqual(MCAPRecord.magic),
      end[0] == MCAPRecord.Code.footer.rawValue, end[1] == 20
    else { return false }
    isFinished = true
    let footer = input.size - tail
    let start = start ?? LittleEndianBytes(end).unsigned64(at: 9)
    let crc = LittleEndianBytes(end).unsigned32(at: 25)
    guard start >= 8, start < footer, footer - start <= UInt64(InputLimits.recordBytes) else { return false }
    let bytes = try input.bytes(at: start, count: Int(footer - start))
    guard bytes.count == Int(footer - start) else { return false }
    if crc != 0 {
      guard checksum(end[..<25], continuing: checksum(bytes[...])) == crc else { return false }
    }
    var found = Found()
    do throws(SensorError) {
      try read(bytes, input, base: start, &found)
      return try use(found, input, end: start)
    } catch {
      guard error.code != .system else { throw error }
      return false
    }
  }

  private struct Found {
    var chunks: [MCAPChunkIndex] = []
    /// By the place of the record, so that what is named twice is read once.
    var metadata: [UInt64: UInt64] = [:]
    var attachments: [UInt64: MCAPAttachment] = [:]
    /// As named, repetitions included.
    var namedMetadata = 0, namedAttachments = 0
    var counts: MCAPStatistics?
  }

  private mutating func read(
    _ bytes: [UInt8], _ input: MCAPInput, base: UInt64, _ found: inout Found
  ) throws(SensorError) {
    var records = MCAPCursor(bytes[...], file: input.path, base: base)
    while records.left > 0 {
      let code: UInt8 = try records.integer()
      let length: UInt64 = try records.integer()
      let contentBase = base + UInt64(records.offset)
      var cursor = MCAPCursor(try records.data(length), file: input.path, base: contentBase)
      switch MCAPRecord.Code(rawValue: code) {
      case .schema: try add(MCAPSchema(&cursor), at: cursor.place)
      case .channel: try add(MCAPChannel(&cursor), at: cursor.place)
      case .chunkIndex:
        try share.keep(MemoryLayout<MCAPChunkIndex>.stride, at: cursor.place)
        found.chunks.append(try MCAPChunkIndex(&cursor))
      case .attachmentIndex:
        let attachment = try MCAPAttachment(&cursor)
        found.namedAttachments += 1
        guard found.attachments.updateValue(attachment, forKey: attachment.offset) == nil else { continue }
        try add(attachment, at: cursor.place)
      case .metadataIndex:
        let place = try MCAPMetadataIndex(&cursor)
        found.namedMetadata += 1
        found.metadata[place.offset] = place.length
        guard found.metadata.count <= InputLimits.channels else {
          throw cursor.malformed("The summary names more than \(InputLimits.channels) metadata records")
        }
      case .statistics:
        found.counts = try MCAPStatistics(&cursor)
        declaredMessages = found.counts?.messages
      default: break
      }
    }
  }

  /// Whether what was found is complete and lies where it can lie.
  private mutating func use(_ found: Found, _ input: MCAPInput, end: UInt64) throws(SensorError) -> Bool {
    // Only the counts show whether the rest is complete.
    guard let counts = found.counts, counts.chunks == found.chunks.count, counts.channels == channels.count,
      counts.metadata == found.namedMetadata, counts.attachments == found.namedAttachments,
      counts.messages == 0 || !found.chunks.isEmpty, Self.areApart(found, end: end)
    else { return false }
    var last: UInt64 = 8
    for chunk in found.chunks.sorted(by: { $0.offset < $1.offset }) {
      guard chunk.offset >= last, chunk.offset < end, chunk.length <= end - chunk.offset,
        chunk.length <= UInt64(InputLimits.recordBytes), chunk.size <= UInt64(InputLimits.chunkBytes)
      else { return false }
      guard try !holdsMessages(input, from: last, to: chunk.offset) else { return false }
      last = chunk.offset + chunk.length
      note(compression: chunk.compression)
      try add(
        Block(storage: .chunk, start: chunk.start, end: chunk.end, offset: chunk.offset, length: chunk.length),
        at: input.place(chunk.offset))
    }
    guard try !holdsMessages(input, from: last, to: end) else { return false }
    // Of an end that is too near to the beginning this is no place in the file.
    try noteDataEnd(input, at: end &- UInt64(Self.dataEndSize))
    for (offset, length) in found.metadata.sorted(by: { $0.key < $1.key }) {
      guard length <= UInt64(InputLimits.recordBytes) else { return false }
      guard try input.bytes(at: offset, count: 1) == [MCAPRecord.Code.metadata.rawValue] else { return false }
      try input.read(at: offset, count: Int(length)) { (cursor) throws(SensorError) in
        _ = try cursor.data(MCAPRecord.headerSize)
        try addMetadata(&cursor)
      }
    }
    return try readHeader(input)
  }

  /// Whether the records that the summary names lie in the data, none of them within another: bytes that belong to two
  /// records would be read, and by `cut` copied, twice.
  private static func areApart(_ found: Found, end: UInt64) -> Bool {
    var records = found.chunks.map { ($0.offset, $0.length) }
    records += found.attachments.values.map { ($0.offset, $0.length) }
    records += found.metadata.map { ($0.key, $0.value) }
    var last: UInt64 = 8
    for (offset, length) in records.sorted(by: { $0.0 < $1.0 }) {
      guard offset >= last, offset < end, length <= end - offset, length >= MCAPRecord.headerSize else { return false }
      last = offset + length
    }
    return true
  }

  /// Whether there is a message, or a chunk, between two chunks of the summary, which then is not complete: messages
  /// may lie outside of chunks next to others that are inside them, without a summary of their places. A file that
  /// cannot be walked through is also scanned.
  private func holdsMessages(_ input: MCAPInput, from start: UInt64, to end: UInt64) throws(SensorError) -> Bool {
    let headerSize = UInt64(MCAPRecord.headerSize)
    var position = start
    while position < end {
      guard end - position >= headerSize else { return true }
      let head = try input.bytes(at: position, count: MCAPRecord.headerSize)
      guard head.count == MCAPRecord.headerSize else { return true }
      let length = LittleEndianBytes(head).unsigned64(at: 1)
      let code = MCAPRecord.Code(rawValue: head[0])
      guard code != .message, code != .chunk, length <= end - position - headerSize else { return true }
      position += headerSize + length
    }
    return false
  }

  /// The first record, which names the profile and the program.
  private mutating func readHeader(_ input: MCAPInput) throws(SensorError) -> Bool {
    guard try input.bytes(at: 8, count: 1) == [MCAPRecord.Code.header.rawValue] else { return false }
    let length = MCAPRecord.headerSize + 2 * (4 + InputLimits.nameBytes)
    try input.read(at: 8, count: length) { (cursor) throws(SensorError) in
      _ = try cursor.data(MCAPRecord.headerSize)
      header = try MCAPHeader(&cursor)
    }
    return true
  }
}
