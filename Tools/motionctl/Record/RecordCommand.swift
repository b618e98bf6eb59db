// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl record`: everything that a source says, into an MCAP file.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record a source into an MCAP file, as it comes.",
    discussion: """
      Every sensor of the source is recorded at its highest rate (or about --rate, where the source can choose), with the times of \
      the measurements and of their arrival, the reports of a connection, failures and gaps. Samples are written as the sensor gave \
      them; a calibration in force is stored beside them. Ctrl-C and any other signal end the recording properly; a second Ctrl-C, half a \
      second later or more, ends it at once. Each second what is there is written \
      to the disk: a recording that is killed, whose disk is full or whose power fails is read up to there. The file is its owner's \
      alone (mode 0600), and locked, so a second recording of the same name is refused.

      Examples:
        motionctl record -o walk.mcap
        motionctl record iio: -o walk.mcap --for 10m --compress zstd
        motionctl record simulate:handheld -o test.mcap --for 5 --with motion
        motionctl record -o day.mcap --rotate-every 10m
        MOTION_HEADPHONES=simulate:headphones motionctl record --headphones -o head.mcap --for 5
      """)

  @OptionGroup var input: SourceOptions

  @Option(name: [.short, .long], help: "The file to write, such as walk.mcap.")
  var output: String

  @OptionGroup var role: HeadphonesFlag

  @OptionGroup var rate: RateOption
  @OptionGroup var file: FileOptions
  @OptionGroup var companions: CompanionOptions
  @OptionGroup var frame: FrameOptions

  @Option(help: ArgumentHelp("Begin a new file after this much sample time: 10m, 1h.", valueName: "time"))
  var rotateEvery: Seconds?

  func validate() throws {
    guard output.lowercased().hasSuffix(".mcap") else {
      throw ValidationError(
        "A recording is an MCAP file: end its name with .mcap (motionctl convert makes other formats of it).")
    }
    if let rotateEvery, rotateEvery.duration < .seconds(1) {
      throw ValidationError("--rotate-every must be at least one second.")
    }
  }

  func run() throws {
    let selection =
      try role.isOn && input.source == nil
      ? SourceSelection.openHeadphones(nil) : SourceSelection.openSensors(input.source)
    var job = RecordJob(output: output)
    (job.isHeadphones, job.limit, job.interval) = (
      role.isOn, input.range.limit?.duration, (rate.rate ?? .fastest).duration
    )
    (job.mcap, job.force) = (companions.choices(file), file.force)
    (job.frame, job.location) = (frame.frame ?? .arbitrary, frame.location)
    job.rotation = rotateEvery?.duration
    let run = try RecordRun(job, selection)
    StandardError.shared.say(selection.headline)
    try run.record()
  }
}
