// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// How the messages of other programs are played, whatever kind of file they lie in: each kind of sensor comes from the
/// first topic that has it, of the device that was asked for.
struct ForeignMessages {
  /// The types that are played, by topic.
  private var types: [String: (schema: String, message: ForeignMessage)] = [:]
  private var sensors: SensorKinds = []
  private var channels: [SensorInfo.Channel] = []
  private var notes: [String] = []

  /// The plan of files that follow each other; `metadata`: what they say of themselves.
  static func plan(
    _ messageFiles: [MessageFile], _ options: RecordingOptions, _ files: RecordingFiles,
    metadata: [(String, String)] = []
  ) throws(SensorError) -> RecordingPlan {
    let selection = try ForeignMessages(messageFiles, options, files)
    let info = SensorInfo(name: "", origin: .recording, pacing: .onDemand, channels: selection.channels)
    var description = RecordingDescription(metadata: metadata, info: info)
    let stream = selection.contents(messageFiles).stream(description.info.channels)
    var plan = RecordingPlan(streams: [stream])
    plan.usesRecordedMotion = selection.sensors.contains(.motion)
    plan.deviceClass = description.info.deviceClass
    plan.notes = selection.notes
    if let warning = unitWarning(stream) { plan.notes.append(warning) }
    // The stamps of ROS count from 1970; those of a simulation from its own beginning.
    let isUnixTime = startsAfter1973(stream)
    (description.clock, description.wallOffset) = isUnixTime ? (.epoch, .zero) : (.none, nil)
    description.sign = "reaction"
    if options.motion == .computed, holdsMotion(messageFiles, options, files) {
      plan.unread = [RecordingPlan.unplayedMotion]
    }
    plan.water = description.info.water
    plan.reordering = description.info.reordering
    plan.description = description
    return plan
  }

  private init(
    _ messageFiles: [MessageFile], _ options: RecordingOptions, _ files: RecordingFiles
  ) throws(SensorError) {
    var topics: [String] = []
    for channel in messageFiles.flatMap(\.channels) where !topics.contains(channel.topic) {
      guard
        let type = ForeignMessage.type(
          schemaName: channel.schema, messageEncoding: channel.encoding, withMotion: options.motion == .recorded)
      else { continue }
      topics.append(channel.topic)
      guard options.device.map({ Self.isOf($0, channel.topic) }) ?? true else { continue }
      guard sensors.isDisjoint(with: type.kinds) else {
        notes.append("\(channel.topic) not used")
        continue
      }
      sensors.formUnion(type.kinds)
      types[channel.topic] = (channel.schema, type)
      notes.append("\(channel.schema) of \(channel.topic)")
      for kind in [SensorKinds.accelerometer, .gyroscope, .magnetometer, .airPressure, .temperature, .motion]
      where type.kinds.contains(kind) {
        channels.append(.init(kind: kind))
      }
    }
    if let device = options.device, types.isEmpty, !topics.isEmpty {
      throw files.error(
        .invalidRequest,
        "The recording has no device \(device.debugDescription): name one of the topics \(topics.prefix(12).joined(separator: ", ")), or the first part of its name."
      )
    }
    guard !types.isEmpty else {
      let topics = Set(messageFiles.flatMap(\.channels).map(\.topic)).sorted().prefix(12).joined(separator: ", ")
      throw files.error(
        .unsupported,
        "The recording has no supported sensor: its topics are \(topics.isEmpty ? "none" : topics). Supported are OpenCoreMotion's own topics and sensor_msgs Imu, MagneticField, FluidPressure and Temperature."
      )
    }
    if options.motion == .recorded, !sensors.contains(.motion) {
      throw .noRecordedMotion(in: files, needs: "the topic /motion/device or /motion/headphone, or sensor_msgs Imu")
    }
  }

  /// The files, each with the channels that are played.
  private func contents(_ files: [MessageFile]) -> MessageContents {
    MessageContents(
      files: files.map { file in
        var file = file
        // A topic may have several channels: a program that started again opens another.
        for channel in file.channels {
          guard let type = types[channel.topic], type.schema == channel.schema else { continue }
          file.contents[channel.id] = .foreign(type.message)
        }
        return file
      })
  }

  /// Whether a topic is a device's: it is called so, or its name begins so.
  private static func isOf(_ device: String, _ topic: String) -> Bool {
    topic == device || topic.split(separator: "/").first.map(String.init) == device
  }

  /// Some drivers publish g against the rule of the message; it shows in the length of the vector.
  private static func unitWarning(_ stream: SampleStreamPlan) -> String? {
    guard let next = try? stream.open(ReadingContext(.skip)) else { return nil }
    var lengths: [Double] = []
    for _ in 0..<1000 {
      guard let sample = (try? next()) ?? nil else { break }
      if case .accelerometer(let sample) = sample { lengths.append(sample.specificForce.length) }
    }
    lengths.sort()
    guard !lengths.isEmpty, (0.8...1.25).contains(lengths[lengths.count / 2]) else { return nil }
    return "its accelerations look like g, not m/s²"
  }

  private static func startsAfter1973(_ stream: SampleStreamPlan) -> Bool {
    let sample = try? stream.open(ReadingContext(.skip))()
    return sample.map { $0.time.nanoseconds > 100_000_000_000_000_000 } ?? false
  }

  /// Whether the first messages hold an orientation that the sender has computed.
  private static func holdsMotion(
    _ messageFiles: [MessageFile], _ options: RecordingOptions, _ files: RecordingFiles
  ) -> Bool {
    var options = options
    options.motion = .recorded
    guard let selection = try? ForeignMessages(messageFiles, options, files),
      let next = try? selection.contents(messageFiles).stream([]).open(ReadingContext(.skip))
    else { return false }
    for _ in 0..<30 {
      guard let sample = (try? next()) ?? nil else { return false }
      if case .motion = sample { return true }
    }
    return false
  }
}

/// Message types of other programs that hold sensor samples, by the names of their schemas. To read a further type: add
/// it here.
struct ForeignMessage: Sendable {
  /// What may come out.
  var kinds: SensorKinds
  /// The samples of a message; their times are Unix times.
  var decode: @Sendable (ArraySlice<UInt8>) throws(SensorError) -> [SensorSample]

  /// The type with this schema and encoding; nil = not read.
  ///
  /// `withMotion`: also the motion that the sender has fused itself, where the type carries it.
  static func type(schemaName: String, messageEncoding: String, withMotion: Bool) -> ForeignMessage? {
    guard let type = ROS2MessageType(schemaName: schemaName), messageEncoding == "cdr" else { return nil }
    let hasMotion = withMotion && type == .imu
    return ForeignMessage(kinds: hasMotion ? [kinds(type), .motion] : kinds(type)) { (bytes) throws(SensorError) in
      let message = try ROS2Message(type, decoding: bytes)
      var samples = message.samples
      if hasMotion, let motion = message.motion() { samples.append(.motion(motion)) }
      return samples
    }
  }

  private static func kinds(_ type: ROS2MessageType) -> SensorKinds {
    switch type {
    case .imu: .inertial
    case .magneticField: .magnetometer
    case .fluidPressure: .airPressure
    case .temperature: .temperature
    }
  }
}
