// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Writes the main recording format: OpenCoreMotion's topics as JSON in an MCAP file, which any MCAP tool opens.
///
/// ```swift
/// let writer = try MCAPWriter(FileByteSink(path: "walk.mcap"), RecordingDescription(info: source.info))
/// try writer.write(.sample(sample, receivedAt: now))
/// try writer.finish()
/// ```
///
/// The description and the calibration are at the start, so an unfinished file has them too.
public final class MCAPWriter: RecordingWriter {
  /// The record that ``RecordingDescription`` becomes.
  package static let metadataName = "opencoremotion"
  /// The attachment that ``RecordingDescription/calibration`` becomes.
  package static let calibrationName = "calibration.json"

  /// The file below, for what stands beside the topics: attachments, further metadata.
  package let file: MCAPFileWriter
  private let wallOffset: SensorDuration
  private var encoder: TopicEncoder
  private var channels: [Topic: Channel] = [:]
  /// Of the views, by topic.
  private var viewChannels: [String: Channel] = [:]
  private var schemas: [String: UInt16] = [:]
  private var views: [any TopicView]
  private let writesTopics: Bool

  private struct Channel {
    var id: UInt16
    var sequence: UInt32 = 0
  }

  /// Begins a recording, which goes to `sink`; ``MCAPCompression/none``, the default, needs no library.
  public convenience init(
    _ sink: any ByteSink, _ description: RecordingDescription, compression: MCAPCompression = .none
  ) throws(SensorError) {
    try self.init(sink, description, compression: compression, views: [])
  }

  /// The same with `views` beside the topics; with `profile` they are written alone.
  package init(
    _ sink: any ByteSink, _ description: RecordingDescription, compression: MCAPCompression = .none,
    views: [any TopicView], profile: String = "", chunkBytes: Int = 1 << 20
  ) throws(SensorError) {
    let library = description.application.map { "opencoremotion (\($0))" } ?? "opencoremotion"
    file = try MCAPFileWriter(
      sink, profile: profile, library: library, compression: compression, chunkBytes: chunkBytes)
    wallOffset = description.wallOffset ?? .zero
    encoder = TopicEncoder(description)
    writesTopics = profile.isEmpty
    self.views = views
    try file.addMetadata(name: Self.metadataName, description.metadata)
    if let calibration = description.calibration {
      try file.addAttachment(
        name: Self.calibrationName, mediaType: "application/json", logTime: 0, createTime: 0, calibration)
    }
  }

  /// Writes an item as a message of its topic, and as messages of the views.
  public func write(_ item: RecordedItem) throws(SensorError) {
    if writesTopics {
      let receivedAt = item.receivedAt
      try encoder.encode(item) { (topic, time, body) throws(SensorError) in
        try write(topic, time, receivedAt, body)
      }
    }
    try writeViews(of: item)
  }

  /// Writes what the views make of an item, and not the item: for one whose message is written as it is.
  package func writeViews(of item: RecordedItem) throws(SensorError) {
    for index in views.indices {
      for message in views[index].messages(for: item) { try write(message, views[index].channels[message.channel]) }
    }
  }

  /// Writes a message as it is: of a second device, or of a service whose results are no samples.
  package func write(_ message: TopicMessage) throws(SensorError) {
    try write(message.topic, message.time, message.receivedAt, message.body)
  }

  /// Closes the open chunk and passes it to the kernel.
  public func flush() throws(SensorError) { try file.flush() }

  /// Writes what the views still hold, the index and the end of the file; nothing can be written after it.
  public func finish() throws(SensorError) {
    for index in views.indices {
      for message in views[index].finish() { try write(message, views[index].channels[message.channel]) }
    }
    try file.finish()
  }

  private func write(
    _ topic: Topic, _ time: SensorInstant, _ receivedAt: SensorInstant?, _ body: [UInt8]
  ) throws(SensorError) {
    try write(&channels[topic], topic.channel, time, receivedAt, body[...])
  }

  private func write(_ message: TopicViewMessage, _ form: TopicViewChannel) throws(SensorError) {
    try write(&viewChannels[form.topic], form, message.time, message.receivedAt, message.body[...])
  }

  /// Writes a message of a channel, which its first message declares.
  private func write(
    _ known: inout Channel?, _ form: @autoclosure () -> TopicViewChannel, _ time: SensorInstant,
    _ receivedAt: SensorInstant?, _ body: ArraySlice<UInt8>
  ) throws(SensorError) {
    var channel = if let known { known } else { Channel(id: try declare(form())) }
    try file.write(
      channel: channel.id, sequence: channel.sequence, logTime: wall(receivedAt ?? time), publishTime: wall(time), body)
    channel.sequence &+= 1
    known = channel
  }

  private func declare(_ form: TopicViewChannel) throws(SensorError) -> UInt16 {
    var schema = schemas[form.schemaName]
    if schema == nil {
      schema = try file.addSchema(name: form.schemaName, encoding: form.schemaEncoding, data: form.schema)
      schemas[form.schemaName] = schema
    }
    return try file.addChannel(
      topic: form.topic, schema: schema ?? 0, messageEncoding: form.messageEncoding,
      metadata: form.metadata.sorted { $0.key < $1.key })
  }

  /// MCAP's times have no sign; what lies before the clock's origin is put there, and the message itself says when it
  /// was.
  private func wall(_ time: SensorInstant) -> UInt64 { UInt64(max(0, (time + wallOffset).nanoseconds)) }
}
