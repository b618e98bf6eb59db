// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl day`: a long recording in figures, hour by hour or day by day.
struct DayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day",
    abstract: "Sum up a day or a week: steps, distance, activities, wear, ENMO; a row for each day.",
    discussion: """
      A recording as for motionctl steps, of any length, in a few megabytes of memory. Each figure has a range: the error that was \
      measured on recordings with truth, or a chosen one where there are none; the documentation (Steps, Wrist) says which. Hours and \
      days are local where the recording has dates, else counted from its first sample. What has no samples is said, and counts as \
      nothing. A recording of more than a day has a line for each day, in place of one for each hour.

      Worn and not worn, calibration on the sphere, ENMO, MAD, the five hours with most and least movement (M5, L5) and the bands of \
      cadence are GGIR's published definitions. A recording is read twice: its rest calibrates the accelerometer first (--calibration \
      off: as it is). Sleep is not estimated.

      -o writes a row for each day as .csv, .json, .ndjson or .parquet, or a picture as .png or .svg.

      Examples:
        motionctl day yesterday.mcap
        motionctl day watch.csv --placement wrist --height 1.65 -o day.png
        motionctl day week.cwa -o days.csv
        motionctl day yesterday.mcap --json
      """)

  @OptionGroup var input: SourceArgument

  @OptionGroup var options: ActivityOptions

  @Option(
    help: ArgumentHelp(
      "auto: the recording's rest corrects offset and scale where it can. off: the acceleration as it is.",
      valueName: "choice"))
  var calibration = CalibrationChoice.auto

  @Option(
    name: [.short, .long],
    help: "A file to write besides: rows of days (.csv, .json, .ndjson, .parquet) or a picture (.png, .svg).")
  var output: String?

  func validate() throws {
    guard let output, !PictureFile.isPicture(output), DayFile.Format(path: output) == nil else { return }
    throw ValidationError(
      "“\(output)” names no kind of file: end it with .csv, .json, .ndjson or .parquet for rows of days, .png or .svg for a picture."
    )
  }

  func run() throws {
    let format = output.flatMap(DayFile.Format.init(path:))
    try options.measure(
      input.source, drawing: format == nil ? output : nil, calibration: calibration,
      writing: format.flatMap { format in output.map { ($0, format) } }
    ) { selection, result in
      let placement = try options.parameters(for: selection.info).placement
      let report = DayReport(file: selection.name, tally: result.tally, placement: placement, days: result.days)
      let out = OutputFile.standardOutput
      if options.json.isOn { try out.write(JSONLine.bytes(report)) } else { try out.print(report.lines(result.tally)) }
      return StepsReport(file: "", tally: result.tally).sentence
    }
  }
}

extension CalibrationChoice: ExpressibleByArgument {}
