// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing

/// The messages of an MCAP recording as they are, for the formats that hold messages: events, results of services and
/// the times of receipt stay, and so does every byte of a message.
final class ConvertMessages {
  /// Messages on channels that are not of our own topics; views for other programs are made again, not copied.
  private(set) var foreign = 0
  /// Motion that the recording holds, where computed motion takes its place.
  private(set) var replacedMotion = 0
  /// Whether recorded motion is left out, because the computed is written.
  var replacesMotion = false
  /// Messages of devices other than the one that was asked for.
  private(set) var ofOtherDevices = 0
  /// The calibration that lies in the file.
  let calibration: [UInt8]?
  private let reader: MCAPReader
  private let wallOffset: Int64
  private let device: String?

  /// Nil where the recording, the format or the wishes call for samples.
  init?(_ recording: Recording, _ command: ConvertCommand) throws {
    guard recording.format == .mcap, command.format == .mcap || command.format == .ndjson, command.profile == nil else {
      return nil
    }
    let reader = try MCAPReader(path: recording.path, skipsErrors: recording.options.skipsErrors)
    guard reader.channels.values.contains(where: { $0.messageEncoding == "json" && Topic(name: $0.topic) != nil })
    else {
      return nil
    }
    self.reader = reader
    device = recording.options.device
    wallOffset = recording.recordedDescription?.wallOffset?.nanoseconds ?? 0
    let attachment = reader.attachments.first { $0.name == MCAPWriter.calibrationName }
    calibration = if let attachment { try reader.data(of: attachment) } else { nil }
  }

  /// Whether the recording holds motion that was computed when it was made.
  var holdsMotion: Bool { reader.channels.values.contains { Topic(name: $0.topic)?.kind.isMotion == true } }

  /// What the reader left out.
  var statistics: RecordingStatistics { reader.statistics }

  /// The next message of our own topics in the order of receipt; nil at the end.
  func next() throws(SensorError) -> TopicMessage? {
    while let message = try reader.next() {
      guard let channel = reader.channels[message.channel], channel.messageEncoding == "json",
        let topic = Topic(name: channel.topic), message.body.first == UInt8(ascii: "{")
      else {
        foreign += 1
        continue
      }
      if let device, topic.device != device, !topic.device.isEmpty {
        ofOtherDevices += 1
        continue
      }
      if replacesMotion, topic.kind.isMotion {
        replacedMotion += 1
        continue
      }
      // Equal times mean that nobody knew when it was received.
      return TopicMessage(
        topic: topic, time: instant(message.publishTime),
        receivedAt: message.logTime == message.publishTime ? nil : instant(message.logTime), body: Array(message.body))
    }
    return nil
  }

  private func instant(_ unixTime: UInt64) -> SensorInstant {
    SensorInstant(nanoseconds: Int64(clamping: unixTime) &- wallOffset)
  }
}

extension Topic.Kind {
  /// Device motion, which can be computed anew.
  fileprivate var isMotion: Bool { self == .deviceMotion || self == .headphoneMotion }
}
