// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionRecording
import MotionSensing

/// What of a recording is wanted, by time and by stream.
package struct RecordingPart {
  package var from: TimePlace?
  package var to: TimePlace?
  /// Topics or their last words; empty = all.
  package var streams: [String] = []
  /// Nil = as the input's.
  package var compression: MCAPCompression?

  package init() {}
}

/// A part of an MCAP file: the same messages byte by byte, with their channels, schemas, metadata and attachments.
package final class MCAPCut {
  /// Seconds of the input that were seen.
  package private(set) var length = 0.0

  /// What was read and is not in the part for another reason than time and stream, line by line.
  package var omissions: [String] {
    var report = RunReport()
    report.reading = reader.statistics
    report.reading?.coverage = coverage
    return report.lines
  }
  /// Which part of the input, as far as it was read, the sensors' messages cover.
  private var coverage = RecordingCoverage()
  private let reader: MCAPReader
  private let writer: MCAPFileWriter
  private let name: String
  private let part: RecordingPart
  private let wanted: Set<UInt16>
  /// Whether the file's times are Unix times.
  private let knowsWallClock: Bool
  private var schemas: [UInt16: UInt16] = [:]
  private var channels: [UInt16: UInt16] = [:]

  /// Whether the file begins as an MCAP file does.
  static func canRead(_ path: String) throws -> Bool {
    // A pipe would be waited for; the reader of recordings refuses it in a sentence.
    guard FileIdentity(path: path) != nil, let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
    return (try? handle.read(upToCount: 8)).map { Array($0) } == magic
  }

  package init(_ recording: RecordingArgument, _ part: RecordingPart, to sink: any ByteSink) throws {
    guard try recording.isWhole && Self.canRead(recording.path) else {
      _ = try Recording.open(path: recording.path, options: recording.options)
      throw CommandFailure(
        "“\(recording.name)” is no MCAP file as it is: motionctl convert cuts it, as in “log.csv?from=10&to=20”.")
    }
    (name, self.part) = (recording.name, part)
    // What a killed recorder left unfinished is as long as it is; other damage is an error.
    reader = try MCAPReader(path: recording.path, damage: recording.options.damage)
    let facts = reader.index.metadata.first { $0.name == MCAPWriter.metadataName }?.values
    knowsWallClock = facts.map { $0.contains { $0.0 == "wall_offset_ns" || $0 == ("clock", "epoch") } } ?? true
    wanted = try Self.channels(part.streams, in: reader)
    let compression =
      part.compression ?? reader.index.compressions.lazy.compactMap(MCAPCompression.init).first ?? .none
    writer = try MCAPFileWriter(
      sink, profile: reader.index.header.profile, library: "opencoremotion (motionctl \(Tool.version))",
      compression: compression)
    for record in reader.index.metadata { try writer.addMetadata(name: record.name, record.values) }
    for attachment in reader.index.attachments {
      try writer.addAttachment(
        name: attachment.name, mediaType: attachment.mediaType, logTime: attachment.logTime,
        createTime: attachment.createTime, try reader.data(of: attachment))
    }
  }

  private static func channels(_ names: [String], in reader: MCAPReader) throws -> Set<UInt16> {
    guard !names.isEmpty else { return Set(reader.index.channels.keys) }
    var wanted: Set<UInt16> = []
    for name in names {
      // The sensor's topic has its name, the service's that of the service.
      let names = name == "gyroscope" ? [name, "gyro"] : [name]
      let found = reader.index.channels.values.filter { channel in
        channel.topic == name || names.contains { channel.topic.hasSuffix("/\($0)") }
      }
      guard !found.isEmpty else {
        let topics = Set(reader.index.channels.values.map(\.topic)).sorted()
        throw CommandFailure("There is no stream “\(name)”; there are \(Text.list(topics)).")
      }
      wanted.formUnion(found.map(\.id))
    }
    return wanted
  }

  /// Writes and finishes the part; the number of messages in it. `goesOn` gets the number of those seen so far.
  package func run(while goesOn: (Int) -> Bool) throws -> Int {
    var span: Range<UInt64>?
    var start: UInt64 = 0
    var (count, seen) = (0, 0)
    while let message = try reader.next() {
      seen += 1
      if seen % 4096 == 0, !goesOn(seen) { return count }
      if let topic = reader.index.channels[message.channel].flatMap({ Topic(name: $0.topic) }) {
        coverage.update(topic, at: SensorInstant(nanoseconds: Int64(clamping: message.publishTime)))
      }
      if span == nil {
        start = message.publishTime
        span = try self.span(from: start)
      }
      guard let span else { break }
      // The first to arrive need not be the first that was measured.
      if message.publishTime > start { length = max(length, Double(message.publishTime - start) / 1e9) }
      // In the order of arrival: a measurement may arrive late, but not by a minute.
      if message.logTime > span.upperBound, message.logTime - span.upperBound > 60_000_000_000 { break }
      guard span.contains(message.publishTime), wanted.contains(message.channel) else { continue }
      let channel = try channel(message.channel)
      try writer.write(
        channel: channel, sequence: message.sequence, logTime: message.logTime, publishTime: message.publishTime,
        message.body)
      count += 1
    }
    try writer.finish()
    return count
  }

  private func span(from start: UInt64) throws -> Range<UInt64> {
    func time(_ place: TimePlace?) throws -> UInt64? {
      guard let place else { return nil }
      if case .instant = place, !knowsWallClock {
        throw CommandFailure("\(name) does not know the wall clock: give seconds since its beginning.")
      }
      // The file's times are Unix times where it knows the wall clock: no offset is between them.
      switch place {
      case .instant(let nanoseconds): return UInt64(clamping: nanoseconds)
      case .sinceStart(let span):
        let (time, overflows) = start.addingReportingOverflow(UInt64(clamping: span.nanoseconds))
        return overflows ? .max : time
      }
    }
    let from = try time(part.from) ?? 0
    return from..<max(from, try time(part.to) ?? .max)
  }

  /// The part's number of a channel, declared with its first message.
  private func channel(_ id: UInt16) throws -> UInt16 {
    if let known = channels[id] { return known }
    guard let channel = reader.index.channels[id] else { throw CommandFailure("A message names an unknown channel.") }
    var schema: UInt16 = 0
    if let declared = reader.index.schemas[channel.schema] {
      if let known = schemas[channel.schema] {
        schema = known
      } else {
        schema = try writer.addSchema(name: declared.name, encoding: declared.encoding, data: declared.data)
        schemas[channel.schema] = schema
      }
    }
    let number = try writer.addChannel(
      topic: channel.topic, schema: schema, messageEncoding: channel.messageEncoding, metadata: channel.metadata)
    channels[id] = number
    return number
  }
}
