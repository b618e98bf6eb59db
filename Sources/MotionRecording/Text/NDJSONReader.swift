// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Reads NDJSON as messages, line by line: what ``NDJSONWriter`` wrote, byte for byte, events and results of services included.
///
/// ```swift
/// let reader = try NDJSONReader(path: "walk.ndjson")
/// while let message = try reader.next() { … }
/// ```
///
/// Each message is held against the table of its topic. The file does not say how its recording's clock stands to Unix time, so the
/// times of receipt in it are not read. Not for several threads at once.
public final class NDJSONReader {
  private let lines: LineReader
  private let context: ReadingContext
  private var head = NDJSONLineReader()
  private var decoder = TopicDecoder()
  /// Tables of the topics that nothing is decoded from.
  private var tables: [Topic.Kind: TopicFields] = [:]

  /// Opens a file, gzipped or not; with `skipsErrors` lines that cannot be read are counted and left out instead of ending the reading.
  public init(path: String, skipsErrors: Bool = false) throws(SensorError) {
    let files = try RecordingFiles(path: path)
    let member = try files.only()
    lines = LineReader(try files.open(member), name: member.place)
    context = ReadingContext(skipsErrors: skipsErrors)
  }

  /// What was left out so far; lines that name no topic of ours are passed over.
  public var statistics: RecordingStatistics { context.statistics }

  private var place: SensorError.Place { SensorError.Place(file: lines.name, line: lines.number) }

  /// The next message in the order of the lines; nil at the end.
  public func next() throws(SensorError) -> TopicMessage? {
    let found = try lines.next(context) { (line) throws(SensorError) in try message(line) }
    if found != nil { context.statistics.samples += 1 }
    return found
  }

  private func message(_ line: UnsafeBufferPointer<UInt8>) throws(SensorError) -> TopicMessage? {
    let bytes = UnsafeRawBufferPointer(line)
    guard let topic = try placed({ () throws(JSONScanner.Failure) in try head.topic(bytes) }) else {
      context.statistics.passOver("")
      return nil
    }
    let time: SensorInstant?
    if TopicDecoder.isDecoded(topic.kind) {
      time = try decoder.decode(topic.kind, bytes, at: place)?.time
    } else {
      time = try placed { () throws(JSONScanner.Failure) in try self.time(topic.kind, bytes) }
    }
    guard let time else {
      throw SensorError(
        .malformed, "The time of this message is missing or out of range; \(SensorError.skipHint)", at: place)
    }
    let body = try placed { () throws(JSONScanner.Failure) in try Self.body(topic.kind, line) }
    return TopicMessage(topic: topic, time: time, body: body)
  }

  /// Does something with a line; a failure gets its place.
  private func placed<Value>(_ work: () throws(JSONScanner.Failure) -> Value) throws(SensorError) -> Value {
    do throws(JSONScanner.Failure) { return try work() } catch {
      var place = place
      place.byte = error.byte
      throw SensorError(.malformed, "\(error.message): this line is no message; \(SensorError.skipHint)", at: place)
    }
  }

  /// When a message was made that nothing is decoded from: the first field of every topic is its time, in nanoseconds, in seconds, or
  /// in both apart.
  private func time(
    _ kind: Topic.Kind, _ line: UnsafeRawBufferPointer
  ) throws(JSONScanner.Failure) -> SensorInstant? {
    var values = tables[kind] ?? TopicFields(kind.fields)
    defer { tables[kind] = values }
    try values.read(line)
    switch kind.fields.first?.content {
    case .integer: return values.integers[0].map { SensorInstant(nanoseconds: $0) }
    case .object:
      guard let seconds = values.integers[0], let rest = values.integers[1], (0..<4_000_000_000).contains(seconds),
        (0..<1_000_000_000).contains(rest)
      else { return nil }
      return SensorInstant(nanoseconds: seconds * 1_000_000_000 + rest)
    default: return values.nanoseconds[0].map { SensorInstant(nanoseconds: $0) }
    }
  }

  /// The object without what stands in front of the message.
  private static func body(
    _ kind: Topic.Kind, _ line: UnsafeBufferPointer<UInt8>
  ) throws(JSONScanner.Failure) -> [UInt8] {
    guard let base = line.baseAddress else { return [] }
    var scanner = JSONScanner(line, base: base)
    var body: [UInt8] = [UInt8(ascii: "{")]
    body.reserveCapacity(line.count)
    try scanner.expect(UInt8(ascii: "{"))
    repeat {
      _ = scanner.peek()
      let begin = scanner.position
      let name = try scanner.rawString()
      try scanner.expect(UInt8(ascii: ":"))
      try scanner.skip(depth: 2)
      let member = line[begin..<scanner.position]
      if isHead(name, kind) { continue }
      if body.count > 1 { body.append(UInt8(ascii: ",")) }
      body.append(contentsOf: member)
    } while scanner.take(UInt8(ascii: ","))
    body.append(UInt8(ascii: "}"))
    return body
  }

  private static func isHead(_ name: UnsafeBufferPointer<UInt8>, _ kind: Topic.Kind) -> Bool {
    switch String(decoding: name, as: UTF8.self) {
    case "topic", "log_time": true
    // A report of the connection has a field of this name.
    case "device": kind != .connection
    default: false
    }
  }
}
