// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// MCAP: our own recordings, bit for bit, and those of others as far as they hold ROS 2 messages of sensors.
enum MCAPFormat {
  static let reader = FormatReader(
    format: .mcap, title: "MCAP",
    summary: "a .mcap of OpenCoreMotion, or one with ROS 2 sensor messages", hasDevices: true, isTable: false,
    plan: plan)

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
      return try ForeignMessages.plan([MessageFile(files.path, index)], options, files, metadata: values)
    }
    let selection = try TopicSelection(Array(own.keys), options, files)
    let info = SensorInfo(name: "", origin: .recording, pacing: .onDemand, channels: selection.channels)
    var description = RecordingDescription(metadata: values, info: info)
    description.device = selection.topics.last?.device ?? ""
    if description.isSimulated { description.info.origin = .simulation }
    var file = MessageFile(files.path, index)
    for topic in selection.all {
      if let id = own[topic] { file.contents[id] = .topic(topic) }
    }
    let contents = MessageContents(files: [file], wallOffset: description.wallOffset)
    var plan = RecordingPlan(streams: [contents.stream(description.info.channels)])
    plan.usesRecordedMotion = selection.usesRecordedMotion
    plan.deviceClass = selection.isOfHeadphones ? .headphones : description.info.deviceClass
    plan.placement =
      Placement(words: description.device) ?? (selection.isOfHeadphones ? .head : description.info.placement)
    plan.notes = (description.isSimulated ? ["simulated"] : []) + selection.notes
    if !index.isFinished { plan.notes.append("unfinished: its end is missing") }
    plan.water = description.info.water
    plan.reordering = description.info.reordering
    plan.description = description
    return plan
  }
}
