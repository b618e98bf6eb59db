// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What an MCAP file declares and where its messages lie (``MCAPScan``).
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
  /// Chunks that its summary names.
  var chunkIndexes = 0
  /// How much the file states that it holds; nil where it does not.
  var stated: MCAPStatistics?
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
    guard try input.bytes(at: 0, count: 8) == MCAPRecord.magic else {
      throw SensorError(.malformed, "The file does not begin like an MCAP file.", at: input.place(0))
    }
    var scan = try MCAPScan(input, damage)
    try scan.run()
    self = scan.index
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
    (tail.stated, tail.dataEnd) = (nil, nil)
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
