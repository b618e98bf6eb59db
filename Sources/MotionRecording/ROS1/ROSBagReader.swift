// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What a bag of ROS 1 declares, and where its messages lie.
///
/// A bag is a line "#ROSBAG V2.0" and records: a length and named fields, a length and data. Messages lie in chunks,
/// which may be compressed; the declarations of connections (a topic from one sender) and the places of the chunks
/// stand again at the end, where the first record says. Without that end, which a killed recorder does not write, the
/// chunks are looked through. Source: https://wiki.ros.org/Bags/Format/2.0.
struct ROSBagIndex: Sendable {
  static let magic = Array("#ROSBAG V2.0\n".utf8)

  /// The channels; their numbers are given here, as those of a bag may be any of 32 bits.
  private(set) var channels: [MessageFile.Channel] = []
  /// The numbers of ``channels`` by those of the bag.
  private(set) var numbers: [UInt32: UInt16] = [:]
  /// Where the records of the chunks begin, in the order of the file.
  private(set) var chunks: [UInt64] = []
  /// The end of a finished bag is there.
  private(set) var isFinished = false
  /// What is paid for all of this.
  private let share: Budget.Share

  init(_ input: MCAPInput) throws(SensorError) {
    self.init(share: Self.share(input))
    guard try input.bytes(at: 0, count: Self.magic.count) == Self.magic else {
      throw SensorError(.malformed, "The file does not begin like a bag of ROS 1.", at: input.place(0))
    }
    isFinished = try readEnd(input)
    if !isFinished { try scan(input) }
  }

  /// Reads the end of the bag; false where there is none that is sound.
  private mutating func readEnd(_ input: MCAPInput) throws(SensorError) -> Bool {
    guard let first = try? ROSBagRecord(input, at: UInt64(Self.magic.count)), first.code == .bag,
      let index = first.integer("index_pos", UInt64.self), index >= first.end, index < input.size
    else { return false }
    var position = index
    while position < input.size {
      guard let record = try? ROSBagRecord(input, at: position), record.end <= input.size else { break }
      switch record.code {
      case .connection: try add(record, ROSBagRecord.fields(try record.data(input)), at: input.place(position))
      case .chunkInfo:
        if let place = record.integer("chunk_pos", UInt64.self), place < index {
          try addChunk(place, at: input.place(position))
        }
      default: break
      }
      position = record.end
    }
    chunks.sort()
    if position == input.size, !channels.isEmpty { return true }
    (channels, numbers, chunks) = ([], [:], [])
    return false
  }

  /// Looks through all of the bag for the connections.
  private mutating func scan(_ input: MCAPInput) throws(SensorError) {
    var found = ROSBagIndex(share: Self.share(input))
    let reader = ROSBagReader(input, found, channels: [], ReadingContext(.skip))
    reader.onConnection = { (record, fields, place) throws(SensorError) in try found.add(record, fields, at: place) }
    reader.onChunk = { (place) throws(SensorError) in try found.addChunk(place, at: input.place(place)) }
    while try reader.next() != nil {}
    self = found
  }

  private init(share: Budget.Share) { self.share = share }

  private static func share(_ input: MCAPInput) -> Budget.Share {
    input.budget.share("The connections of the bag and its index", remedy: "record in shorter files")
  }

  private mutating func addChunk(_ chunk: UInt64, at place: SensorError.Place) throws(SensorError) {
    // Twice: the array doubles.
    try share.keep(2 * MemoryLayout<UInt64>.stride, at: place)
    chunks.append(chunk)
  }

  /// Adds what a record of a connection declares; one that is known already is passed over.
  private mutating func add(
    _ record: ROSBagRecord, _ fields: [String: ArraySlice<UInt8>], at place: SensorError.Place
  ) throws(SensorError) {
    guard let number = record.integer("conn", UInt32.self), numbers[number] == nil else { return }
    try InputLimits.checkRoom(
      "The bag declares", "connections", count: channels.count, limit: InputLimits.channels, at: place)
    func text(_ bytes: ArraySlice<UInt8>?) -> String {
      String(decoding: bytes?.prefix(InputLimits.nameBytes) ?? [], as: UTF8.self)
    }
    try share.keep(2 * InputLimits.nameBytes, at: place)
    let id = UInt16(channels.count)  // fits: at most `InputLimits.channels`
    numbers[number] = id
    channels.append(
      MessageFile.Channel(
        id: id, topic: text(record.fields["topic"]), schema: text(fields["type"]), encoding: "ros1"))
  }
}

/// The header of one record of a bag.
struct ROSBagRecord {
  enum Code: UInt8 {
    case message = 2
    case bag = 3
    case index = 4
    case chunk = 5
    case chunkInfo = 6
    case connection = 7
  }

  let fields: [String: ArraySlice<UInt8>]
  /// Of its data.
  let start: UInt64
  let length: UInt32

