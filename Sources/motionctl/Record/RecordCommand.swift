// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing

/// `motionctl record`: everything that a source says, into an MCAP file.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record a source into an MCAP file, as it comes.",
    discussion: """
      Every sensor of the source is recorded at its highest rate (or about --rate, where the source can choose), with the times of \
      the measurements and of their arrival, the reports of a connection, failures and gaps. Samples are written as the sensor gave \
      them; a calibration in force is stored beside them. Ctrl-C ends the recording properly. What is written is on its way to the \
      disk after a second at most: a recording that is killed, or whose disk is full, is read up to there.

      Examples:
        motionctl record -o walk.mcap
        motionctl record iio: -o walk.mcap --for 10m --compress zstd
        motionctl record simulate:handheld -o test.mcap --for 5 --with motion
        motionctl record -o day.mcap --rotate-every 10m
        MOTION_HEADPHONES=simulate:headphones motionctl record --headphones -o head.mcap --for 5
      """)

  @Argument(help: "The address of a source (default: MOTION_SOURCE, else the sensors of this computer).")
  var source: String?

  @Option(name: [.short, .long], help: "The file to write, such as walk.mcap.")
  var output: String

  @Flag(help: "Record the headphones (default source: MOTION_HEADPHONES, else those of this computer).")
  var headphones = false

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Stop after this much sample time: 90, 10m, 1h.", valueName: "time"))
  var limit: TimeSpan?

  @Option(help: ArgumentHelp("Wanted samples per second, or max for what the source can.", valueName: "hertz"))
  var rate: SampleRate = .fastest

  @Option(help: "zstd and lz4 need the system's library of that name.")
  var compress: RecordingCompression = .none

  @Option(
    help:
      "Besides: motion (the device motion computed from the sensors), ros2 (the same samples as ROS 2 messages), foxglove (the motion as transforms). May be repeated."
  )
  var with: [RecordingCompanion] = []

  @Option(help: "ros2 writes ROS 2 messages alone, as the bag of another recorder.")
  var profile: RecordingProfile?

  @Option(help: ReferenceFrame.help)
  var frame: ReferenceFrame = .arbitrary

  @Option(help: LocationArgument.help)
  var location: LocationArgument?

  @Option(help: ArgumentHelp("Begin a new file when this size is reached: 100MB, 1GB.", valueName: "size"))
  var rotateSize: ByteSize?

  @Option(help: ArgumentHelp("Begin a new file after this much sample time: 10m, 1h.", valueName: "time"))
  var rotateEvery: TimeSpan?

  @Flag(help: "Write over files that are there.")
  var force = false

  func validate() throws {
    guard output.lowercased().hasSuffix(".mcap") else {
      throw ValidationError(
        "A recording is an MCAP file: end its name with .mcap (motionctl convert makes other formats of it).")
    }
    try RecordingViews.check(with, profile)
    if let limit, limit.duration <= .zero { throw ValidationError("--for must be above 0.") }
    if let rotateEvery, rotateEvery.duration < .seconds(1) {
      throw ValidationError("--rotate-every must be at least one second.")
    }
    if let rotateSize, rotateSize.bytes < 10_000 { throw ValidationError("--rotate-size must be at least 10kB.") }
  }

  func run() throws {
    let selection = try RecordSource.open(source, isHeadphones: headphones)
    let run = try RecordRun(self, selection)
    StandardError.shared.say(selection.headline)
    try run.record()
  }
}

/// The source of a recording: named, by the environment, or found.
enum RecordSource {
  static func open(_ name: String?, isHeadphones: Bool) throws -> SourceSelection {
    if let name { return try SourceSelection.open(name) }
    if isHeadphones { return try HeadphoneSelection.open(nil).selection }
    let environment = ProcessInfo.processInfo.environment
    if environment["MOTION_SOURCE", default: ""].isEmpty, let found = try SourceSelection.ofThisComputer() {
      return found
    }
    return try SourceSelection.open(nil)
  }
}
