// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A type of message that an MCAP file declares.
package struct MCAPSchema: Sendable, Hashable {
  /// Not 0.
  package var id: UInt16
  /// "opencoremotion.Gyroscope", "sensor_msgs/msg/Imu".
  package var name: String
  /// "jsonschema", "ros2msg".
  package var encoding: String
  /// The schema's text.
  package var data: [UInt8]

  func write(_ bytes: inout MCAPBytes) {
    bytes.append(record: .schema) {
      $0.append(id)
      $0.append(name)
      $0.append(encoding)
      $0.append(UInt32(data.count))
      $0.append(raw: data)
    }
  }
}

/// A series of messages of one type.
package struct MCAPChannel: Sendable {
  /// As messages name it.
  package var id: UInt16
  /// The schema's number; 0 = none.
  package var schema: UInt16
  /// "/sensor/gyroscope".
  package var topic: String
  /// "json", "cdr".
  package var messageEncoding: String
  /// Further facts.
  package var metadata: [(String, String)]

  func write(_ bytes: inout MCAPBytes) {
    bytes.append(record: .channel) {
      $0.append(id)
      $0.append(schema)
      $0.append(topic)
      $0.append(messageEncoding)
      $0.append(metadata)
    }
  }
}

/// A file within the file.
package struct MCAPAttachment: Sendable, Hashable {
  /// Of its record, from the beginning of the file.
  package var offset: UInt64
  /// Of its record.
  package var length: UInt64
  /// ns.
  package var logTime: UInt64
  /// ns.
  package var createTime: UInt64
  /// Bytes of its content.
  package var size: UInt64
  /// "calibration.json".
  package var name: String
  /// "application/json".
  package var mediaType: String
}

/// The place of a chunk and the times that it spans.
struct MCAPChunkIndex: Sendable {
  var start: UInt64
  var end: UInt64
  var offset: UInt64
  /// Of the whole record.
  var length: UInt64
  var messageIndexes: [(UInt16, UInt64)] = []
  var messageIndexLength: UInt64 = 0
  var compression: String
  var storedSize: UInt64
  var size: UInt64
}

/// The summary after the data: copies of the declarations, and the places and counts of everything.
struct MCAPSummary {
  var schemas: [MCAPSchema] = []
  var channels: [MCAPChannel] = []
  var chunks: [MCAPChunkIndex] = []
  var attachments: [MCAPAttachment] = []
  var metadata: [(offset: UInt64, length: UInt64, name: String)] = []
  private(set) var counts: [UInt16: UInt64] = [:]
  private(set) var start = UInt64.max
  private(set) var end: UInt64 = 0

  mutating func count(channel: UInt16, logTime: UInt64) {
    counts[channel, default: 0] += 1
    start = min(start, logTime)
    end = max(end, logTime)
  }

  /// The summary, the offsets of its groups and the footer. `begin` = where in the file the first byte goes.
  func write(_ bytes: inout MCAPBytes, at begin: UInt64, messages: UInt64) {
    let base = bytes.count
    var groups: [(MCAPRecord.Code, UInt64, UInt64)] = []
    func group(_ code: MCAPRecord.Code, _ write: (inout MCAPBytes) -> Void) {
      let from = bytes.count
      write(&bytes)
      guard bytes.count > from else { return }
      groups.append((code, begin + UInt64(from - base), UInt64(bytes.count - from)))
    }
    group(.schema) { for schema in schemas { schema.write(&$0) } }
    group(.channel) { for channel in channels { channel.write(&$0) } }
    group(.chunkIndex) { for chunk in chunks { chunk.write(&$0) } }
    group(.attachmentIndex) { for attachment in attachments { attachment.write(&$0) } }
    group(.metadataIndex) { bytes in
      for entry in metadata {
        bytes.append(record: .metadataIndex) {
          $0.append(entry.offset)
          $0.append(entry.length)
          $0.append(entry.name)
        }
      }
    }
    group(.statistics) { writeStatistics(&$0, messages: messages) }
    let offsets = begin + UInt64(bytes.count - base)
    for (code, start, length) in groups {
      bytes.append(record: .summaryOffset) {
        $0.append(code.rawValue)
        $0.append(start)
        $0.append(length)
      }
    }
    bytes.append(record: .footer) {
      $0.append(begin)
      $0.append(offsets)
      // The checksum covers the summary up to here, the footer's own beginning included; its length is known: 20.
      var covered = MCAPBytes()
      covered.append(raw: $0.bytes[base...])
      covered.append(checksum(of: covered))
      $0.append(raw: covered.bytes.suffix(4))
    }
  }

  /// Of bytes whose last record is a footer with its length still to be filled in.
  private func checksum(of covered: MCAPBytes) -> UInt32 {
    var bytes = covered.bytes
    bytes[bytes.count - 24] = 20
    return MotionRecording.checksum(bytes[...])
  }

  private func writeStatistics(_ bytes: inout MCAPBytes, messages: UInt64) {
    bytes.append(record: .statistics) {
      $0.append(messages)
      $0.append(UInt16(schemas.count))
      $0.append(UInt32(channels.count))
      $0.append(UInt32(attachments.count))
      $0.append(UInt32(metadata.count))
      $0.append(UInt32(chunks.count))
      $0.append(messages == 0 ? 0 : start)
      $0.append(end)
      $0.append(UInt32(counts.count * 10))
      for (channel, count) in counts.sorted(by: { $0.key < $1.key }) {
        $0.append(channel)
        $0.append(count)
      }
    }
  }
}

extension MCAPChunkIndex {
  fileprivate func write(_ bytes: inout MCAPBytes) {
    bytes.append(record: .chunkIndex) {
      $0.append(start)
      $0.append(end)
      $0.append(offset)
      $0.append(length)
      $0.append(UInt32(messageIndexes.count * 10))
      for (channel, offset) in messageIndexes {
        $0.append(channel)
        $0.append(offset)
      }
      $0.append(messageIndexLength)
      $0.append(compression)
      $0.append(storedSize)
      $0.append(size)
    }
  }
}

extension MCAPAttachment {
  fileprivate func write(_ bytes: inout MCAPBytes) {
    bytes.append(record: .attachmentIndex) {
      $0.append(offset)
      $0.append(length)
      $0.append(logTime)
      $0.append(createTime)
      $0.append(size)
      $0.append(name)
      $0.append(mediaType)
    }
  }
}
