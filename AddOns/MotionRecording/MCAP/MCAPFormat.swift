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
      throw files.error(.unsupported, "An MCAP recording must be a plain file; unpack it first.")
    }
    let input = try MCAPInput(path: files.path, budget: files.budget)
    let index = try MCAPIndex(input, options.damage)
    let values = index.metadata.first { $0.name == MCAPWriter.metadataName }?.values ?? []
    var own: [Topic: UInt16] = [:]
    for channel in index.channels.values.sorted(by: { $0.id < $1.id }) where channel.messageEncoding == "json" {
      if let topic = Topic(name: channel.topic), own[topic] == nil { own[topic] = channel.id }
    }
    guard own.keys.contains(where: { TopicSelection.sensor(of: $0.kind) != nil }) else {
      var plan = try ForeignMessages.plan([MessageFile(files.path, index)], options, files, metadata: values)
      if !index.isFinished { plan.warnings.append("The file is unfinished: its end is missing.") }
      return plan
    }
    let source = try ownSource(own, options, files)
    let info = SensorInfo(name: "", origin: .recording, pacing: .onDemand, channels: source.channels)
    var description = RecordingDescription(metadata: values, info: info)
    description.device = source.device
    if description.isSimulated { description.info.origin = .simulation }
    var file = MessageFile(files.path, index)
    file.contents = source.contents
    let contents = MessageContents(files: [file], wallOffset: description.wallOffset)
    var plan = RecordingPlan(streams: [contents.stream(description.info.channels)])
    plan.usesRecordedMotion = source.usesRecordedMotion
    plan.deviceClass = source.isOfHeadphones ? .headphones : description.info.deviceClass
    plan.notes = (description.isSimulated ? ["simulated"] : []) + source.notes
    if !index.isFinished { plan.notes.append("unfinished: its end is missing") }
    plan.water = description.info.water
    plan.reordering = description.info.reordering
    plan.description = description
    return plan
  }

  private struct Source {
    var contents: [UInt16: MessageFile.Content] = [:]
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
}
