// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A field of a record; the texts name it in messages.
enum MCAPField<Record> {
  case short(WritableKeyPath<Record, UInt16>)
  case word(WritableKeyPath<Record, UInt32>)
  case long(WritableKeyPath<Record, UInt64>)
  case name(WritableKeyPath<Record, String>, String)
  case map(WritableKeyPath<Record, [(String, String)]>, String)
  case bytes(WritableKeyPath<Record, [UInt8]>, String, limit: Int)
  /// Places, or numbers of messages, by channel.
  case byChannel(WritableKeyPath<Record, [(UInt16, UInt64)]>)
}

/// A record whose layout stands once, for reading and for writing.
protocol MCAPFields {
  static var code: MCAPRecord.Code { get }
  static var layout: [MCAPField<Self>] { get }
  init()
}

extension MCAPFields {
  init(_ cursor: inout MCAPCursor) throws(SensorError) {
    self.init()
    try read(Self.layout, &cursor)
  }

  mutating func read(_ layout: [MCAPField<Self>], _ cursor: inout MCAPCursor) throws(SensorError) {
    for field in layout {
      switch field {
      case .short(let path): self[keyPath: path] = try cursor.integer()
      case .word(let path): self[keyPath: path] = try cursor.integer()
      case .long(let path): self[keyPath: path] = try cursor.integer()
      case .name(let path, let what): self[keyPath: path] = try cursor.name(what)
      case .map(let path, let what): self[keyPath: path] = try cursor.map(what)
      case .bytes(let path, let what, let limit):
        let count: UInt32 = try cursor.integer()
        try InputLimits.check(what, bytes: count, limit: limit, at: cursor.place)
        self[keyPath: path] = Array(try cursor.data(count))
      case .byChannel(let path):
        let size: UInt32 = try cursor.integer()
        for _ in 0..<size / 10 { self[keyPath: path].append((try cursor.integer(), try cursor.integer())) }
      }
    }
  }

  func write(_ layout: [MCAPField<Self>], _ bytes: inout MCAPBytes) {
    for field in layout {
      switch field {
      case .short(let path): bytes.append(self[keyPath: path])
      case .word(let path): bytes.append(self[keyPath: path])
      case .long(let path): bytes.append(self[keyPath: path])
      case .name(let path, _): bytes.append(self[keyPath: path])
      case .map(let path, _): bytes.append(self[keyPath: path])
      case .bytes(let path, _, _):
        bytes.append(UInt32(self[keyPath: path].count))
        bytes.append(raw: self[keyPath: path])
      case .byChannel(let path): bytes.append(counts: self[keyPath: path])
      }
    }
  }

  /// The whole record; `body`: what follows the fields.
  func write(_ bytes: inout MCAPBytes, _ body: (inout MCAPBytes) -> Void = { _ in }) {
    bytes.append(record: Self.code) {
      write(Self.layout, &$0)
      body(&$0)
    }
  }
}

/// The first record: an agreed use of MCAP ("ros2"), and the program that wrote the file.
package struct MCAPHeader: MCAPFields, Sendable {
  static let code = MCAPRecord.Code.header
  package var profile = ""
  package var library = ""

  static var layout: [MCAPField<Self>] { [.name(\.profile, "profile"), .name(\.library, "library")] }
}

/// A type of message that an MCAP file declares.
package struct MCAPSchema: MCAPFields, Sendable, Hashable {
  static let code = MCAPRecord.Code.schema
  /// Not 0.
  package var id: UInt16 = 0
  /// "opencoremotion.Gyroscope", "sensor_msgs/msg/Imu".
  package var name = ""
  /// "jsonschema", "ros2msg".
  package var encoding = ""
  /// The schema's text.
  package var data: [UInt8] = []

  static var layout: [MCAPField<Self>] {
    [
      .short(\.id), .name(\.name, "name of a schema"), .name(\.encoding, "encoding of a schema"),
      .bytes(\.data, "A schema", limit: InputLimits.schemaBytes),
    ]
  }
}

/// A series of messages of one type.
package struct MCAPChannel: MCAPFields, Sendable {
  static let code = MCAPRecord.Code.channel
  /// As messages name it.
  package var id: UInt16 = 0
  /// The schema's number; 0 = none.
  package var schema: UInt16 = 0
  /// "/sensor/gyroscope".
  package var topic = ""
  /// "json", "cdr".
  package var messageEncoding = ""
  /// Further facts.
  package var metadata: [(String, String)] = []

  static var layout: [MCAPField<Self>] {
    [
      .short(\.id), .short(\.schema), .name(\.topic, "name of a topic"),
      .name(\.messageEncoding, "encoding of a channel"), .map(\.metadata, "metadata of a channel"),
    ]
  }
}

/// The fields in front of a chunk's records.
struct MCAPChunkHead: MCAPFields {
  static let code = MCAPRecord.Code.chunk
  var start: UInt64 = 0, end: UInt64 = 0, size: UInt64 = 0
  var checksum: UInt32 = 0
  var compression = ""
  var storedSize: UInt64 = 0

  static var layout: [MCAPField<Self>] {
    [
      .long(\.start), .long(\.end), .long(\.size), .word(\.checksum), .name(\.compression, "compression"),
      .long(\.storedSize),
    ]
  }
}

