// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing
import MotionTools

/// `motionctl fuse`: a recording in, a row of device motion per gyroscope sample out.
struct FuseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuse", abstract: "Compute device motion from a recording: one row per gyroscope sample.",
    discussion: """
      Attitude, rotation rate without bias, gravity, user acceleration, magnetic field and heading, in Core Motion's units \
      and signs, with the same numbers as CMMotionManager gives. Everything is computed from the raw sensors unless \
      --motion recorded asks for what the phone itself had computed.

      Examples:
        motionctl fuse recording/ -o motion.csv
        motionctl fuse walk.csv --frame magnetic | head
        motionctl fuse walk.csv --frame magnetic --smooth -o walk.motion.csv
        motionctl fuse log.csv --map 't=Time[ms] ax=AccX[g] ay=AccY az=AccZ gx=GyrX[deg/s] gy=GyrY gz=GyrZ' --sign reaction
        motionctl fuse walk.zip --format ndjson --skip-errors -o walk.ndjson
        motionctl fuse recording/ --frame true --location 48.14,11.58 -o motion.csv
        for walk in day1/*.csv; do motionctl fuse "$walk" -o "${walk%.csv}.motion.csv"; done
        motionctl fuse 'simulate:handheld?seed=7' --for 60 -o motion.csv
        motionctl fuse monday/ --learn phone.json -o monday.csv
        motionctl fuse tuesday/ --learned phone.json --learn phone.json -o tuesday.csv
      """)

  @OptionGroup var input: SourceOptions

  @Option(name: [.short, .long], help: "The file to write; it appears when it is whole (default: standard output).")
  var output: String?

  @OptionGroup var frame: FrameOptions

  @OptionGroup var smooth: SmoothOption
  @OptionGroup var rows: FormatOption

  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  @Option(
    help: ArgumentHelp(
      "Begin with what an earlier run learned about the same device's sensors (--learn), if the file is there.",
      valueName: "file"))
  var learned: String?

  @Option(
    help: ArgumentHelp(
      "Write what this and earlier runs have learned about the sensors, once all of the source has been read.",
      valueName: "file"))
  var learn: String?

  func validate() throws {
    if rows.format == .table { throw ValidationError("--format takes csv or ndjson.") }
    if smooth.isOn, reading.play.motion == .recorded {
      throw ValidationError("--smooth computes: leave --motion recorded out.")
    }
    if smooth.isOn, learn != nil || learned != nil {
      throw ValidationError(
        "--smooth finds the errors of the sensors in the recording itself: leave --learn and --learned out.")
    }
    do { _ = try job.rowFormat(of: output) } catch { throw ValidationError("\(error)") }
    guard let learn else { return }
    try JSONOption.checkFile(learn)
    if input.range.limit != nil {
      throw ValidationError("--learn needs all of a source: leave --for out, or give the address a duration.")
    }
    if let output, learn == output || FileIdentity(path: learn).map({ $0 == FileIdentity(path: output) }) ?? false {
      throw ValidationError("--learn and --output name the same file: give one of them another name.")
    }
  }

  func run() throws { try job.fuse(input.source, to: output) }

  private var job: FuseJob {
    var job = FuseJob()
    (job.frame, job.location, job.smooths, job.limit) = (frame.frame, frame.location, smooth.isOn, input.range.limit)
    job.format = rows.format
    job.reading = reading.choices
    (job.learned, job.learn) = (learned, learn)
    return job
  }
}
