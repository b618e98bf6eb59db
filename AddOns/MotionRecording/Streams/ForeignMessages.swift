// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// How the messages of other programs are played, whatever kind of file they lie in: each kind of sensor comes from the
/// first topic that has it, of the device that was asked for.
struct ForeignMessages {
  /// The types that are played, by topic.
  private var types: [String: (schema: String, type: ROS2MessageType)] = [:]
  /// Also the motion that the sender has fused itself.
  private let withMotion: Bool
  private var sensors: SensorKinds = []
  private var channels: [SensorInfo.Channel] = []
  private var notes: [String] = []

  /// The plan of files that follow each other; `metadata`: what they say of themselves; `stated`: how many messages a
  /// file beside them says that they hold.
  static func plan(
    _ messageFiles: [MessageFile], _ options: RecordingOptions, _ files: RecordingFiles,
    metadata: [(String, String)] = [], stated: UInt64? = nil
  ) throws(SensorError) -> RecordingPlan {
    let selection = try ForeignMessages(messageFiles, options, files)
    let info = SensorInfo(name: "", origin: .recording, pacing: .onDemand, channels: selection.channels)
    var description = RecordingDescription(metadata: metadata, info: info)
    var contents = selection.contents(messageFiles)
    contents.stated = stated.map { ($0, files.path) }
    let stream = contents.stream(description.info.channels)
    var plan = RecordingPlan(streams: [stream])
    plan.usesRecordedMotion = selection.sensors.contains(.motion)
    plan.deviceClass = description.info.deviceClass
    plan.placement = Placement(words: selection.types.keys.joined(separator: " ")) ?? description.info.placement
    plan.notes = selection.notes
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
    withMotion = options.motion == .recorded
    var topics: [String] = []
    for channel in messageFiles.flatMap(\.channels) where !topics.contains(channel.topic) {
      guard let type = ROS2MessageType(schemaName: channel.schema), channel.encoding == "cdr" else { continue }
      let kinds = type.kinds(withMotion: withMotion)
      topics.append(channel.topic)
      guard options.device.map({ Self.isOf($0, channel.topic) }) ?? true else { continue }
      guard sensors.isDisjoint(with: kinds) else {
        notes.append("\(channel.topic) not used")
        continue
      }
      sensors.formUnion(kinds)
      types[channel.topic] = (channel.schema, type)
      notes.append("\(channel.schema) of \(channel.topic)")
      for kind in [SensorKinds.accelerometer, .gyroscope, .magnetometer, .airPressure, .temperature, .motion]
      where kinds.contains(kind) {
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
          file.contents[channel.id] = .foreign(type.type, withMotion: withMotion)
        }
        return file
      })
  }

  /// Whether a topic is a device's: it is called so, or its name begins so.
  private static func isOf(_ device: String, _ topic: String) -> Bool {
    topic == device || topic.split(separator: "/").first.map(String.init) == device
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

extension ROS2MessageType {
  /// What may come out of a message; `withMotion`: also the motion that the sender has fused itself.
  fileprivate func kinds(withMotion: Bool) -> SensorKinds {
    switch self {
    case .imu: withMotion ? [.inertial, .motion] : .inertial
    case .magneticField: .magnetometer
    case .fluidPressure: .airPressure
    case .temperature: .temperature
    }
  }

  /// The samples of a message; their times are Unix times.
  func samples(of body: ArraySlice<UInt8>, withMotion: Bool) throws(SensorError) -> [SensorSample] {
    let message = try ROS2Message(self, decoding: body)
    var samples = message.samples
    if withMotion, self == .imu, let motion = message.motion() { samples.append(.motion(motion)) }
    return samples
  }
}
