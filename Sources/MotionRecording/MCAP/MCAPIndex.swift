// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What an MCAP file declares and where its messages lie: from the summary where there is a sound one, else from a scan.
struct MCAPIndex: Sendable {
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

  var profile = ""
  var library = ""
  var schemas: [UInt16: MCAPSchema] = [:]
  var channels: [UInt16: MCAPChannel] = [:]
  var blocks: [Block] = []
  var metadata: [(name: String, values: [(String, String)])] = []
  var attachments: [MCAPAttachment] = []
  /// The file has the end that a finished one has.
  var isFinished = false
  /// By name, in the order of appearance; "" = none.
  var compressions: [String] = []
  /// Damage found while it was made, with skipped errors.
  var problems: [(reason: RecordingStatistics.Reason, error: SensorError)] = []

  var chunkCount: Int { blocks.count { $0.storage == .chunk } }

  init() {}

  /// Reads the index of a file; with `skipsErrors` damage is noted in ``problems`` instead of thrown.
  init(_ input: MCAPInput, skipsErrors: Bool) throws(SensorError) {
    let magic = try input.bytes(at: 0, count: 8)
    guard magic == MCAPRecord.magic else {
      throw SensorError(.malformed, "The file does not begin as an MCAP file does.", at: input.place(0))
    }
    var summary = MCAPIndex()
    if try summary.readSummary(input) {
      self = summary
    } else {
      var scan = MCAPScan(input, skipsErrors: skipsErrors)
      scan.index.isFinished = summary.isFinished
      try scan.run()
      self = scan.index
    }
    blocks.sort { ($0.start, $0.offset) < ($1.start, $1.offset) }
  }

  mutating func add(_ schema: MCAPSchema, at place: SensorError.Place) throws(SensorError) {
    guard schemas[schema.id] == nil else { return }
    guard schemas.count < InputLimits.schemas else {
      throw SensorError(
        .limitExceeded, "The file declares more than \(InputLimits.schemas) schemas, the most that are read.", at: place
      )
    }
    schemas[schema.id] = schema
  }

  mutating func add(_ channel: MCAPChannel, at place: SensorError.Place) throws(SensorError) {
    if let known = channels[channel.id] {
      guard known.topic == channel.topic, known.schema == channel.schema else {
        throw SensorError(
          .malformed,
          "Channel \(channel.id) is declared twice, for different topics; the first one counts. \(SensorError.skipHint)",
          at: place)
      }
      return
    }
    guard channels.count < InputLimits.channels else {
      throw SensorError(
        .limitExceeded, "The file declares more than \(InputLimits.channels) channels, the most that are read.",
        at: place)
    }
    channels[channel.id] = channel
  }

  mutating func add(_ attachment: MCAPAttachment, at place: SensorError.Place) throws(SensorError) {
    guard attachments.count < InputLimits.channels else {
      throw SensorError(
        .limitExceeded, "The file holds more than \(InputLimits.channels) attachments, the most that are read.",
        at: place)
    }
    attachments.append(attachment)
  }

  mutating func addMetadata(_ cursor: inout MCAPCursor) throws(SensorError) {
    guard metadata.count < InputLimits.channels else {
      throw SensorError(
        .limitExceeded, "The file holds more than \(InputLimits.channels) metadata records, the most that are read.",
        at: cursor.place)
    }
    metadata.append((try cursor.name("name of metadata"), try cursor.map("metadata")))
  }

  mutating func note(compression: String) {
    if !compressions.contains(compression), compressions.count < 16 { compressions.append(compression) }
  }
}
