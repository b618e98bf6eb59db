// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The records of one block of a file, in memory.
final class MCAPBlock {
  /// Uncompressed.
  let bytes: [UInt8]
  /// Where they lie in the file; within a compressed chunk, where the chunk does.
  let base: UInt64
  private let isCut: Bool
  /// What is paid for these bytes, and for what a reader notes about them.
  let share: Budget.Share

  /// Reads the block, checks its checksum, and decompresses it.
  init(_ block: MCAPIndex.Block, _ input: MCAPInput) throws(SensorError) {
    isCut = block.isCut
    share = input.chunkShare()
    guard block.length <= UInt64(InputLimits.recordBytes) else {
      throw SensorError(
        .limitExceeded, "A chunk has \(block.length) bytes; the limit is \(InputLimits.recordBytes).",
        at: input.place(block.offset))
    }
    let length = Int(block.length)  // fits: compared with the limit above
    try share.keep(length, at: input.place(block.offset))
    let stored = try input.bytes(at: block.offset, count: length)
    guard stored.count == length else {
      throw .damaged("The file became shorter while it was read", at: input.place(block.offset))
    }
    guard block.storage == .chunk else {
      (bytes, base) = (stored, block.offset)
      return
    }
    (bytes, base) = try Self.records(stored, block.offset, input, isCut: isCut, share)
    share.giveBack(length)
  }

  private static func records(
    _ stored: [UInt8], _ offset: UInt64, _ input: MCAPInput, isCut: Bool, _ share: Budget.Share
  ) throws(SensorError) -> ([UInt8], UInt64) {
    var cursor = MCAPCursor(stored[...], file: input.path, base: offset)
    let code: UInt8 = try cursor.integer()
    let length: UInt64 = try cursor.integer()
    guard code == MCAPRecord.Code.chunk.rawValue, isCut || length == UInt64(cursor.left) else {
      throw cursor.malformed("There is no chunk at the place that the summary gives")
    }
    let head = try MCAPChunkHead(&cursor)
    let base = offset + UInt64(cursor.offset)
    let content = try cursor.data(isCut ? min(UInt64(cursor.left), head.storedSize) : head.storedSize)
    try check(head, stored: content.count, share, input, cursor)
    if head.compression.isEmpty {
      guard isCut || head.size == head.storedSize else {
        throw cursor.malformed("A chunk without compression declares two different sizes")
      }
      if !isCut { try verify(content, head, cursor) }
      return (Array(content), base)
    }
    guard let compression = MCAPCompression(rawValue: head.compression), let codec = try compression.makeCodec() else {
      throw SensorError(
        .unsupported,
        "Its chunks are compressed with \(head.compression.debugDescription); only lz4 and zstd are supported.",
        at: input.place(offset))
    }
    guard let bytes = codec.decompress(content.span, size: Int(head.size)) else {
      throw cursor.malformed("The compressed data of a chunk is damaged, or does not have its declared size")
    }
    try verify(bytes[...], head, cursor)
    return (bytes, offset)
  }

  /// Sizes against their caps, before memory is reserved.
  private static func check(
    _ head: MCAPChunkHead, stored: Int, _ share: Budget.Share, _ input: MCAPInput, _ cursor: MCAPCursor
  ) throws(SensorError) {
    guard let size = Int(exactly: head.size), size <= InputLimits.chunkBytes else {
      throw SensorError(
        .limitExceeded,
        "A chunk declares \(head.size) bytes of records; the limit is \(InputLimits.chunkBytes).", at: cursor.place)
    }
    try share.keep(size, at: cursor.place)
    guard head.compression.isEmpty || input.admits(inflated: size, stored: stored) else {
      throw SensorError(
        .limitExceeded,
        "A chunk, or all of them so far, declare more than \(InputLimits.inflationRatio) times the compressed size, the limit.",
        at: cursor.place)
    }
  }

  private static func verify(
    _ bytes: ArraySlice<UInt8>, _ head: MCAPChunkHead, _ cursor: MCAPCursor
  ) throws(SensorError) {
    guard head.checksum == 0 || MotionRecording.checksum(bytes) == head.checksum else {
      throw cursor.malformed("The checksum of a chunk is wrong, so its content is damaged")
    }
  }

