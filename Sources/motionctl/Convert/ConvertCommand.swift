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
      The format follows from the name of the output: .mcap (the canonical recording), .ndjson, .tum (trajectory), .gcsv (Gyroflow), \
      .sto (OpenSense); a .csv needs --to sensorlog or --to tidy (a table a topic, out.sensor.gyroscope.csv …, and \
      out.columns.csv with the units). The output appears when it is whole; what is there already stays unless --force is given.

      TUM and OpenSense hold attitudes: of raw recordings these are computed on the way, and it is said so. --fuse puts the \
      computed motion beside the raw samples in the other formats. An MCAP file can hold the same samples for other programs: \
      --with ros2, and --with foxglove for its 3D panel, which needs attitudes: they are computed where the recording has none.

      Examples:
        motionctl convert walk.zip walk.mcap
        motionctl convert walk.mcap walk.csv --to sensorlog
        motionctl convert walk.csv walk.mcap --with ros2 --with foxglove
        motionctl convert walk.mcap bag.mcap --profile ros2 --fuse
        motionctl convert walk.mcap walk.tum --frame magnetic
        motionctl convert clip.mcap clip.gcsv --video-start 12.48 --orientation xzY
        motionctl convert --segments left.csv=femur_l,right.csv=femur_r,hip.csv=pelvis gait.sto --rate 100 --frame magnetic
        motionctl convert walk.csv - --to ndjson | head
      """)

  @Argument(
    help:
      "A recording (file, folder or address), then the file to write; - is standard input (of a file, <) and output.")
  var paths: [String]

  @Option(help: "The format to write (default: by the name of the output).")
  var to: ConvertFormat?

  @Option(help: ArgumentHelp("The format to read (default: by content).", valueName: "format"))
  var from: String?

  @Flag(help: "Write the computed motion beside the raw samples.")
  var fuse = false

  @OptionGroup var frame: FrameOptions

  @Option(
    help: ArgumentHelp(
      "gcsv: the first frame of the video, in seconds from the first sample (default: 0).", valueName: "seconds"))
  var videoStart: Double?

  @Option(help: "gcsv: the log's axis that becomes each axis of the camera, lower case = negated (default: XYZ).")
  var orientation: String?

  @Option(
    help: ArgumentHelp("sto: which recording was on which body of the model.", valueName: "recording=body,…"))
  var segments: String?

  @Option(
    help: "sensorlog: the text in the column deviceID (default: opencoremotion)."
  )
  var deviceID: String?

  @OptionGroup var file: FileOptions
  @OptionGroup var companions: CompanionOptions
  @OptionGroup var origin: MotionOption

  @OptionGroup(
    title: "Recordings, and tables of no known format; of an OpenSense table --rate is its rows a second (default: 100)"
  )
  var reading: ReadingOptions

  func validate() throws {
    guard let output = paths.last, paths.count > 1 || segments != nil else {
      throw ValidationError("Name a recording and the file to write.")
    }
    guard let format = to ?? ConvertFormat(path: output) else {
      throw ValidationError(
        output.lowercased().hasSuffix(".csv")
          ? "A .csv can be --to sensorlog or --to tidy: say which."
          : "The name \(output) does not say the format: end it with \(ConvertFormat.endings.map(\.text).joined(separator: ", ")), or say --to mcap, ndjson, tum, gcsv, sto, sensorlog or tidy."
      )
    }
    if segments != nil, format != .sto { throw ValidationError("--segments is for OpenSense tables (.sto).") }
    if format == .sto {
      guard segments != nil, paths.count == 1 else {
        throw ValidationError(
          "An OpenSense table needs a body for each recording: convert --segments left.csv=femur_l,hip.csv=pelvis out.sto"
        )
      }
    } else if paths.count != 2 {
      throw ValidationError("Name one recording and the file to write.")
    }
    if format == .sto, let rate = reading.table.rate, Double(rate) == nil {
      throw ValidationError("--rate takes the rows a second of an OpenSense table.")
    }
    if videoStart != nil || orientation != nil, format != .gcsv {
      throw ValidationError("--video-start and --orientation are for Gyroflow logs (.gcsv).")
    }
    if let videoStart, !(videoStart.isFinite && abs(videoStart) < 1e8) {
      throw ValidationError("--video-start takes seconds.")
    }
    if file.compress != nil, format != .mcap { throw ValidationError("--compress is for MCAP.") }
    if !companions.with.isEmpty || companions.profile != nil, format != .mcap {
      throw ValidationError("--with and --profile are for MCAP.")
    }
    if fuse, format == .gcsv || format.needsMotion {
      throw ValidationError(
        "--fuse is for formats that hold samples and motion side by side: mcap, ndjson, tidy and sensorlog.")
    }
    if format == .tidy, output == "-" {
      throw ValidationError("Tidy CSV is several files: name one to begin their names with.")
    }
  }

  func run() throws {
    // As `validate()` has found it.
    var job = ConvertJob(format: to ?? ConvertFormat(path: paths.last ?? "") ?? .ndjson)
    (job.force, job.mcap, job.fuses) = (file.force, companions.choices(file), fuse)
    (job.frame, job.location, job.deviceID) = (frame.frame, frame.location, deviceID)
    (job.videoStart, job.orientation) = (videoStart, orientation)
    job.reading = reading.choices(motion: origin)
    job.reading.format = from
    if job.format == .sto { job.rate = job.reading.table.removeValue(forKey: "rate").flatMap(Double.init) }
    if let segments {
      try ConvertSegments(job, segments, output: paths[0]).run()
    } else {
      try ConvertRun(job, input: paths[0], output: paths[1]).run()
    }
  }
}
