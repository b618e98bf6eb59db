// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl day`: a long recording in figures, hour by hour.
struct DayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day",
    abstract: "Sum up a long recording: steps, floors, distance, minutes of each activity, by hour.",
    discussion: """
      A recording as for motionctl steps, of a day or of any length; it is read once, in a few megabytes of memory. Each figure has a \
      range: the error that was measured on recordings with truth, or a chosen one where there are none; the documentation \
      (Steps) says which. Hours are local where the recording has dates, else counted from its first sample. Hours without \
      samples are said, and they count as nothing.

      Examples:
        motionctl day yesterday.mcap
        motionctl day watch.csv --placement wrist --height 1.65 -o day.png
        motionctl day yesterday.mcap --json
      """)

  @OptionGroup var input: SourceArgument

  @OptionGroup var options: ActivityOptions

  func run() throws {
    try options.measure(input.source) { selection, tally in
      let placement = try options.parameters(for: selection.info).placement
      let report = DayReport(file: selection.name, tally: tally, placement: placement)
      let out = OutputFile.standardOutput
      if options.json.isOn { try out.write(JSONLine.bytes(report)) } else { try out.print(report.lines(tally)) }
      return StepsReport(file: "", tally: tally).sentence
    }
  }
}