/// The place of a chunk and the times that it spans.
struct MCAPChunkIndex: MCAPFields, Sendable {
  static let code = MCAPRecord.Code.chunkIndex
  var start: UInt64 = 0, end: UInt64 = 0
  var offset: UInt64 = 0
  /// Of the whole record.
  var length: UInt64 = 0
  var messageIndexes: [(UInt16, UInt64)] = []
  var messageIndexLength: UInt64 = 0
  var compression = ""
  var storedSize: UInt64 = 0, size: UInt64 = 0

  static var layout: [MCAPField<Self>] {
    [
      .long(\.start), .long(\.end), .long(\.offset), .long(\.length), .byChannel(\.messageIndexes),
      .long(\.messageIndexLength), .name(\.compression, "compression"), .long(\.storedSize), .long(\.size),
    ]
  }
}

/// A file within the file.
package struct MCAPAttachment: MCAPFields, Sendable, Hashable {
  static let code = MCAPRecord.Code.attachmentIndex
  /// Of its record, from the beginning of the file.
  package var offset: UInt64 = 0
  /// Of its record.
  package var length: UInt64 = 0
  /// ns.
  package var logTime: UInt64 = 0
  /// ns.
  package var createTime: UInt64 = 0
  /// Bytes of its content.
  package var size: UInt64 = 0
  /// "calibration.json".
  package var name = ""
  /// "application/json".
  package var mediaType = ""

  static var layout: [MCAPField<Self>] {
    [
      .long(\.offset), .long(\.length), .long(\.logTime), .long(\.createTime), .long(\.size),
      .name(\.name, "name of an attachment"), .name(\.mediaType, "type of an attachment"),
    ]
  }

  /// The beginning of the attachment's own record, whose content follows.
  static var head: [MCAPField<Self>] {
    [
      .long(\.logTime), .long(\.createTime), .name(\.name, "name of an attachment"),
      .name(\.mediaType, "type of an attachment"), .long(\.size),
    ]
  }
}

/// Facts about the recording.
package struct MCAPMetadata: MCAPFields, Sendable {
  static let code = MCAPRecord.Code.metadata
  package var name = ""
  package var values: [(String, String)] = []

  static var layout: [MCAPField<Self>] { [.name(\.name, "name of metadata"), .map(\.values, "metadata")] }
}

/// The place of a record of facts.
struct MCAPMetadataIndex: MCAPFields {
  static let code = MCAPRecord.Code.metadataIndex
  var offset: UInt64 = 0
  var length: UInt64 = 0
  var name = ""

  static var layout: [MCAPField<Self>] { [.long(\.offset), .long(\.length), .name(\.name, "name of metadata")] }
}

/// How much a file holds, as it states itself.
struct MCAPStatistics: MCAPFields, Sendable {
  static let code = MCAPRecord.Code.statistics
  var messages: UInt64 = 0
  var schemas: UInt16 = 0
  var channels: UInt32 = 0, attachments: UInt32 = 0, metadata: UInt32 = 0, chunks: UInt32 = 0
  /// Log times of the first and the last message.
  var start: UInt64 = 0, end: UInt64 = 0
  /// Messages by channel.
  var counts: [(UInt16, UInt64)] = []

  static var layout: [MCAPField<Self>] {
    [
      .long(\.messages), .short(\.schemas), .word(\.channels), .word(\.attachments), .word(\.metadata), .word(\.chunks),
      .long(\.start), .long(\.end), .byChannel(\.counts),
    ]
  }
}

/// The summary after the data: copies of the declarations, and the places and counts of everything.
struct MCAPSummary {
  var schemas: [MCAPSchema] = []
  var channels: [MCAPChannel] = []
  var chunks: [MCAPChunkIndex] = []
  var attachments: [MCAPAttachment] = []
  var metadata: [MCAPMetadataIndex] = []
  private var counts: [UInt16: UInt64] = [:]
  private var start = UInt64.max
  private var end: UInt64 = 0

  mutating func count(channel: UInt16, logTime: UInt64) {
    counts[channel, default: 0] += 1
    start = min(start, logTime)
    end = max(end, logTime)
  }

  /// The summary, the offsets of its groups and the footer, into empty `bytes` that go to `begin` in the file.
  func write(_ bytes: inout MCAPBytes, at begin: UInt64, messages: UInt64) {
    var offsets = MCAPBytes()
    func group<Fields: MCAPFields>(_ records: [Fields]) {
      guard !records.isEmpty else { return }
      let from = bytes.count
      for record in records { record.write(&bytes) }
      offsets.append(record: .summaryOffset) {
        $0.append(Fields.code.rawValue)
        $0.append(begin + UInt64(from))
        $0.append(UInt64(bytes.count - from))
      }
    }
    group(schemas)
    group(channels)
    group(chunks)
    group(attachments)
    group(metadata)
    let statistics = MCAPStatistics(
      messages: messages, schemas: UInt16(schemas.count), channels: UInt32(channels.count),
      attachments: UInt32(attachments.count), metadata: UInt32(metadata.count), chunks: UInt32(chunks.count),
      start: messages == 0 ? 0 : start, end: end,
      counts: counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    group([statistics])
    let offsetStart = begin + UInt64(bytes.count)
    bytes.append(raw: offsets.bytes)
    var footer = MCAPBytes()
    footer.append(record: .footer) {
      $0.append(begin)
      $0.append(offsetStart)
      $0.append(UInt32(0))
    }
    // The checksum covers the summary and the footer up to here.
    bytes.append(raw: footer.bytes.dropLast(4))
    bytes.append(bytes.checksum)
  }
}
