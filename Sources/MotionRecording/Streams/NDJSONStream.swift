// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The chosen topics of NDJSON as one stream, in the order of the lines.
struct NDJSONStreamPlan: SampleStreamPlan {
  var files: RecordingFiles
  var member: RecordingFiles.Member
  var topics: [Topic]
  /// The topic that tells whether the device is connected.
  var connection: Topic?

  var channels: [SensorInfo.Channel] {
    topics.compactMap { topic in TopicSelection.sensor(of: topic.kind).map { SensorInfo.Channel(kind: $0) } }
      + (connection == nil ? [] : [SensorInfo.Channel(kind: .connection)])
  }
  var places: [String] { [member.place] }
  var storedBytes: Int64 { member.storedSize }

  func open(_ context: ReadingContext) throws(SensorError) -> any SampleStream {
    NDJSONStream(LineReader(try files.open(member), name: member.place), self, context)
  }

  func lastInstant() -> SensorInstant? {
    guard let (bytes, isCut) = try? files.openTail(member, length: 64 << 10) else { return nil }
    let lines = LineReader(bytes, name: member.place)
    if isCut { _ = try? lines.next() }
    let stream = NDJSONStream(lines, self, ReadingContext(skipsErrors: true))
    var last: SensorInstant?
    while let sample = try? stream.next() { last = max(last ?? sample.time, sample.time) }
    return last
  }
}

/// Takes a line apart: its topic first, then the message in it.
struct NDJSONLineReader {
  private var head = TopicFields([
    TopicField("topic", .string), .optional("device", .string), .optional("log_time", .integer),
  ])

  /// The topic that a line is about; nil when it is none of ours.
  mutating func topic(_ line: UnsafeRawBufferPointer) throws(JSONScanner.Failure) -> Topic? {
    try head.read(line)
    guard let name = head.strings[0], var topic = Topic(name: name) else { return nil }
    // In a report of the connection "device" is the sensor that speaks.
    if let device = head.strings[1], topic.device.isEmpty, topic.kind != .connection {
      guard Topic.isDevice(device) else { return nil }
      topic.device = device
    }
    return topic
  }
}

private final class NDJSONStream: SampleStream {
  private let lines: LineReader
  private let topics: Set<Topic>
  private let connection: Topic?
  private let context: ReadingContext
  private var reader = NDJSONLineReader()
  private var decoder = TopicDecoder()
  private var previous: [SensorKinds: Int64] = [:]

  init(_ lines: LineReader, _ plan: NDJSONStreamPlan, _ context: ReadingContext) {
    self.lines = lines
    (topics, connection) = (Set(plan.topics), plan.connection)
    self.context = context
  }

  private var place: SensorError.Place { SensorError.Place(file: lines.name, line: lines.number) }

  func next() throws(SensorError) -> SensorSample? {
    try lines.next(context) { (line) throws(SensorError) in try sample(UnsafeRawBufferPointer(line)) }
  }

  private func sample(_ line: UnsafeRawBufferPointer) throws(SensorError) -> SensorSample? {
    let topic: Topic?
    do throws(JSONScanner.Failure) {
      topic = try reader.topic(line)
    } catch {
      var place = place
      place.byte = error.byte
      throw SensorError(
        .malformed, "\(error.message): this line is no object with a topic; \(SensorError.skipHint)", at: place)
    }
    if let topic, topic == connection {
      guard case .event(let event, _) = try decoder.decode(topic.kind, line, at: place) else { return nil }
      context.take(event, topic: topic)
      return nil
    }
    guard let topic, topics.contains(topic) else {
      context.statistics.passOver(topic?.name ?? "")
      return nil
    }
    guard case .sample(let sample, _) = try decoder.decode(topic.kind, line, at: place) else { return nil }
    guard
      try context.isNew(
        sample.time.nanoseconds, after: &previous[sample.kinds, default: .min], place: place)
    else { return nil }
    return sample
  }
}

extension LineReader {
  /// What the next line holds that holds something; nil at the end. Damage ends the reading, or is counted, as `context` wants it.
  func next<Value>(
    _ context: ReadingContext, _ body: (UnsafeBufferPointer<UInt8>) throws(SensorError) -> Value?
  ) throws(SensorError) -> Value? {
    while true {
      let line: Line
      do throws(SensorError) {
        guard let found = try next() else { return nil }
        line = found
      } catch {
        try context.endOfBytes(error)
        return nil
      }
      guard line.end > line.start else { continue }
      do throws(SensorError) {
        if let value = try body(UnsafeBufferPointer(start: line.start, count: line.end - line.start)) { return value }
      } catch {
        // A last line without an end was cut off: it costs itself only.
        if !line.isTerminated {
          context.statistics.count(.truncated, at: SensorError.Place(file: name, line: number))
          continue
        }
        try context.report(.malformed, error)
      }
    }
  }
}
