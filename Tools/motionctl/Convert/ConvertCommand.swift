// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionTools

/// `motionctl convert`: a recording in one format in, the same recording in another out.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Write a recording in another format.",
    discussion: """
      The format follows from the name of the output: .mcap (the canonical recording), .ndjson, or .csv: a table a \
      topic, out.sensor.gyroscope.csv …, and out.columns.csv with the units. The output appears when it is whole; what is there \
      already stays unless --force is given.

      --with motion puts the computed motion beside the raw samples. An MCAP file can hold the same samples for other programs: \
      --with ros2, and --with foxglove for its 3D panel, which needs attitudes: they are computed where the recording has none.

      Examples:
        motionctl convert walk.zip walk.mcap
        motionctl convert walk.mcap walk.csv
        motionctl convert walk.csv walk.mcap --with ros2 --with foxglove
        motionctl convert walk.mcap bag.mcap --profile ros2 --with motion
        motionctl convert walk.csv - --to ndjson | head
      """)

  @Argument(
    help:
      "A recording (file, folder or address), then the file to write; - is standard input (of a file, <) and output.")
  var paths: [String]

  @Option(help: "The format to write (default: by the name of the output).")
  var to: ConvertFormat?

  @Option(
    help: ArgumentHelp("The format to read (default: by content).", valueName: "format"),
    transform: { name in
      let readable = RecordingFormat.readable
      guard let format = readable.first(where: { $0.rawValue == name }) else {
        throw ValidationError("--from takes one of \(readable.map(\.rawValue).joined(separator: ", ")).")
      }
      return format
    })
  var from: RecordingFormat?

  @OptionGroup var frame: FrameOptions

  @OptionGroup var file: FileOptions
  @OptionGroup var companions: CompanionOptions

  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  func validate() throws {
    guard paths.count == 2, let output = paths.last else {
      throw ValidationError("Name one recording and the file to write.")
    }
    guard let format = to ?? ConvertFormat(path: output) else {
      throw ValidationError(
        "The name \(output) does not say the format: end it with \(ConvertFormat.endings.map(\.text).joined(separator: ", ")), or say --to mcap, ndjson or tidy."
      )
    }
    if file.compress != nil, format != .mcap { throw ValidationError("--compress is for MCAP.") }
    if companions.with.contains(where: { $0 != .motion }) || companions.profile != nil, format != .mcap {
      throw ValidationError("--with ros2, --with foxglove and --profile are for MCAP.")
    }
    if format == .tidy, output == "-" {
      throw ValidationError("Tidy CSV is several files: name one to begin their names with.")
    }
  }

  func run() throws {
    // As `validate()` has found it.
    var job = ConvertJob(format: to ?? ConvertFormat(path: paths.last ?? "") ?? .ndjson)
    (job.force, job.mcap) = (file.force, companions.choices(file))
    (job.frame, job.location) = (frame.frame, frame.location)
    job.reading = reading.choices
    job.reading.format = from
    try ConvertRun(job, input: paths[0], output: paths[1]).run()
  }
}
