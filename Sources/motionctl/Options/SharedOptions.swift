// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionTools

/// The source that a command reads.
struct SourceArgument: ParsableArguments {
  @Argument(help: "The address of a source or the path of a recording (default: MOTION_SOURCE).")
  var source: String?
}

/// How much of a source is read.
struct LimitOption: ParsableArguments {
  @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this much sample time.", valueName: "seconds"))
  var limit: Seconds?
}

/// The frame of motion that is computed, and the place that true north needs.
struct FrameOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The frame that attitudes are measured against, short or in full.",
      discussion:
        "All have z up. All but arbitrary need a magnetometer; true also needs a location. Default: arbitrary.",
      valueName: "frame"))
  var frame: ReferenceFrame?

  @OptionGroup var place: LocationOption

  var location: LocationArgument? { place.location }
}

/// Where the device is.
struct LocationOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the device is, for true north: degrees, north and east positive (default: MOTION_LOCATION).",
      valueName: "latitude,longitude"))
  var location: LocationArgument?
}

/// A picture beside the text of a command.
struct PictureOption: ParsableArguments {
  @Option(name: [.short, .long], help: "A picture to write besides; its name ends with .png or .svg.")
  var output: String?

  func validate() throws {
    if let output { try Self.check(output) }
  }

  /// Refuses a name that is no picture's.
  static func check(_ path: String) throws {
    guard PictureFile.isPicture(path) else {
      throw ValidationError("“\(path)” names no kind of picture: end it with .png or .svg.")
    }
  }
}

/// A file that is written.
struct FileOptions: ParsableArguments {
  @Option(
    help: "MCAP: compress its chunks; zstd and lz4 need the system's library (default: as an input of MCAP, else none)."
  )
  var compress: RecordingCompression?

  @Flag(help: "Write over what is there.")
  var force = false
}

/// What an MCAP file holds for other programs.
struct CompanionOptions: ParsableArguments {
  @Option(
    help:
      "MCAP: besides, motion (computed from the sensors), ros2 (the same samples as ROS 2 messages), foxglove (the motion as transforms). May be repeated."
  )
  var with: [RecordingCompanion] = []

  @Option(help: "MCAP: ros2 writes ROS 2 messages alone, as the bag of another recorder.")
  var profile: RecordingProfile?

  /// Refuses what would be written twice, or against the profile.
  func validate() throws {
    guard profile == .ros2, with.contains(where: { $0 != .motion }) else { return }
    throw ValidationError(
      "--profile ros2 writes ROS 2 messages alone: beside it there is only --with motion, for their orientation.")
  }

  func choices(_ file: FileOptions) -> MCAPChoices {
    var choices = MCAPChoices()
    (choices.compression, choices.companions, choices.profile) = (file.compress, with, profile)
    return choices
  }
}

/// The file of a history.
struct StoreOption: ParsableArguments {
  @Option(help: "The file of the history (default: MOTION_STORE, else history.sqlite in the folder for states).")
  var store: String?
}
