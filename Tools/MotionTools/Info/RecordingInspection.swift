// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
package import MotionRecording
package import MotionSensing

/// One pass over a recording, for `motionctl info`.
package struct RecordingInspection {
  private let argument: RecordingArgument
  package var path: String { argument.path }

  package init(_ name: String, _ choices: ReadingChoices = ReadingChoices()) throws {
    var choices = choices
    choices.skipsDamage = true
    argument = try RecordingArgument(name, choices)
  }

  /// The report; nil when `goesOn`, which gets the number of samples so far, said no.
  package func report(while goesOn: (Int) -> Bool) throws -> InfoReport? {
    if argument.isWhole, try MCAPCut.canRead(path), let inspection = try MCAPInspection(path) {
      return try inspection.report(while: goesOn)
    }
    let recording = try Recording.open(path: path, options: argument.options)
    var quality = RecordingQuality(channels: recording.info.channels)
    var pass = try RecordingPass(recording)
    guard try pass(into: &quality, goesOn: { _, count, _ in goesOn(count) }) else { return nil }
    let statistics = pass.report.reading ?? RecordingStatistics()
    var report = InfoReport(
      file: path, format: recording.format.title, info: recording.info, qualities: [("", quality)],
      statistics: statistics, isOdd: !recording.warnings.isEmpty,
      description: recording.recordedDescription)
    report.placement = recording.placement.map { "\($0)" }
    report.otherTopics = statistics.passedOver.isEmpty ? nil : statistics.passedOver
    report.leftAside = recording.unread.isEmpty ? nil : recording.unread
    report.gravityDifference = recording.degreesOfGravity
    report.warnings = recording.warnings.isEmpty ? nil : recording.warnings
    report.assumed = recording.assumptions.isEmpty ? nil : recording.assumptions
    return report
  }
}

extension Recording {
  /// Degrees, for ``InfoReport/gravityDifference``.
  fileprivate var degreesOfGravity: [Double]? {
    gravityDifference.map {
      [$0.median, $0.most].map { (Angle(radians: $0).degrees * 100).rounded() / 100 }
    }
  }
}

extension RecordingQuality: SampleSink {
  package mutating func take(_ sample: SensorSample) -> Bool {
    update(sample)
    return true
  }
}

/// One pass over an MCAP file of ours: all streams, those that Core Motion computed too, and what the file says of
/// itself.
struct MCAPInspection {
  private let path: String
  private let reader: MCAPReader
  private let description: RecordingDescription
  private let topics: [UInt16: Topic]

  /// Nil when the file holds none of our topics: then it is read as any other format, if it can be.
  init?(_ path: String) throws {
    self.path = path
    reader = try MCAPReader(path: path, damage: .skip)
    var topics: [UInt16: Topic] = [:]
    for (id, channel) in reader.index.channels where channel.messageEncoding == "json" {
      topics[id] = Topic(name: channel.topic)
    }
    let facts = reader.index.metadata.first { $0.name == MCAPWriter.metadataName }?.values
    // One of ours may hold nothing but the messages of ROS 2.
    guard !topics.isEmpty || (facts != nil && reader.index.channels.isEmpty) else { return nil }
    self.topics = topics
    // Ranges belong to channels; which of them there are shows later.
    let channels = [SensorKinds.accelerometer, .gyroscope, .magnetometer].map {
      SensorInfo.Channel(kind: $0)
    }
    description = RecordingDescription(
      metadata: facts ?? [],
      info: SensorInfo(name: "unknown", origin: .recording, pacing: .onDemand, channels: channels))
  }

  func report(while goesOn: (Int) -> Bool) throws -> InfoReport? {
    var pass = Pass(description, path)
    var count = 0
    while let message = try reader.next() {
      if let topic = topics[message.channel] {
        pass.add(message, topic, &reader.statistics)
      } else if let name = reader.index.channels[message.channel]?.topic {
        pass.others[name, default: 0] += 1
      }
      count += 1
      if count % RecordingPass.stride == 0, !goesOn(count) { return nil }
    }
    return report(of: pass)
  }

  /// What has been seen so far.
  private struct Pass {
    private let channels: [SensorInfo.Channel]
    private let path: String
    private var decoder = TopicDecoder()
    private(set) var devices: [String] = []
    private(set) var qualities: [String: RecordingQuality] = [:]
    private(set) var events: [String: Int] = [:]
    var others: [String: Int] = [:]

    init(_ description: RecordingDescription, _ path: String) {
      channels = description.info.channels
      self.path = path
    }

    mutating func add(
      _ message: MCAPMessage, _ topic: Topic, _ statistics: inout RecordingStatistics
    ) {
      let place = SensorError.Place(file: path)
      guard let item = try? decoder.decode(topic.kind, message.body, at: place) else {
        return statistics.count(.malformed, at: place)
      }
      switch item {
      case .sample(let sample, _):
        if qualities[topic.device] == nil {
          devices.append(topic.device)
          qualities[topic.device] = RecordingQuality(channels: channels)
        }
        qualities[topic.device]?.update(sample)
      case .event(let event, _):
        events[topic.name, default: 0] += 1
        statistics.count(lostIn: event, at: place)
      }
    }
  }

  private func report(of pass: Pass) -> InfoReport {
    let statistics = reader.statistics
    var options = RecordingOptions()
    options.damage = .skip
    // Several devices cannot be opened as one recording, and have no one gravity to be compared with.
    let recording = try? Recording.open(path: path, options: options)
    let warnings = recording?.warnings ?? []
    var info = description.info
    info.name =
      description.deviceModel ?? (description.isSimulated ? "a simulated device" : "not named")
    info.origin = description.isSimulated ? .simulation : .recording
    let qualities = pass.devices.sorted().map {
      (device: $0, quality: pass.qualities[$0] ?? RecordingQuality())
    }
    var report = InfoReport(
      file: path, format: "MCAP", info: info, qualities: qualities, statistics: statistics,
      isOdd: !warnings.isEmpty,
      description: description)
    report.placement = recording?.placement.map { "\($0)" }
    report.events = pass.events.isEmpty ? nil : pass.events
    report.otherTopics = pass.others.isEmpty ? nil : pass.others
    report.compression = reader.index.compressions.map { $0.isEmpty ? "none" : $0 }.joined(
      separator: " and ")
    report.isFinished = reader.index.isFinished
    report.warnings = warnings.isEmpty ? nil : warnings
    report.gravityDifference = recording?.degreesOfGravity
    report.calibrated = reader.index.attachments.contains { $0.name == MCAPWriter.calibrationName }
    return report
  }
}
