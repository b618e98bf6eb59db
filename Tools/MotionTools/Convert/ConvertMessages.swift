// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing

/// The messages of a recording of our own as they are, for the formats that hold messages: events, results of services
/// and the times of receipt stay, and so does every byte of a message.
final class ConvertMessages {
  /// Why a message is not written.
  enum Reason: String, CaseIterable {
    /// Others than the one that was asked for.
    case device = "of other devices"
    /// Views for other programs are made again, not copied.
    case program = "on channels of other programs"
    case replaced = "of recorded motion, for which the computed stands"
  }

  private enum Source {
    case container(MCAPReader, wallOffset: SensorDuration)
    case text(NDJSONReader)
  }

  /// Which part of the recording the sensors' messages cover.
  private(set) var coverage = RecordingCoverage()
  /// Messages that are not written, by reason.
  private(set) var unwritten: [Reason: Int] = [:]
  /// Whether recorded motion is left out, because the computed is written.
  var replacesMotion = false
  /// The calibration that lies in the file.
  let calibration: [UInt8]?
  /// Whether the recording holds motion that was computed when it was made.
  let holdsMotion: Bool
  private let source: Source
  private let device: String?
  private let begin: SensorInstant?
  private let end: SensorInstant?

  /// Nil where the recording, the format or the wishes call for samples.
  init?(_ recording: Recording, _ job: ConvertJob) throws {
    guard job.format == .mcap || job.format == .ndjson, job.mcap.profile == nil else { return nil }
    let options = recording.options
    switch recording.format {
    case .mcap:
      let reader = try MCAPReader(path: recording.path, damage: options.damage, budget: recording.budget)
      let topics = reader.index.channels.values.filter { $0.messageEncoding == "json" }.compactMap {
        Topic(name: $0.topic)
      }
      guard !topics.isEmpty else { return nil }
      holdsMotion = topics.contains(where: \.kind.isMotion)
      let attachment = reader.index.attachments.first { $0.name == MCAPWriter.calibrationName }
      calibration = if let attachment { try reader.data(of: attachment) } else { nil }
      source = .container(reader, wallOffset: recording.recordedDescription?.wallOffset ?? .zero)
    case .ndjson:
      holdsMotion = try Self.findsMotion(recording.path)
      calibration = nil
      source = .text(try NDJSONReader(path: recording.path, damage: options.damage))
    default: return nil
    }
    device = options.device
    // The part that the recording's address names.
    begin = options.from > .zero ? recording.start : nil
    end = options.to.map { recording.start - options.from + $0 }
  }

  /// Whether there is motion in the first lines of a text.
  private static func findsMotion(_ path: String) throws -> Bool {
    let reader = try NDJSONReader(path: path, damage: .skip)
    for _ in 0..<20_000 {
      guard let message = try reader.next() else { return false }
      if message.topic.kind.isMotion { return true }
    }
    return false
  }

  /// What the reader left out.
  var statistics: RecordingStatistics {
    switch source {
    case .container(let reader, _): reader.statistics
    case .text(let reader): reader.statistics
    }
  }

  /// The next message of our own topics in the order of receipt; nil at the end.
  func next() throws(SensorError) -> TopicMessage? {
    while let message = try nextOfOurs() {
      if let begin, message.time < begin { continue }
      if let end, message.time >= end { continue }
      if let device, message.topic.device != device, !message.topic.device.isEmpty {
        unwritten[.device, default: 0] += 1
        continue
      }
      if replacesMotion, message.topic.kind.isMotion {
        unwritten[.replaced, default: 0] += 1
        continue
      }
      coverage.update(message.topic, at: message.time)
      return message
    }
    return nil
  }

  private func nextOfOurs() throws(SensorError) -> TopicMessage? {
    switch source {
    case .text(let reader): return try reader.next()
    case .container(let reader, let wallOffset):
      while let message = try reader.next() {
        if let message = Self.message(message, reader, wallOffset) { return message }
        unwritten[.program, default: 0] += 1
      }
      return nil
    }
  }

  /// Nil when it is not on a channel of ours.
  private static func message(
    _ message: MCAPMessage, _ reader: MCAPReader, _ wallOffset: SensorDuration
  ) -> TopicMessage? {
    guard let channel = reader.index.channels[message.channel], channel.messageEncoding == "json",
      let topic = Topic(name: channel.topic), message.body.first == UInt8(ascii: "{")
    else { return nil }
    func instant(_ unixTime: UInt64) -> SensorInstant {
      SensorInstant(nanoseconds: Int64(clamping: unixTime) &- wallOffset.nanoseconds)
    }
    // Equal times mean that the time of reception is unknown.
    return TopicMessage(
      topic: topic, time: instant(message.publishTime),
      receivedAt: message.logTime == message.publishTime ? nil : instant(message.logTime), body: Array(message.body))
  }
}

extension Topic.Kind {
  /// Device motion, which can be computed again.
  fileprivate var isMotion: Bool { self == .deviceMotion || self == .headphoneMotion }
}