  /// Reads the header of the record that begins at `position` of the file.
  init(_ input: MCAPInput, at position: UInt64) throws(SensorError) {
    let head = LittleEndianBytes(try input.bytes(at: position, count: 4))
    let size = head.unsigned32(at: 0)
    guard head.bytes.count == 4, UInt64(size) <= UInt64(Self.mostHeaderBytes) else {
      throw .damaged("A record of the bag has a header of \(size) bytes", at: input.place(position))
    }
    let header = try input.bytes(at: position + 4, count: Int(size) + 4)
    try self.init(header[...], headerSize: Int(size), start: position + 8 + UInt64(size), at: input.place(position))
  }

  /// Reads the header of the record that begins within a chunk at `position`; its data has to lie in it, too.
  init(_ chunk: [UInt8], at position: Int, place: SensorError.Place) throws(SensorError) {
    let size = Int(LittleEndianBytes(chunk[position...]).unsigned32(at: 0))
    guard position <= chunk.count - 8, size <= Self.mostHeaderBytes, size <= chunk.count - position - 8 else {
      throw .damaged("A record within a chunk of the bag is longer than the chunk", at: place)
    }
    let begin = position + 8 + size
    // fits: within the chunk
    try self.init(chunk[(position + 4)..<begin], headerSize: size, start: UInt64(begin), at: place)
    guard length <= chunk.count - begin else {
      throw .damaged("A record within a chunk of the bag is longer than the chunk", at: place)
    }
  }

  private init(
    _ bytes: ArraySlice<UInt8>, headerSize: Int, start: UInt64, at place: SensorError.Place
  ) throws(SensorError) {
    guard bytes.count == headerSize + 4 else {
      throw SensorError(.cutOff, "The bag ends in the middle of a record.", at: place)
    }
    fields = Self.fields(bytes.prefix(headerSize))
    length = LittleEndianBytes(bytes.suffix(4)).unsigned32(at: 0)
    self.start = start
  }

  /// Bytes of a header: those of connections hold names.
  private static let mostHeaderBytes = 64 << 10

  var end: UInt64 { start + UInt64(length) }
  var code: Code? { integer("op", UInt8.self).flatMap(Code.init) }

  /// A number among the fields.
  func integer<Value: FixedWidthInteger>(_ name: String, _ type: Value.Type) -> Value? {
    guard let bytes = fields[name], bytes.count == MemoryLayout<Value>.size else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  /// Fields as headers and connections have them: a length, a name, "=", a value. What is damaged is left out.
  static func fields(_ bytes: some Collection<UInt8>) -> [String: ArraySlice<UInt8>] {
    let bytes = Array(bytes)[...]
    var (result, position): ([String: ArraySlice<UInt8>], Int) = ([:], 0)
    while position <= bytes.count - 4, result.count < 64 {
      let length = Int(LittleEndianBytes(bytes[position...]).unsigned32(at: 0))
      guard length <= bytes.count - position - 4 else { break }
      let field = bytes[(position + 4)..<(position + 4 + length)]
      if let sign = field.firstIndex(of: UInt8(ascii: "=")) {
        result[String(decoding: field[..<sign], as: UTF8.self)] = field[(sign + 1)...]
      }
      position += 4 + length
    }
    return result
  }

  /// The data of a record of the file.
  func data(_ input: MCAPInput) throws(SensorError) -> [UInt8] {
    try InputLimits.check(
      "A record of the bag", bytes: length, limit: InputLimits.recordBytes, at: input.place(start))
    let data = try input.bytes(at: start, count: Int(length))
    guard data.count == length else {
      throw SensorError(.cutOff, "The bag ends in the middle of a record.", at: input.place(start))
    }
    return data
  }
}

/// Reads the messages of a bag in the order in which they were received; memory holds one chunk.
final class ROSBagReader {
  private let input: MCAPInput
  private let index: ROSBagIndex
  private let wanted: Set<UInt16>
  private let context: ReadingContext
  private let share: Budget.Share
  private var position: UInt64
  private var chunk: (bytes: [UInt8], position: Int, place: SensorError.Place)?
  /// For a look through a bag without its end: called with the connections, and the places of chunks.
  var onConnection: ((ROSBagRecord, [String: ArraySlice<UInt8>], SensorError.Place) throws(SensorError) -> Void)?
  var onChunk: ((UInt64) throws(SensorError) -> Void)?

  init(
    _ input: MCAPInput, _ index: ROSBagIndex, channels: Set<UInt16>, _ context: ReadingContext, isTail: Bool = false
  ) {
    (self.input, self.index, wanted, self.context) = (input, index, channels, context)
    share = input.chunkShare()
    let first = isTail ? index.chunks.suffix(2).first : nil
    position = first ?? UInt64(ROSBagIndex.magic.count)
  }

