// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import TestSupport
import Testing

@testable import MotionRecording

/// A recording as text holds every message of a recording in MCAP, and gives it back.
@Suite struct NDJSONReaderTests {
  private let folder: TemporaryFolder
  private static let time = SensorInstant(nanoseconds: 5_000_000_000)
  /// Samples and events, as our recorder writes them.
  private static let items =
    MCAPFixture.items(count: 20) + [
      .event(.connection(time, device: "left", isConnected: true)),
      .event(.error(time, service: "s", domain: "CMErrorDomain", code: -7, message: "a \"word\"\n\u{1F600}")),
      .event(.gap(time, service: "gyroscope", duration: .milliseconds(30), lost: nil)),
      .event(.error(time, service: "s", domain: "", code: 0, message: "{\"topic\":\"/sensor/gyroscope\"}")),
    ]

  init() throws { folder = try TemporaryFolder() }

  private func messages(_ path: String, damage: DamagePolicy = .stop) throws -> [TopicMessage] {
    let reader = try NDJSONReader(path: path, damage: damage)
    var messages: [TopicMessage] = []
    while let message = try reader.next() { messages.append(message) }
    return messages
  }

  /// Of a description with a device's name and of one without, with times of receipt and without.
  @Test(arguments: ["", "left_wrist"], [true, false])
  func everyMessageComesBackByteForByte(device: String, knowsUnixTime: Bool) throws {
    var description = MCAPFixture.description()
    description.device = device
    description.wallOffset = knowsUnixTime ? MCAPFixture.wallOffset : nil
    let sink = MemoryByteSink()
    let writer = NDJSONWriter(sink, description: description)
    for item in Self.items { try writer.write(item) }
    try writer.finish()
    var encoder = TopicEncoder(description)
    var expected = Self.items.flatMap { encoder.messages(for: $0) }
    for index in expected.indices { expected[index].receivedAt = nil }
    let found = try messages(folder.write("a.ndjson", sink.bytes))
    #expect(found.map(\.topic) == expected.map(\.topic) && found.map(\.body) == expected.map(\.body))
    #expect(found.map(\.time) == expected.map(\.time))
    // And the text of that is the text it came from.
    let second = MemoryByteSink()
    let again = NDJSONWriter(second, description: RecordingDescription(info: .test))
    for message in found { try again.write(message) }
    let text = String(decoding: second.bytes, as: UTF8.self)
    let original = String(decoding: sink.bytes, as: UTF8.self)
    #expect(text == original.replacing(/,"log_time":[0-9]+/, with: ""))
  }

  @Test func bothFamiliesAndKeysInAnyOrderAreMessages() throws {
    let path = try folder.write(
      "a.ndjson",
      """
      {"topic":"/motion/gyro","timestamp":1.5,"rotationRate":{"x":1,"y":2,"z":3}}
      { "z" : 3, "y":2, "timestamp_ns":7, "topic" : "/sensor/gyroscope", "x":1 , "log_time":9}

      {"topic":"/somebody/elses","x":1}
      """ + "\n")
    let found = try messages(path)
    #expect(found.map(\.topic.name) == ["/motion/gyro", "/sensor/gyroscope"])
    #expect(found.map(\.time.nanoseconds) == [1_500_000_000, 7])
    #expect(found.map { String(decoding: $0.body, as: UTF8.self) }[1] == #"{"z" : 3,"y":2,"timestamp_ns":7,"x":1}"#)
  }

  @Test(arguments: [
    #"{"topic":"/sensor/gyroscope","timestamp_ns":1,"x":1,"y":2}"#,
    #"{"topic":"/sensor/gyroscope","timestamp_ns":1,"x":"#,
    #"{"topic":"/motion/gyro","timestamp":1e300,"rotationRate":{"x":1,"y":2,"z":3}}"#, "[]", "walk",
  ])
  func aLineThatIsNoMessageIsNamed(line: String) throws {
    let good = #"{"topic":"/sensor/gyroscope","timestamp_ns":1,"x":1,"y":2,"z":3}"#
    let path = try folder.write("a.ndjson", "\(good)\n\(line)\n\(good)\n")
    let error = #expect(throws: SensorError.self) { try messages(path) }
    #expect(error?.place?.line == 2 && error?.message.contains("errors=skip") == true)
    #expect(try messages(path, damage: .skip).count == 2)
    // Cut off in the last line: that line only.
    let cut = try folder.write("b.ndjson", "\(good)\n\(line)")
    #expect(try messages(cut).count == 1)
  }
}
