// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Writes an MCAP file record by record: schemas, channels, messages in chunks with their indexes, metadata,
/// attachments and the summary (https://mcap.dev/spec). The caller defines the messages; ``MCAPWriter`` is for our own
/// topics.
///
/// A chunk is passed to the kernel when it is full or spans a second, with everything that is needed to read it. So a
/// killed program loses a second at most: a file without an end is readable.
package final class MCAPFileWriter {
  /// Bytes handed to the sink so far.
  private var bytesWritten: UInt64 = 0
  /// Messages taken so far.
  private var messageCount: UInt64 = 0
  private var summary = MCAPSummary()

  private let sink: any ByteSink
  private let compression: MCAPCompression
  private let codec: ChunkCodec?
  private let chunkBytes: Int
  private var chunk = OpenChunk()
  private var scratch = MCAPBytes()
  private var dataChecksum: UInt32 = 0
  private var isFinished = false
  /// Once the sink has failed, nothing more is written: what is there stays readable.
  private var failure: SensorError?

  private struct OpenChunk {
    var records = MCAPBytes()
    var start = UInt64.max
    var end: UInt64 = 0
    /// By channel: log time and offset of each message.
    var index: [UInt16: [(UInt64, UInt64)]] = [:]
  }

  /// Begins a file. `profile` is the name of an agreed use of MCAP ("ros2"), `library` the program that writes. A chunk
  /// has at most `chunkBytes` before compression, default 1 MiB.
  package init(
    _ sink: any ByteSink, profile: String = "", library: String, compression: MCAPCompression = .none,
    chunkBytes: Int = 1 << 20
  ) throws(SensorError) {
    (self.sink, self.compression, self.chunkBytes) = (sink, compression, chunkBytes)
    codec = try compression.makeCodec()
    scratch.append(raw: MCAPRecord.magic)
    MCAPHeader(profile: profile, library: library).write(&scratch)
    try writeScratch()
  }

  /// Declares a type of message; the number is for ``addChannel(topic:schema:messageEncoding:metadata:)``.
  package func addSchema(name: String, encoding: String, data: [UInt8]) throws(SensorError) -> UInt16 {
    guard summary.schemas.count < InputLimits.schemas, data.count <= InputLimits.schemaBytes else {
      throw SensorError(.limitExceeded, "A recording has at most \(InputLimits.schemas) schemas of 1 MiB each.")
    }
    let schema = MCAPSchema(id: UInt16(summary.schemas.count + 1), name: name, encoding: encoding, data: data)
    summary.schemas.append(schema)
    schema.write(&chunk.records)
    return schema.id
  }

  /// Declares a series of messages; schema 0 = none. The number is for
  /// ``write(channel:sequence:logTime:publishTime:_:)``.
  package func addChannel(
    topic: String, schema: UInt16, messageEncoding: String, metadata: [(String, String)] = []
  ) throws(SensorError) -> UInt16 {
    guard summary.channels.count < InputLimits.channels else {
      throw SensorError(.limitExceeded, "A recording has at most \(InputLimits.channels) channels.")
    }
    let channel = MCAPChannel(
      id: UInt16(summary.channels.count), schema: schema, topic: topic, messageEncoding: messageEncoding,
      metadata: metadata)
    summary.channels.append(channel)
    channel.write(&chunk.records)
    return channel.id
  }

  /// Writes a message; times in Unix nanoseconds, or of the recording's clock where the wall clock is not known.
  package func write(
    channel: UInt16, sequence: UInt32, logTime: UInt64, publishTime: UInt64, _ body: ArraySlice<UInt8>
  ) throws(SensorError) {
    guard !isFinished, Int(channel) < summary.channels.count, body.count <= InputLimits.recordBytes / 2 else {
      throw SensorError(
        .invalidRequest, "A message needs a declared channel, at most 32 MiB, and a file that is not finished yet.")
    }
    if !chunk.index.isEmpty,
      max(chunk.end, logTime) - min(chunk.start, logTime) >= 1_000_000_000
        || chunk.records.count + body.count + 31 > chunkBytes
    {
      try closeChunk()
    }
    chunk.index[channel, default: []].append((logTime, UInt64(chunk.records.count)))
    chunk.start = min(chunk.start, logTime)
    chunk.end = max(chunk.end, logTime)
    chunk.records.append(record: .message) {
      $0.append(channel)
      $0.append(sequence)
      $0.append(logTime)
      $0.append(publishTime)
      $0.append(raw: body)
    }
    messageCount += 1
    summary.count(channel: channel, logTime: logTime)
  }

  /// Closes the open chunk, if there is anything in it, and hands it to the kernel. Live recorders call it once a
  /// second, so that a silent source does not keep the last samples in memory.
  package func closeChunk() throws(SensorError) {
    guard chunk.records.count > 0 else { return }
    defer {
      var records = exchange(&chunk, with: OpenChunk()).records
      records.removeAll()
      chunk.records = records
    }
    let isEmpty = chunk.index.isEmpty
    let records = chunk.records.bytes
    let stored = try codec?.compress(records.span) ?? records
    let start = isEmpty ? 0 : chunk.start
    let end = isEmpty ? 0 : chunk.end
    MCAPChunkHead(
      start: start, end: end, size: UInt64(records.count), checksum: chunk.records.checksum,
      compression: compression.rawValue, storedSize: UInt64(stored.count)
    ).write(&scratch) { $0.append(raw: stored) }
    var entry = MCAPChunkIndex(
      start: start, end: end, offset: bytesWritten, length: UInt64(scratch.count), compression: compression.rawValue,
      storedSize: UInt64(stored.count), size: UInt64(records.count))
    for (channel, messages) in chunk.index.sorted(by: { $0.key < $1.key }) {
      entry.messageIndexes.append((channel, bytesWritten + UInt64(scratch.count)))
      scratch.append(record: .messageIndex) {
        $0.append(channel)
        $0.append(UInt32(messages.count * 16))
        for (time, offset) in messages {
          $0.append(time)
          $0.append(offset)
        }
      }
    }
    entry.messageIndexLength = UInt64(scratch.count) - entry.length
    try writeScratch()
    try flushSink()
    summary.chunks.append(entry)
  }

  /// Closes the open chunk and flushes the sink, also when there is nothing new: what was written before may not be on
  /// the disk yet.
  package func flush() throws(SensorError) {
    try closeChunk()
    try flushSink()
  }

  /// Writes a record of facts about the recording.
  package func addMetadata(name: String, _ map: [(String, String)]) throws(SensorError) {
    try closeChunk()
    MCAPMetadata(name: name, values: map).write(&scratch)
    summary.metadata.append(MCAPMetadataIndex(offset: bytesWritten, length: UInt64(scratch.count), name: name))
    try writeScratch()
    try flushSink()
  }

  /// Writes a file within the file; times in ns as those of messages.
  package func addAttachment(
    name: String, mediaType: String, logTime: UInt64, createTime: UInt64, _ data: [UInt8]
  ) throws(SensorError) {
    try closeChunk()
    var attachment = MCAPAttachment(
      offset: bytesWritten, logTime: logTime, createTime: createTime, size: UInt64(data.count), name: name,
      mediaType: mediaType)
    var content = MCAPBytes()
    attachment.write(MCAPAttachment.head, &content)
    content.append(raw: data)
    scratch.append(record: .attachment) {
      $0.append(raw: content.bytes)
      $0.append(content.checksum)
    }
    attachment.length = UInt64(scratch.count)
    summary.attachments.append(attachment)
    try writeScratch()
    try flushSink()
  }

  /// Closes the last chunk, writes the summary, and finishes the sink.
  package func finish() throws(SensorError) {
    guard !isFinished else { return }
    try closeChunk()
    isFinished = true
    let crc = dataChecksum
    scratch.append(record: .dataEnd) { $0.append(crc) }
    try writeScratch()
    summary.write(&scratch, at: bytesWritten, messages: messageCount)
    scratch.append(raw: MCAPRecord.magic)
    try writeScratch()
    try sink.finish()
  }

  /// A sink that fails here may have written a part: nothing may follow.
  private func flushSink() throws(SensorError) {
    do throws(SensorError) { try sink.flush() } catch {
      failure = error
      throw error
    }
  }

  private func writeScratch() throws(SensorError) {
    if let failure { throw failure }
    do throws(SensorError) {
      dataChecksum = checksum(scratch.bytes[...], continuing: dataChecksum)
      try sink.write(scratch.bytes)
    } catch {
      failure = error
      throw error
    }
    bytesWritten += UInt64(scratch.count)
    scratch.removeAll()
  }
}
