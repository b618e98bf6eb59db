// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import TestSupport
import Testing

@testable import MotionRecording

/// What is written into an MCAP file comes out of it again, bit for bit and in the order in which it was received.
@Suite struct MCAPRoundTripTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [false, true], MCAPCompression.allCases)
  func aRecordingPlaysTheSamplesThatWereRecorded(isApple: Bool, compression: MCAPCompression) throws {
    guard (try? compression.check()) != nil else { return }
    let items = MCAPFixture.items(count: 500, isApple: isApple)
    let path = try folder.write(
      "a.mcap",
      MCAPFixture.file(items, MCAPFixture.description(isApple: isApple), compression: compression))
    let recording = try Recording.open(path: path)
    let reader = try recording.makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    #expect(samples == MCAPFixture.samples(items))
    #expect(recording.format == .mcap)
    #expect(recording.info.kinds == [.accelerometer, .gyroscope, .magnetometer, .airPressure])
    #expect(recording.info.channel(.accelerometer)?.range == 156.9)
    #expect(recording.info.channel(.magnetometer)?.isCalibrated == true)
    #expect(recording.info.deviceClass == .module)
    #expect(abs((recording.info.channel(.gyroscope)?.rates.first ?? 0) - 100) < 1e-6)
    // The magnetometer comes 4 ms late.
    #expect(recording.info.reordering >= .milliseconds(4))
    #expect(recording.recordedDescription?.source == "iio:imu0")
    #expect(recording.recordedDescription?.wallOffset == MCAPFixture.wallOffset)
    #expect(recording.duration == SensorDuration.milliseconds(4994))
    #expect(reader.statistics.omitted == 0)
  }

  @Test func theReplaySourceDeliversWhatWasRecorded() throws {
    let items = MCAPFixture.items(count: 100)
    let path = try folder.write("a.mcap", MCAPFixture.file(items))
    let collected = Lock<[SensorSample]>([])
    let session = SensorSession(clock: FreeRunningClock(), request: SensorRequest(kinds: [], interval: .zero)) {
      (sample, _) throws(SourceStopped) in
      collected.withLock { $0.append(sample) }
    }
    try ReplaySource(path: path, options: [:]).run(session)
    #expect(collected.withLock { $0 } == MCAPFixture.samples(items))
  }

  @Test func rosAccelerationsInGravitiesAreRemarked() throws {
    for (length, isRemarked) in [(1.0, true), (9.8, false)] {
      let sink = MemoryByteSink()
      let writer = try MCAPFileWriter(sink, library: "")
      let schema = try writer.addSchema(name: "sensor_msgs/Imu", encoding: "ros2msg", data: [])
      let channel = try writer.addChannel(topic: "/imu", schema: schema, messageEncoding: "cdr")
      for index in 0..<20 {
        let imu = ROS2Message.imu(
          ROS2Header(stamp: ROS2Time(seconds: 1, nanoseconds: UInt32(index) * 10_000_000), frameID: ""), attitude: nil,
          angularVelocity: nil, specificForce: Vector3(x: 0, y: 0, z: length))
        try writer.write(channel: channel, sequence: 0, logTime: UInt64(index), publishTime: 0, imu.encoded()[...])
      }
      try writer.finish()
      let recording = try Recording.open(path: folder.write("g.mcap", sink.bytes))
      #expect(recording.warnings.contains { $0.contains("its unit may be wrong") } == isRemarked)
    }
  }

  @Test func chunksCloseAtASecondOrAtTheirSize() throws {
    let path = try folder.write("a.mcap", MCAPFixture.file(MCAPFixture.items(count: 500)))
    #expect(try MCAPReader(path: path).index.chunkCount == 5)
    let small = try folder.write("b.mcap", MCAPFixture.file(MCAPFixture.items(count: 500), chunkBytes: 4096))
    let reader = try MCAPReader(path: small)
    #expect(reader.index.chunkCount > 40)
    #expect(try MCAPFixture.messages(small).map(\.body) == MCAPFixture.messages(path).map(\.body))
  }

  @Test func whatAFileSaysOfItselfIsThere() throws {
    let path = try folder.write("a.mcap", MCAPFixture.file(MCAPFixture.items(count: 3)))
    let reader = try MCAPReader(path: path)
    #expect(
      reader.index.isFinished && reader.index.header.profile.isEmpty && reader.index.header.library == "opencoremotion")
    let values = try #require(reader.index.metadata.first { $0.name == "opencoremotion" }?.values)
    #expect(values.map(\.0).prefix(3) == ["format", "clock", "wall_offset_ns"])
    let attachment = try #require(reader.index.attachments.first)
    #expect(attachment.name == "calibration.json" && attachment.mediaType == "application/json")
    #expect(try reader.data(of: attachment) == Array(#"{"a":1}"#.utf8))
    #expect(reader.index.channels.count == 4 && reader.index.schemas.count == 4)
    #expect(Set(reader.index.schemas.values.map(\.encoding)) == ["jsonschema"])
  }

  @Test func theSampleTimeIsThePublishTimeOnTheUnixTimeLine() throws {
    let items = MCAPFixture.items(count: 1)
    let path = try folder.write("a.mcap", MCAPFixture.file(items))
    let message = try #require(try MCAPFixture.messages(path).first)
    #expect(message.publishTime == UInt64((items[0].time + MCAPFixture.wallOffset).nanoseconds))
    #expect(message.logTime == message.publishTime + 1_000_000)
    #expect(message.sequence == 0)
  }

  @Test func rewritingAFileKeepsItsPayload() throws {
    let path = try folder.write("a.mcap", MCAPFixture.file(MCAPFixture.items(count: 200)))
    let reader = try MCAPReader(path: path)
    let sink = MemoryByteSink()
    let writer = try MCAPFileWriter(sink, library: reader.index.header.library)
    for record in reader.index.metadata { try writer.addMetadata(name: record.name, record.values) }
    var ids: [UInt16: UInt16] = [:]
    while let message = try reader.next() {
      if ids[message.channel] == nil {
        let channel = try #require(reader.index.channels[message.channel])
        let schema = try #require(reader.index.schemas[channel.schema])
        let id = try writer.addSchema(name: schema.name, encoding: schema.encoding, data: schema.data)
        ids[message.channel] = try writer.addChannel(
          topic: channel.topic, schema: id, messageEncoding: channel.messageEncoding)
      }
      let id = try #require(ids[message.channel])
      try writer.write(
        channel: id, sequence: message.sequence, logTime: message.logTime, publishTime: message.publishTime,
        message.body)
    }
    try writer.finish()
    let copy = try folder.write("b.mcap", sink.bytes)
    #expect(try MCAPFixture.messages(copy) == MCAPFixture.messages(path))
  }

  @Test func messagesComeInTheOrderOfTheirLogTimesAlsoFromChunksThatOverlap() throws {
    let sink = MemoryByteSink()
    let writer = try MCAPFileWriter(sink, library: "", chunkBytes: 200)
    let channel = try writer.addChannel(topic: "/a", schema: 0, messageEncoding: "json")
    // Up to 40 places out of order: several chunks overlap, and equal times keep the order of the file.
    var random = SeededRandom(seed: 5)
    var times: [UInt64] = []
    for index in 0..<500 {
      let time = UInt64(max(0, index - Int.random(in: 0...40, using: &random))) / 2
      times.append(time)
      try writer.write(channel: channel, sequence: UInt32(index), logTime: time, publishTime: 0, [UInt8(index % 256)])
    }
    try writer.finish()
    let path = try folder.write("a.mcap", sink.bytes)
    let read = try MCAPFixture.messages(path)
    let expected = times.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
    #expect(read.map { Int($0.sequence) } == expected)
  }

  @Test func recordedMotionIsPlayedOnlyWhenAskedForOrAlone() throws {
    var random = SeededRandom(seed: 1)
    let motion = try #require(TopicTests.samples(round: 0, &random).last)
    var items = MCAPFixture.items(count: 10, isApple: true)
    let both = try folder.write("both.mcap", MCAPFixture.file(items + [.sample(motion.moved(to: items[30].time))]))
    #expect(try Recording.open(path: both).info.kinds.contains(.motion) == false)
    var options = RecordingOptions()
    options.motion = .recorded
    let recorded = try Recording.open(path: both, options: options)
    #expect(recorded.usesRecordedMotion && recorded.info.kinds.contains(.motion))
    items = [.sample(motion)]
    let alone = try folder.write("alone.mcap", MCAPFixture.file(items))
    let reader = try Recording.open(path: alone).makeReader()
    #expect(try reader.next() == motion)
    let raw = try folder.write("raw.mcap", MCAPFixture.file(MCAPFixture.items(count: 3)))
    #expect(throws: SensorError.self) { try Recording.open(path: raw, options: options) }
  }

  @Test func oneOfSeveralDevicesIsChosenByName() throws {
    let sink = MemoryByteSink()
    var description = MCAPFixture.description()
    description.device = "left_wrist"
    let writer = try MCAPWriter(sink, description)
    var right = description
    right.device = "right_wrist"
    var encoder = TopicEncoder(right)
    let items = MCAPFixture.items(count: 20)
    for item in items {
      try writer.write(item)
      for message in encoder.messages(for: item) where message.topic.kind == .gyroscope { try writer.write(message) }
    }
    try writer.finish()
    let path = try folder.write("two.mcap", sink.bytes)
    let error = #expect(throws: SensorError.self) { try Recording.open(path: path) }
    #expect(error?.message.contains("left_wrist, right_wrist") == true)
    let options = try ReplayOptions(["device": "right_wrist"])
    #expect(try Recording.open(path: path, options: options.recording).info.kinds == .gyroscope)
  }

  @Test func jumpsOfTheSequenceAreCounted() throws {
    let sink = MemoryByteSink()
    let writer = try MCAPFileWriter(sink, library: "")
    let channel = try writer.addChannel(topic: "/a", schema: 0, messageEncoding: "json")
    for (index, sequence) in [0, 1, 2, 5, 6, 10].enumerated() {
      try writer.write(
        channel: channel, sequence: UInt32(sequence), logTime: UInt64(index), publishTime: 0,
        [UInt8](repeating: 0, count: 4)[...])
    }
    try writer.finish()
    let reader = try MCAPReader(path: folder.write("a.mcap", sink.bytes))
    while try reader.next() != nil {}
    #expect(reader.statistics[.absent] == 5)
  }

  @Test func oneOfSeveralIMUsOfARobotIsChosenByItsTopic() throws {
    let sink = MemoryByteSink()
    let writer = try MCAPFileWriter(sink, profile: "ros2", library: "")
    let schema = try writer.addSchema(name: "sensor_msgs/msg/Imu", encoding: "ros2msg", data: [])
    for (topic, force) in [("/left/imu", 9.8), ("/right/imu", 9.6)] {
      let channel = try writer.addChannel(topic: topic, schema: schema, messageEncoding: "cdr")
      let imu = ROS2Message.imu(
        ROS2Header(stamp: ROS2Time(seconds: 1_700_000_000, nanoseconds: 0), frameID: "imu"), attitude: nil,
        angularVelocity: .zero, specificForce: Vector3(x: 0, y: 0, z: force))
      try writer.write(
        channel: channel, sequence: 0, logTime: 1_700_000_000_000_000_000, publishTime: 0, imu.encoded()[...])
    }
    try writer.finish()
    let path = try folder.write("robot.mcap", sink.bytes)
    #expect(try read(path).accelerometer.map(\.reading.z) == [9.8])
    for device in ["right", "/right/imu"] {
      let options = try ReplayOptions(["device": device]).recording
      #expect(try read(path, options).accelerometer.map(\.reading.z) == [9.6])
    }
    let error = failure(path, try ReplayOptions(["device": "foo"]).recording)
    #expect(error?.code == .invalidRequest && error?.message.contains("/left/imu, /right/imu") == true)
  }

  /// With the time in their headers, or, where a driver left that empty, with the time at which they were received.
  @Test(arguments: [true, false])
  func rosMessagesOfOthersArePlayed(isStamped: Bool) throws {
    let sink = MemoryByteSink()
    let writer = try MCAPFileWriter(sink, profile: "ros2", library: "")
    let type = ROS2MessageType.imu
    let schema = try writer.addSchema(name: "sensor_msgs/msg/Imu", encoding: "ros2msg", data: Array(type.schema.utf8))
    let channel = try writer.addChannel(topic: "/imu", schema: schema, messageEncoding: "cdr")
    var expected: [SensorSample] = []
    for index in 0..<50 {
      let time = SensorInstant(nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 10_000_000)
      let stamp = try #require(ROS2Time(isStamped ? time : SensorInstant(nanoseconds: 0)))
      let rate = Vector3<Device>(x: 0.1, y: Double(index), z: 0.3)
      let force = Vector3<Device>(x: 0, y: 0.5, z: 9.8)
      let imu = ROS2Message.imu(
        ROS2Header(stamp: stamp, frameID: "imu"), attitude: nil, angularVelocity: rate, specificForce: force)
      try writer.write(
        channel: channel, sequence: UInt32(index), logTime: UInt64(time.nanoseconds),
        publishTime: UInt64(time.nanoseconds), imu.encoded()[...])
      expected.append(.accelerometer(AccelerometerSample(time: time, specificForce: force)))
      expected.append(.gyroscope(GyroscopeSample(time: time, angularVelocity: rate)))
    }
    try writer.finish()
    let recording = try Recording.open(path: folder.write("ros.mcap", sink.bytes))
    let reader = try recording.makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    #expect(samples == expected)
  }

  @Test func linesOfJSONPlayTheSameSamples() throws {
    let items = MCAPFixture.items(count: 50)
    var encoder = TopicEncoder(MCAPFixture.description())
    var text = "\u{FEFF}"
    for message in items.flatMap({ encoder.messages(for: $0) }) {
      text +=
        "{\"topic\":\"\(message.topic.name)\"," + String(decoding: message.body.dropFirst(), as: UTF8.self) + "\r\n"
    }
    let recording = try Recording.open(path: folder.write("a.ndjson", text))
    #expect(recording.format == .ndjson && recording.info.kinds.contains(.airPressure))
    let reader = try recording.makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    #expect(samples == MCAPFixture.samples(items))
    // A line that was cut off costs itself only.
    let cut = try Recording.open(path: folder.write("cut.ndjson", String(text.dropLast(20))))
    let rest = try cut.makeReader()
    var count = 0
    while try rest.next() != nil { count += 1 }
    #expect(count == samples.count - 1 && rest.statistics[.truncated] == 1)
  }
}
