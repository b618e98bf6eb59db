// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing
import PhoneFormats

/// Reads NDJSON as messages, line by line: what ``NDJSONWriter`` wrote, byte for byte, events and results of services
/// included.
///
/// ```swift
/// let reader = try NDJSONReader(path: "walk.ndjson")
/// while let message = try reader.next() { … }
/// ```
///
/// Each message is checked against the table of its topic. The file does not say how its recording's clock stands to
/// Unix time, so the times of receipt in it are not read. Not for several threads at once.
package final class NDJSONReader {
  private let lines: NDJSONLines

  /// Opens a file, gzipped or not; `damage`: what becomes of lines that cannot be read.
  package init(path: String, damage: DamagePolicy = .stop) throws(SensorError) {
    let files = try RecordingFiles(path: path)
    let member = try files.only()
    lines = NDJSONLines(LineReader(try files.open(member), name: member.place), ReadingContext(damage))
  }

  /// What was left out so far; lines that name no topic of ours are passed over.
  package var statistics: RecordingStatistics { lines.context.statistics }

  /// The next message in the order of the lines; nil at the end.
  package func next() throws(SensorError) -> TopicMessage? {
    let found = try lines.next { (topic, line) throws(SensorError) -> TopicMessage? in
      guard let topic else {
        lines.context.statistics.passOver("")
        return nil
      }
      let time = try lines.item(topic, line).time
      let body = try lines.placed { () throws(JSONScanner.Failure) in try Self.body(topic.kind, line) }
      return TopicMessage(topic: topic, time: time, body: body)
    }
    if found != nil { lines.context.statistics.samples += 1 }
    return found
  }

  /// The object without what stands in front of the message.
  private static func body(_ kind: Topic.Kind, _ line: ArraySlice<UInt8>) throws(JSONScanner.Failure) -> [UInt8] {
    var body: [UInt8] = [UInt8(ascii: "{")]
    body.reserveCapacity(line.count)
    try JSONScanner.read(line, isWhole: false) { (scanner) throws(JSONScanner.Failure) in
      try scanner.expect(UInt8(ascii: "{"))
      repeat {
        _ = scanner.peek()
        let begin = scanner.position
        let name = try scanner.rawString()
        try scanner.expect(UInt8(ascii: ":"))
        try scanner.skip(depth: 2)
        let member = scanner.text(begin..<scanner.position)
        if isHead(scanner.text(name), kind) { continue }
        if body.count > 1 { body.append(UInt8(ascii: ",")) }
        body.append(contentsOf: member)
      } while scanner.skip(UInt8(ascii: ","))
    }
    body.append(UInt8(ascii: "}"))
    return body
  }

  private static func isHead(_ name: ArraySlice<UInt8>, _ kind: Topic.Kind) -> Bool {
    switch String(decoding: name, as: UTF8.self) {
    case "topic", "log_time": true
    // A report of the connection has a field of this name.
    case "device": kind != .connection
    default: false
    }
  }
}

/// Our own topics as text: a JSON object a line, with its topic in front (Documentation/Formats.md 6.3).
///
/// It is what `motionctl stream --format ndjson` prints and what people cut with grep; the numbers are those of an MCAP
/// recording.
enum NDJSONFormat {
  static let reader = FormatReader(
    format: .ndjson, title: "NDJSON",
    summary: "text whose lines are JSON objects with a \"topic\" of OpenCoreMotion", hasDevices: true, isTable: false,
    plan: plan)
  /// Lines at the beginning that show which topics there are.
  private static let probedLines = 20_000

  /// Whether the first line of a file is of this form.
  static func isLine(_ line: String) -> Bool {
    var head = NDJSONHead()
    return line.first == "{" && (try? head.topic(Array(line.utf8)[...])) != nil
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let member = try files.only()
    let lines = LineReader(try files.open(member), name: member.place)
    var head = NDJSONHead()
    var topics: [Topic] = []
    // Damage of the bytes is for the reader to report.
    while lines.number < Self.probedLines, let line = try? lines.next() {
      guard let topic = (try? head.topic(line.bytes)) ?? nil, !topics.contains(topic) else { continue }
      try InputLimits.checkRoom(
        "The file has", "topics", count: topics.count, limit: InputLimits.channels, at: lines.place)
      topics.append(topic)
    }
    let selection = try TopicSelection(topics, options, files)
    return RecordingPlan(
      streams: [stream(files, member, selection)], usesRecordedMotion: selection.usesRecordedMotion,
      deviceClass: selection.isOfHeadphones ? .headphones : .unknown,
      placement: Placement(words: selection.topics.last?.device ?? ""), notes: selection.notes)
  }

