// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionRecording

/// What is written beside a recording's own streams.
enum RecordingCompanion: String, CaseIterable, ExpressibleByArgument { case motion, ros2, foxglove }

/// An agreed use of MCAP, whose messages are written instead of our own topics.
enum RecordingProfile: String, CaseIterable, ExpressibleByArgument { case ros2 }

/// How the chunks of an MCAP file are packed.
enum RecordingCompression: String, CaseIterable, ExpressibleByArgument {
  case none, zstd, lz4

  var value: MCAPCompression { MCAPCompression(rawValue: rawValue) ?? .none }
}

/// The same samples in the message types of other programs, for a new MCAP file.
enum RecordingViews {
  static func make(
    _ companions: [RecordingCompanion], _ profile: RecordingProfile?, _ description: RecordingDescription
  ) -> [any TopicView] {
    var views: [any TopicView] = []
    if companions.contains(.ros2) || profile == .ros2 { views.append(ROS2Views(description)) }
    if companions.contains(.foxglove) { views.append(FoxgloveViews(description)) }
    return views
  }

  /// Refuses what would be written twice, or against the profile.
  static func check(_ companions: [RecordingCompanion], _ profile: RecordingProfile?) throws {
    guard profile == .ros2, companions.contains(where: { $0 != .motion }) else { return }
    throw ValidationError(
      "--profile ros2 writes ROS 2 messages alone: beside it there is only --with motion, for their orientation.")
  }
}
