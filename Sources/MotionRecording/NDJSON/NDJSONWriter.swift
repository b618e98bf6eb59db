// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Writes a recording as one JSON object per line: the topic, then the properties of its message.
///
/// The numbers are those of the other recordings, digit for digit, and keys are in the order of the topic's table, so
/// equal input gives equal bytes. `device` is written if the description names one, `log_time` (Unix nanoseconds) if
/// the time of arrival is known.
public final class NDJSONWriter: RecordingWriter {
  /// Lines written.
  package private(set) var rows = 0
  private let sink: any ByteSink
  private let wallOffset: SensorDuration?
  private var encoder: TopicEncoder
  private var line = JSONText(capacity: 1024)

  /// A writer of one device's recording.
  public init(_ sink: any ByteSink, description: RecordingDescription) {
    self.sink = sink
    wallOffset = description.wallOffset
    encoder = TopicEncoder(description)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    let receivedAt = item.receivedAt
    try encoder.encode(item) { (topic, _, body) throws(SensorError) in try write(topic, receivedAt, body) }
  }

  /// Writes a message as it is: of a second device, or of a service whose results are no samples.
  package func write(_ message: TopicMessage) throws(SensorError) {
    // Between the words of JSON an end of line is a blank; within them it cannot be.
    try write(message.topic, message.receivedAt, message.body.filter { $0 != 0x0A && $0 != 0x0D })
  }

  public func finish() throws(SensorError) { try sink.finish() }

  private func write(_ topic: Topic, _ receivedAt: SensorInstant?, _ body: [UInt8]) throws(SensorError) {
    line.removeAll()
    line.append("{\"topic\":\"")
    // A report of the connection has a field "device" of its own: there the topic's name says which device it is.
    let namesDevice = topic.kind != .connection
    line.append(raw: namesDevice ? topic.kind.rawValue : topic.name)
    line.append("\"")
    if namesDevice, !topic.device.isEmpty {
      line.append(",\"device\":\"")
      line.append(raw: topic.device)
      line.append("\"")
    }
    if let receivedAt, let wallOffset {
      line.append(",\"log_time\":")
      line.append((receivedAt + wallOffset).nanoseconds)
    }
    line.append(",")
    // The body's own opening brace is already there.
    line.append(raw: body.dropFirst())
    line.append("\n")
    try sink.write(line)
    rows += 1
  }
}