  /// The chosen topics as one stream, in the order of the lines.
  private static func stream(
    _ files: RecordingFiles, _ member: RecordingFiles.Member, _ selection: TopicSelection
  ) -> SampleStreamPlan {
    SampleStreamPlan(
      channels: selection.channels, places: [member.place], storedBytes: member.storedSize,
      lastInstant: {
        guard let (bytes, isCut) = try? files.openTail(member, length: 64 << 10) else { return nil }
        let lines = LineReader(bytes, name: member.place)
        if isCut { _ = try? lines.next() }
        let stream = NDJSONStream(lines, selection, ReadingContext(.skip))
        var last: SensorInstant?
        while let sample = try? stream.next() { last = max(last ?? sample.time, sample.time) }
        return last
      },
      open: { (context) throws(SensorError) in
        NDJSONStream(LineReader(try files.open(member), name: member.place), selection, context).next
      })
  }
}

/// What stands in front of the message in a line.
private struct NDJSONHead {
  private var parser = TopicParser([TopicField("topic", .string), .optional("device", .string)])

  /// The topic that a line is about; nil when it is none of ours.
  mutating func topic(_ line: ArraySlice<UInt8>) throws(JSONScanner.Failure) -> Topic? {
    try parser.read(line)
    var values = TopicValues(parser.values)
    guard let name = values.text(), var topic = Topic(name: name) else { return nil }
    // In a report of the connection "device" is the sensor that reports.
    if let device = values.text(), topic.device.isEmpty, topic.kind != .connection {
      guard Topic.isDevice(device) else { return nil }
      topic.device = device
    }
    return topic
  }
}

/// Lines, each with the topic that it is about; a failure gets its place.
private final class NDJSONLines {
  let context: ReadingContext
  private let lines: LineReader
  private var head = NDJSONHead()
  private var decoder = TopicDecoder()

  init(_ lines: LineReader, _ context: ReadingContext) { (self.lines, self.context) = (lines, context) }

  var place: SensorError.Place { lines.place }

  /// What a line says.
  func item(_ topic: Topic, _ line: ArraySlice<UInt8>) throws(SensorError) -> RecordedItem {
    try decoder.decode(topic.kind, line, at: place)
  }

  func placed<Value>(_ work: () throws(JSONScanner.Failure) -> Value) throws(SensorError) -> Value {
    do throws(JSONScanner.Failure) { return try work() } catch {
      var place = place
      place.byte = error.byte
      throw .damaged("\(error.message): this line is not an object with a topic", at: place)
    }
  }

  /// What the next line holds that holds something; nil at the end. Damage ends the reading, or is counted, as the
  /// context wants it.
  func next<Value>(
    _ body: (Topic?, ArraySlice<UInt8>) throws(SensorError) -> Value?
  ) throws(SensorError) -> Value? {
    while true {
      let line: LineReader.Line
      do throws(SensorError) {
        guard let found = try lines.next(), !context.isCutOff(found, at: place) else { return nil }
        line = found
      } catch {
        try context.endOfBytes(error)
        return nil
      }
      guard !line.bytes.isEmpty else { continue }
      do throws(SensorError) {
        let topic = try placed { () throws(JSONScanner.Failure) in try head.topic(line.bytes) }
        if let value = try body(topic, line.bytes) { return value }
      } catch {
        try context.report(.malformed, error)
      }
    }
  }
}

private final class NDJSONStream {
  private let lines: NDJSONLines
  private let topics: Set<Topic>
  private var orders: [SensorKinds: TimeOrder] = [:]

  init(_ lines: LineReader, _ selection: TopicSelection, _ context: ReadingContext) {
    self.lines = NDJSONLines(lines, context)
    topics = Set(selection.all)
  }

  func next() throws(SensorError) -> SensorSample? {
    try lines.next { (topic, line) throws(SensorError) -> SensorSample? in
      guard let topic, topics.contains(topic) else {
        lines.context.statistics.passOver(topic?.name ?? "")
        return nil
      }
      switch try lines.item(topic, line) {
      case .event(let event, _):
        lines.context.receive(event, topic: topic, at: lines.place)
        return nil
      case .sample(let sample, _):
        return try lines.context.place(sample, in: &orders[sample.kinds, default: TimeOrder()], at: lines.place)
      }
    }
  }
}

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
