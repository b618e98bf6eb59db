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
        motionctl day --manifest list.txt --shard 3/64 -o days

      A manifest names one recording a line, relative to its own folder, and behind a tab perhaps the name of the output. Each becomes \
      a file of rows in the folder of -o, week.cwa a week.days.csv. Of --shard 3/64 every 64th line is worked on, from the third on. \
      A recording that fails does not stop the others; what stands in the folder already is finished and skipped. \
      summary-3-of-64.csv there tells what became of each.
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

  @Option(help: ArgumentHelp("A list of recordings, one a line; --output is then a folder.", valueName: "list"))
  var manifest: String?

  @Option(help: ArgumentHelp("With --manifest: the K-th of N parts of the list.", valueName: "K/N"))
  var shard: Shard?

  func validate() throws {
    if shard != nil, manifest == nil { throw ValidationError("--shard is a part of a list: --manifest.") }
    guard manifest == nil else {
      if input.source != nil {
        throw ValidationError("Name recordings either in the list of --manifest or as an argument.")
      }
      if output == nil { throw ValidationError("--manifest needs a folder: --output.") }
      if options.json.isOn { throw ValidationError("--json is for one recording: end names in the list with .json.") }
      return
    }
    guard let output, !PictureFile.isPicture(output), DayFile.Format(path: output) == nil else { return }
    throw ValidationError(
      "“\(output)” names no kind of file: end it with .csv, .json, .ndjson or .parquet for rows of days, .png or .svg for a picture."
    )
  }

  func run() throws {
    if let manifest, let output { return try run(manifest, into: output) }
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

  private func run(_ list: String, into folder: String) throws {
    var batch = DayBatch()
    (batch.reading, batch.parameters) = (options.reading.choices(), try options.parameters())
    (batch.placement, batch.calibration, batch.limit) = (options.placement?.value, calibration, options.range.limit)
    let manifest = try Manifest(list, shard: shard ?? .all, folder: folder, ending: DayBatch.ending) {
      _ = try DayBatch.format(of: $0)
    }
    try manifest.run(batch.run)
  }
}

extension CalibrationChoice: ExpressibleByArgument {}
