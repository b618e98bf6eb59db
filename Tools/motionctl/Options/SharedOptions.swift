// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionRecording
import MotionTools

/// The frame of motion that is computed, and the place that true north needs.
struct FrameOptions: ParsableArguments {
  @Option(help: help("The frame that attitudes are measured against, short or in full."))
  var frame: ReferenceFrame?

  /// The same for every command that computes motion, behind a sentence of its own.
  static func help(_ sentence: String, standard: String = "arbitrary") -> ArgumentHelp {
    ArgumentHelp(
      sentence,
      discussion:
        "All have z up. All but arbitrary need a magnetometer; true also needs a location. Default: \(standard).",
      valueName: "frame")
  }

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

/// Whether motion is smoothed.
struct SmoothOption: ParsableArguments {
  @Flag(
    name: .customLong("smooth"),
    help: """
      Recordings: look back, too: each row knows of what comes up to a minute or more after it. More accurate, above all in the first \
      minutes and in heading; needs some times the processor time.
      """)
  var isOn = false
}

/// The text of a command for programs.
struct JSONOption: ParsableArguments {
  @Flag(name: .customLong("json"), help: "JSON in place of text: one value, or an object a line for each recording.")
  var isOn = false

  /// Prints a value as it was asked for.
  func print(_ value: some Encodable, isIndented: Bool = false, or lines: @autoclosure () -> [String]) throws {
    guard isOn else { return try OutputFile.standardOutput.print(lines()) }
    try OutputFile.standardOutput.write(JSONLine.bytes(value, isIndented: isIndented))
  }

  /// Refuses the name of a file of JSON that promises another kind.
  static func checkFile(_ path: String) throws {
    guard path.lowercased().hasSuffix(".json") || OutputFile.isStream(path) else {
      throw ValidationError("“\(path)” is written as JSON: end its name with .json.")
    }
  }
}

/// How often samples come.
struct RateOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "At most this many samples a second, or max for all of them (default: max; of stream and replay 100).",
      valueName: "hertz"))
  var rate: SampleRate?
}

/// How samples are written.
struct FormatOption: ParsableArguments {
  @Option(
    help:
      "csv or ndjson for programs (Core Motion's units), table for people (degrees; not of fuse). Default: table; of fuse csv, or by the name of the output."
  )
  var format: SampleFormat?
}

/// Who may connect to a server.
struct ListenOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Let other computers connect (browsers to the page, programs to the Foxglove server), at this address of this one; 0.0.0.0 = all. Default: this computer only.",
      valueName: "address"))
  var listen: String?
}

/// A picture beside the text of a command.
struct PictureOption: ParsableArguments {
  @Option(name: [.short, .long], help: "A picture to write besides; its name ends with .svg.")
  var output: String?

  func validate() throws {
    if let output { try Self.check(output) }
  }

  /// Refuses a name that is no picture's.
  static func check(_ path: String) throws {
    guard path.lowercased().hasSuffix(".svg") else {
      throw ValidationError("“\(path)” is no SVG: end it with .svg (rsvg-convert in.svg -o out.png makes a PNG of it).")
    }
  }
}

/// A file that is written.
struct FileOptions: ParsableArguments {
  @Option(
    help: "MCAP: compress its chunks; zstd and lz4 need the system's library (default: as an input of MCAP, else none)."
  )
  var compress: MCAPCompression?

  @Flag(help: "Write over what is there.")
  var force = false
}

/// What an MCAP file holds for other programs.
struct CompanionOptions: ParsableArguments {
  @Option(
    help:
      "Besides: motion (computed from the sensors); in MCAP ros2 (the same samples as ROS 2 messages), foxglove (the motion as transforms). May be repeated."
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
