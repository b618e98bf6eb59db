// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// One message as a file holds it.
package struct MCAPMessage: Sendable, Hashable {
  /// The channel's number.
  package var channel: UInt16
  /// Counted by the writer; a jump means that messages are missing.
  package var sequence: UInt32
  /// When it was received, ns.
  package var logTime: UInt64
  /// When it was made, ns.
  package var publishTime: UInt64
  /// The message, still encoded.
  package var body: ArraySlice<UInt8>
}

/// Reads any MCAP file: what it declares, then its messages in the order of their log times (ties in the order of the
/// file).
///
/// ```swift
/// let reader = try MCAPReader(path: "walk.mcap")
/// while let message = try reader.next() { … }
/// ```
///
/// Memory holds the chunks that overlap in time, usually one. A truncated file is read up to its end. Not for
/// several threads at once.
package final class MCAPReader {
  /// What the file declares.
  package let index: MCAPIndex
  private let input: MCAPInput
  private let context: ReadingContext
  private let wanted: Set<UInt16>?
  private var nextBlock = 0
  /// The block with the earliest message is the last.
  private var open: [OpenBlock] = []
  /// Messages met so far, by channel, those of unwanted channels too, and the number of the latest; compared at the end
  /// with what the file states of itself.
  private var channels: [UInt16: (met: UInt64, sequence: UInt32)] = [:]
  /// Messages that are missing by the numbers of the others.
  private var missing: UInt64 = 0
  private var isCompared = false

  private struct OpenBlock {
    var block: MCAPBlock
    /// Log time and the place of the content.
    var messages: [(time: UInt64, start: UInt32, length: UInt32)]
    var next = 0
    /// Its place in the order of the file.
    var order: UInt64

    var time: UInt64 { messages[next].time }

    func isEarlier(than other: OpenBlock) -> Bool { (time, order) < (other.time, other.order) }
  }

  /// Opens a file; `damage`: what becomes of damaged parts; `budget`: that of the recording, nil = its own.
  package convenience init(
    path: String, damage: DamagePolicy = .stop, budget: Budget? = nil
  ) throws(SensorError) {
    let input = try MCAPInput(path: path, budget: budget)
    self.init(input, try MCAPIndex(input, damage), channels: nil, ReadingContext(damage))
  }

  /// Reads with an index that has been made before; `channels`: nil = all.
  init(_ input: MCAPInput, _ index: MCAPIndex, channels: Set<UInt16>?, _ context: ReadingContext) {
    (self.input, self.index, self.context) = (input, index, context)
    wanted = channels
    context.statistics.add(index.found)
  }

  /// What was left out so far, and what is missing.
  package var statistics: RecordingStatistics {
    get { context.statistics }
    set { context.statistics = newValue }
  }
  /// Messages met so far, of all channels.
  var met: UInt64 { channels.values.reduce(0) { $0 + $1.met } }

  /// The content of an attachment.
  package func data(of attachment: MCAPAttachment) throws(SensorError) -> [UInt8] {
    guard attachment.size <= UInt64(InputLimits.attachmentBytes), attachment.size <= input.size,
      attachment.length <= attachment.size + 8192
    else {
      throw SensorError(
        .limitExceeded,
        "The attachment \(attachment.name.debugDescription) declares \(attachment.size) bytes; the limit is \(InputLimits.attachmentBytes).",
        at: input.place(attachment.offset))
    }
    let bytes = try input.bytes(at: attachment.offset, count: Int(attachment.length))
    var cursor = MCAPCursor(bytes[...], file: input.path, base: attachment.offset)
    _ = try cursor.data(MCAPRecord.headerSize)
    var found = MCAPAttachment()
    try found.read(MCAPAttachment.head, &cursor)
    let content = Array(try cursor.data(found.size))
    let covered = cursor.offset
    let crc: UInt32 = try cursor.integer()
    guard crc == 0 || crc == checksum(bytes[MCAPRecord.headerSize..<covered]) else {
      throw cursor.malformed("The checksum of the attachment \(found.name.debugDescription) is wrong")
    }
    return content
  }

  /// The next message, or nil at the end.
  package func next() throws(SensorError) -> MCAPMessage? {
    while true {
      try openBlocks()
      guard var earliest = open.popLast() else {
        try compareWhole()
        return nil
      }
      let entry = earliest.messages[earliest.next]
      let message = earliest.block.message(Int(entry.start), length: Int(entry.length))
      earliest.next += 1
      if earliest.next < earliest.messages.count { insert(earliest) }
      return message
    }
  }

  /// Puts a block in its place, which is near the end: most files have their chunks one after the other.
  private func insert(_ block: OpenBlock) {
    open.insert(block, at: (open.lastIndex { block.isEarlier(than: $0) } ?? -1) + 1)
  }

  /// Opens every block that may hold a message as early as the earliest at hand.
  private func openBlocks() throws(SensorError) {
    while nextBlock < index.blocks.count {
      let block = index.blocks[nextBlock]
      if let earliest = open.last?.time, block.start > earliest { return }
      nextBlock += 1
      do throws(SensorError) {
        try InputLimits.checkRoom(
          "At one time the file needs", "chunks that overlap", count: open.count, limit: InputLimits.openChunks,
          at: input.place(block.offset))
        try open(block)
      } catch {
        guard error.code != .unsupported, error.code != .system else { throw error }
        try context.report(.malformed, error)
      }
    }
  }

  private func open(_ block: MCAPIndex.Block) throws(SensorError) {
    let loaded = try MCAPBlock(block, input)
    var messages: [(time: UInt64, start: UInt32, length: UInt32)] = []
    var isSorted = true
    var damage: SensorError?
    var passedOver: [UInt16: Int] = [:]
    do throws(SensorError) {
      try loaded.forEachRecord(input) { (code, range) throws(SensorError) in
        guard code == .message, range.count >= 22 else {
          guard ![.schema, .channel, .foreign].contains(code) else { return }
          return try context.report(
            .malformed, "A chunk holds a record that is no message, or a message that is too short",
            at: input.place(loaded.base))
        }
        let (channel, sequence, time) = loaded.head(range.lowerBound)
        guard index.channels[channel] != nil else {
          return try context.report(
            .malformed, "A message names channel \(channel), which is not declared", at: input.place(loaded.base))
        }
        let isWanted = wanted?.contains(channel) ?? true
        count(channel, sequence, isWanted: isWanted, at: loaded.base)
        guard isWanted else {
          passedOver[channel, default: 0] += 1
          return
        }
        if let last = messages.last, last.time > time { isSorted = false }
        if messages.count == messages.capacity {
          // It doubles, and both are there while it is copied.
          try loaded.share.keep(
            2 * max(64, messages.count) * MemoryLayout<(UInt64, UInt32, UInt32)>.stride, at: input.place(loaded.base))
        }
        messages.append((time, UInt32(range.lowerBound), UInt32(range.count)))
      }
    } catch {
      damage = error
    }
    for (channel, count) in passedOver {
      context.statistics.passOver(index.channels[channel]?.topic ?? "", count: count)
    }
    if !isSorted { messages.sort { ($0.time, $0.start) < ($1.time, $1.start) } }
    if !messages.isEmpty { insert(OpenBlock(block: loaded, messages: messages, order: block.offset)) }
    if let damage { throw damage }
  }

  /// At the end: a chunk that is gone leaves no trace but in what the file states of itself.
  private func compareWhole() throws(SensorError) {
    guard !isCompared else { return }
    isCompared = true
    let end = input.place(input.size)
    if let stated = index.stated {
      // Where a channel has more than it should have and another one less, a message at least was changed.
      let isMissed = stated.counts.contains { $0.1 > channels[$0.0]?.met ?? 0 }
      let wanted = met == stated.messages && isMissed ? met + 1 : stated.messages
      // Those that the numbers of others have shown are counted already.
      context.compare(met + min(missing, wanted - min(met, wanted)), with: wanted, at: end)
      for (held, stated) in [(index.attachments.count, stated.attachments), (index.metadata.count, stated.metadata)] {
        context.compare(min(UInt64(held), UInt64(stated)), with: UInt64(stated), at: end)
      }
    } else if index.chunkIndexes > index.chunkCount {
      context.compare(UInt64(index.chunkCount), with: UInt64(index.chunkIndexes), at: end)
    }
    for attachment in index.attachments where index.dataEnd == nil && (try? data(of: attachment)) == nil {
      context.statistics.count(.malformed, at: input.place(attachment.offset))
    }
    // Where damage was found before, the checksum has nothing to add.
    guard let (end, expected) = index.dataEnd, context.statistics.omitted == 0 else { return }
    var (sum, position): (UInt32, UInt64) = (0, 0)
    while position < end {
      let bytes = try input.bytes(at: position, count: Int(min(1 << 20, end - position)))
      guard !bytes.isEmpty else { return }
      sum = checksum(bytes[...], continuing: sum)
      position += UInt64(bytes.count)
    }
    if sum != expected { context.statistics.count(.changed, at: input.place(end)) }
  }

  /// Counts a message, and those that its number says are missing before it. A number that claims to be further than all
  /// that was met before counts as one.
  private func count(_ channel: UInt16, _ sequence: UInt32, isWanted: Bool, at place: UInt64) {
    let (met, last) = channels[channel] ?? (0, sequence)
    if isWanted, sequence > last, case let missing = UInt64(sequence - last - 1), missing > 0 {
      let believed = missing > met ? 1 : missing
      self.missing += believed
      context.statistics.count(.absent, Int(clamping: believed), at: input.place(place))
    }
    channels[channel] = (met + 1, sequence)
  }
}

extension MCAPBlock {
  fileprivate func head(_ start: Int) -> (channel: UInt16, sequence: UInt32, logTime: UInt64) {
    (
      bytes[...].littleEndian(at: start), bytes[...].littleEndian(at: start + 2), bytes[...].littleEndian(at: start + 6)
    )
  }

  fileprivate func message(_ start: Int, length: Int) -> MCAPMessage {
    MCAPMessage(
      channel: bytes[...].littleEndian(at: start), sequence: bytes[...].littleEndian(at: start + 2),
      logTime: bytes[...].littleEndian(at: start + 6), publishTime: bytes[...].littleEndian(at: start + 14),
      body: bytes[start + 22..<start + length])
  }
}