  /// Calls `body` with each record: its type, its content's place in ``bytes``. A record that is longer than what is
  /// left ends it: with an error, or without one where the file is cut off.
  func forEachRecord(
    _ input: MCAPInput, _ body: (MCAPRecord.Code?, Range<Int>) throws(SensorError) -> Void
  ) throws(SensorError) {
    var position = 0
    while position < bytes.count {
      let rest = bytes.count - position - MCAPRecord.headerSize
      let length: UInt64 = rest < 0 ? .max : bytes[...].littleEndian(at: position + 1)
      guard rest >= 0, length <= UInt64(rest) else {
        if isCut { return }
        throw .damaged("A record within a chunk is longer than the chunk", at: input.place(base))
      }
      let begin = position + MCAPRecord.headerSize
      try body(MCAPRecord.Code(bytes[position]), begin..<begin + Int(length))
      position = begin + Int(length)
    }
  }
}

/// The bytes of an MCAP file, from any place; small reads come out of a window.
final class MCAPInput {
  let path: String
  let size: UInt64
  private let file: FileBytes
  private var window: [UInt8] = []
  private var windowStart: UInt64 = 0
  private static let windowSize = 64 << 10
  let budget: Budget
  /// Of all compressed chunks that were opened.
  private var (inflatedBytes, storedBytes) = (0, 0)

  /// `budget`: that of all the files that it belongs to; nil = its own.
  init(path: String, budget: Budget? = nil) throws(SensorError) {
    file = try FileBytes(path: path)
    (self.path, size) = (path, UInt64(file.fileSize))
    self.budget = budget ?? Budget(input: Int64(clamping: size))
  }

  /// Whether a chunk may be decompressed. Many small ones may not become more than a large one may.
  func admits(inflated: Int, stored: Int) -> Bool {
    let ratio = Int(InputLimits.inflationRatio)
    for (inflated, stored) in [(inflated, stored), (inflatedBytes + inflated, storedBytes + stored)]
    where inflated > InputLimits.freeInflatedBytes && inflated / ratio > stored { return false }
    inflatedBytes += inflated
    storedBytes += stored
    return true
  }

  func chunkShare() -> Budget.Share {
    budget.share("Its chunks that overlap in time", remedy: "write smaller chunks, or record in shorter files")
  }

  func place(_ offset: UInt64) -> SensorError.Place {
    SensorError.Place(file: path, byte: Int(truncatingIfNeeded: offset))
  }

  /// The bytes from `offset` on: `count`, or fewer at the end of the file. `count` has been compared with its cap.
  func bytes(at offset: UInt64, count: Int) throws(SensorError) -> [UInt8] {
    guard offset < size else { return [] }
    let wanted = Int(min(UInt64(max(0, count)), size - offset))
    if wanted <= Self.windowSize / 4 {
      if offset < windowStart || offset + UInt64(wanted) > windowStart + UInt64(window.count) {
        window = try file.bytes(at: offset, count: Int(min(UInt64(Self.windowSize), size - offset)))
        windowStart = offset
      }
      let first = Int(offset - windowStart)
      return Array(window[min(first, window.count)..<min(first + wanted, window.count)])
    }
    return try file.bytes(at: offset, count: wanted)
  }

  /// The type of the record at `offset` and the length of its content; nil where the file ends before.
  func header(at offset: UInt64) throws(SensorError) -> (code: MCAPRecord.Code?, length: UInt64)? {
    let bytes = try bytes(at: offset, count: MCAPRecord.headerSize)[...]
    return bytes.count < MCAPRecord.headerSize
      ? nil : (MCAPRecord.Code(bytes[0]), bytes.littleEndian(at: 1))
  }

  /// The bytes from `offset` on, read by a cursor.
  func read<Value>(
    at offset: UInt64, count: Int, _ body: (inout MCAPCursor) throws(SensorError) -> Value
  ) throws(SensorError) -> Value {
    var cursor = MCAPCursor(try bytes(at: offset, count: count)[...], file: path, base: offset)
    return try body(&cursor)
  }
}
