// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// MCAP: our own recordings, bit for bit, and those of others as far as they hold ROS 2 messages of sensors.
enum MCAPFormat {
  static let reader = FormatReader(
    format: .mcap, title: "MCAP",
    summary: "a .mcap of OpenCoreMotion, or one with ROS 2 sensor messages", hasDevices: true, plan: plan)

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    guard files.kind == .file, let member = files.members.first, member.isSeekable else {
      throw SensorError(
        .unsupported, "An MCAP recording is read as a plain file; unpack it first.", at: .init(file: files.path))
    }
    let input = try MCAPInput(path: files.path)
    let index = try MCAPIndex(input, skipsErrors: options.skipsErrors)
    let values = index.metadata.first { $0.name == MCAPWriter.metadataName }?.values ?? []
    var own: [Topic: UInt16] = [:]
    for channel in index.channels.values.sorted(by: { $0.id < $1.id }) where channel.messageEncoding == "json" {
      if let topic = Topic(name: channel.topic), own[topic] == nil { own[topic] = channel.id }
    }
    let hasOwn = own.keys.contains { TopicSelection.sensor(of: $0.kind) != nil }
    let source = hasOwn ? try ownSource(own, options, files) : try foreignSource(index, options, files)
    let info = SensorInfo(name: "", origin: .recording, pacing: .onDemand, channels: source.channels)
    var description = RecordingDescription(metadata: values, info: info)
    description.device = source.device
    if description.isSimulated { description.info.origin = .simulation }
    var plan = RecordingPlan(streams: [
      MCAPStreamPlan(
        path: files.path, index: index, contents: source.contents, channels: description.info.channels,
        wallOffset: description.wallOffset)
    ])
    plan.usesRecordedMotion = source.usesRecordedMotion
    plan.deviceClass = source.isOfHeadphones ? .headphones : description.info.deviceClass
    plan.notes = source.notes
    if description.isSimulated { plan.notes.insert("simulated", at: 0) }
    if !index.isFinished { plan.notes.append("unfinished: it breaks off") }
    if !hasOwn, let stream = plan.streams.first {
      if let warning = Self.unitWarning(stream) { plan.notes.append(warning) }
      // The stamps of ROS count from 1970; those of a simulation from its own beginning.
      let isUnixTime = Self.startsAfter1973(stream)
      (description.clock, description.wallOffset) = isUnixTime ? (.epoch, .zero) : (.none, nil)
      description.sign = "reaction"
      if options.motion == .computed, Self.holdsMotion(index, options, files) {
        plan.unread = [RecordingPlan.unplayedMotion]
      }
    }
    plan.water = description.info.water
    plan.reordering = description.info.reordering
    plan.description = description
    return plan
  }

  /// Some drivers publish g against the rule of the message; it shows in the length of the vector.
  private static func unitWarning(_ stream: any SampleStreamPlan) -> String? {
    guard let samples = try? stream.open(ReadingContext(skipsErrors: true)) else { return nil }
    var lengths: [Double] = []
    for _ in 0..<1000 {
      guard let sample = (try? samples.next()) ?? nil else { break }
      if case .accelerometer(let sample) = sample { lengths.append(sample.specificForce.length) }
    }
    lengths.sort()
    guard !lengths.isEmpty, (0.8...1.25).contains(lengths[lengths.count / 2]) else { return nil }
    return "its accelerations look like g, not m/s²"
  }

  private static func startsAfter1973(_ stream: any SampleStreamPlan) -> Bool {
    let sample = try? stream.open(ReadingContext(skipsErrors: true)).next()
    return sample.map { $0.time.nanoseconds > 100_000_000_000_000_000 } ?? false
  }

  /// Whether the first messages of others hold an orientation that the sender has computed.
  private static func holdsMotion(
    _ index: MCAPIndex, _ options: RecordingOptions, _ files: RecordingFiles
  ) -> Bool {
    var options = options
    options.motion = .recorded
    guard let source = try? foreignSource(index, options, files) else { return false }
    let plan = MCAPStreamPlan(path: files.path, index: index, contents: source.contents, channels: source.channels)
    guard let stream = try? plan.open(ReadingContext(skipsErrors: true)) else { return false }
    for _ in 0..<30 {
      guard let sample = (try? stream.next()) ?? nil else { return false }
      if case .fusedMotion = sample { return true }
    }
    return false
  }

  private struct Source {
    var contents: [UInt16: MCAPStreamPlan.Content] = [:]
    var channels: [SensorInfo.Channel] = []
    var device = ""
    var usesRecordedMotion = false
    var isOfHeadphones = false
    var notes: [String] = []
  }

  private static func ownSource(
    _ own: [Topic: UInt16], _ options: RecordingOptions, _ files: RecordingFiles
  ) throws(SensorError) -> Source {
    let selection = try TopicSelection(Array(own.keys), options, files)
    var source = Source(usesRecordedMotion: selection.usesRecordedMotion, notes: selection.notes)
    source.isOfHeadphones = selection.topics.contains { $0.kind == .headphoneMotion }
    for topic in selection.topics {
      guard let id = own[topic], let sensor = TopicSelection.sensor(of: topic.kind) else { continue }
      source.contents[id] = .topic(topic.kind)
      source.channels.append(.init(kind: sensor))
      source.device = topic.device
    }
    if let topic = selection.connection, let id = own[topic] {
      source.contents[id] = .connection(topic)
      source.channels.append(.init(kind: .connection))
    }
    return source
  }

  /// Whether a topic is a device's: it is called so, or its name begins so.
  private static func isOf(_ device: String, _ topic: String) -> Bool {
    topic == device || topic.split(separator: "/").first.map(String.init) == device
  }

  /// Each kind of sensor from the first channel that holds it, of the device that was asked for.
  private static func foreignSource(
    _ index: MCAPIndex, _ options: RecordingOptions, _ files: RecordingFiles
  ) throws(SensorError) -> Source {
    var source = Source()
    var sensors: SensorKinds = []
    var topics: [String] = []
    for channel in index.channels.values.sorted(by: { $0.id < $1.id }) {
      guard let schema = index.schemas[channel.schema],
        let type = ForeignMessage.type(
          schemaName: schema.name, messageEncoding: channel.messageEncoding, withMotion: options.motion == .recorded)
      else { continue }
      topics.append(channel.topic)
      guard options.device.map({ Self.isOf($0, channel.topic) }) ?? true else { continue }
      guard sensors.isDisjoint(with: type.kinds) else {
        source.notes.append("\(channel.topic) left aside")
        continue
      }
      sensors.formUnion(type.kinds)
      source.contents[channel.id] = .foreign(type)
      source.notes.append("\(schema.name) of \(channel.topic)")
      for kind in [SensorKinds.accelerometer, .gyroscope, .magnetometer, .airPressure, .temperature, .fusedMotion]
      where type.kinds.contains(kind) {
        source.channels.append(.init(kind: kind))
      }
    }
    if let device = options.device, source.contents.isEmpty, !topics.isEmpty {
      throw SensorError(
        .invalidRequest,
        "The recording has no device \(device.debugDescription): name one of the topics \(topics.prefix(12).joined(separator: ", ")), or the first part of its name.",
        at: .init(file: files.path))
    }
    guard !source.contents.isEmpty else {
      let topics = index.channels.values.map(\.topic).sorted().prefix(12).joined(separator: ", ")
      throw SensorError(
        .unsupported,
        "The MCAP file holds no sensor that can be played: its topics are \(topics.isEmpty ? "none" : topics). Read are OpenCoreMotion's own topics and sensor_msgs Imu, MagneticField, FluidPressure and Temperature.",
        at: .init(file: files.path))
    }
    source.usesRecordedMotion = sensors.contains(.fusedMotion)
    if options.motion == .recorded, !source.usesRecordedMotion {
      throw .noRecordedMotion(in: files, needs: "the topic /motion/device or /motion/headphone, or sensor_msgs Imu")
    }
    return source
  }
}