  /// The next message, or nil at the end.
  func next() throws(SensorError) -> MCAPMessage? {
    while true {
      if chunk != nil {
        if let message = try nextOfChunk() { return message }
        continue
      }
      guard position < input.size else { return nil }
      let begin = position
      do throws(SensorError) {
        let record = try ROSBagRecord(input, at: begin)
        guard record.end <= input.size || record.code == .chunk else {
          throw SensorError(.cutOff, "The bag ends in the middle of a record.", at: input.place(begin))
        }
        position = record.end
        switch record.code {
        case .chunk:
          try onChunk?(begin)
          chunk = nil
          share.giveBack()
          chunk = (try content(record), 0, input.place(begin))
        case .connection:
          try onConnection?(record, ROSBagRecord.fields(try record.data(input)), input.place(begin))
        case .message:
          // Messages outside of chunks.
          if let message = try message(record, try record.data(input)[...], at: input.place(begin)) { return message }
        case .bag, .index, .chunkInfo: break
        case nil: throw .damaged("There is no record of a bag", at: input.place(begin))
        }
      } catch {
        try skip(error, from: begin)
      }
    }
  }

  /// Damage in the file: what follows begins with the next chunk that the end of the bag names.
  private func skip(_ error: SensorError, from begin: UInt64) throws(SensorError) {
    guard error.code == .malformed || error.code == .cutOff || error.code == .limitExceeded else { throw error }
    if error.code == .cutOff {
      context.statistics.count(.truncated, at: error.place ?? input.place(begin))
    } else {
      try context.report(.malformed, error)
    }
    position = index.chunks.first { $0 > begin } ?? input.size
  }

  /// The records of a chunk, decompressed.
  private func content(_ record: ROSBagRecord) throws(SensorError) -> [UInt8] {
    let place = input.place(record.start)
    try share.keep(Int(clamping: min(UInt64(record.length), input.size)), at: place)
    let stored = try record.data(input)
    let name = String(decoding: record.fields["compression"] ?? [], as: UTF8.self)
    guard name != "none" else { return stored }
    let size = record.integer("size", UInt32.self).map(Int.init) ?? 0
    try share.keep(size, at: place)
    guard input.admits(inflated: size, stored: stored.count) else {
      throw SensorError(
        .limitExceeded,
        "A chunk of the bag declares more than \(InputLimits.inflationRatio) times its size, the limit.", at: place)
    }
    let lz4 = name == "lz4" ? try LZ4Codec() : nil
    let bzip2 = name == "bz2" ? try BZip2Codec() : nil
    guard lz4 != nil || bzip2 != nil else {
      throw .damaged(
        "A chunk of the bag has the compression \(name.debugDescription); none, bz2 and lz4 are known", at: place)
    }
    let bytes = lz4?.decompress(stored.span, size: size) ?? bzip2?.decompress(stored.span, size: size)
    guard let bytes else {
      throw .damaged("The compressed data of a chunk is damaged, or does not have its declared size", at: place)
    }
    return bytes
  }

  /// The next message of the chunk; nil at its end, or where it is damaged.
  private func nextOfChunk() throws(SensorError) -> MCAPMessage? {
    while let (bytes, position, place) = chunk {
      guard position < bytes.count else { break }
      do throws(SensorError) {
        let record = try ROSBagRecord(bytes, at: position, place: place)
        let (start, end) = (Int(record.start), Int(record.end))  // fits: within the chunk
        chunk?.position = end
        let data = bytes[start..<end]
        switch record.code {
        case .message: if let message = try message(record, data, at: place) { return message }
        case .connection: try onConnection?(record, ROSBagRecord.fields(data), place)
        default: throw .damaged("A chunk of the bag holds something else than messages", at: place)
        }
      } catch {
        chunk = nil
        guard error.code == .malformed else { throw error }
        try context.report(.malformed, error)
      }
    }
    chunk = nil
    return nil
  }

  /// Nil for a message of a channel that is not wanted.
  private func message(
    _ record: ROSBagRecord, _ data: ArraySlice<UInt8>, at place: SensorError.Place
  ) throws(SensorError) -> MCAPMessage? {
    guard onConnection == nil else { return nil }
    guard let number = record.integer("conn", UInt32.self).flatMap({ index.numbers[$0] }),
      let time = record.integer("time", UInt64.self)
    else { throw .damaged("A message of the bag names no connection that is declared", at: place) }
    guard wanted.contains(number) else {
      context.statistics.passOver(index.channels[Int(number)].topic)
      return nil
    }
    // Seconds, then nanoseconds.
    let received = (time & 0xFFFF_FFFF) * 1_000_000_000 + time >> 32
    return MCAPMessage(channel: number, sequence: 0, logTime: received, publishTime: received, body: data)
  }
}
