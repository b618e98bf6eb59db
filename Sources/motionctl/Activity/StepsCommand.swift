// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl steps`: the steps in recordings.
struct StepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps", abstract: "Count steps: cadence, distance, active time, floors, pauses; draw them.",
    discussion: """
      Recordings of an accelerometer of 12 Hz or more, on the body, the wrist or the head; a barometer adds floors. They are read at \
      full speed. A line for each goes to standard output, and to standard error what was missing or left out. Distance follows from \
      height, cadence and how strongly the body goes up and down; “26 (19–36)” = 26 m, and 19 to 36 m in 95 of 100 cases. Short steps \
      indoors are the least certain; --height narrows it. --json has cadence in steps per \
      second, and distance, distanceLow, distanceHigh in metres.

      Examples:
        motionctl steps walk.csv
        motionctl steps morning.mcap evening.mcap --height 1.82 --json
        motionctl steps watch.csv --placement wrist -o steps.png
        motionctl steps simulate:walk --for 60
      """)

  @OptionGroup var input: SourcesArgument

  @OptionGroup var options: ActivityOptions
  @OptionGroup var drawing: PictureOption

  func validate() throws { try drawing.check(sources: input.sources) }

  func run() throws {
    let out = OutputFile.standardOutput
    var head = [StepsReport.header]
    try Inputs.forEach(input.names) { name in
      try options.measure(name, drawing: drawing.output) { selection, result in
        let tally = result.tally
        var report = StepsReport(file: selection.name, tally: tally)
        report.truth = selection.trueSteps(tally)
        if options.json.isOn { try out.write(JSONLine.bytes(report)) } else { try out.print(head + [report.line]) }
        head = []
        if let truth = report.truth {
          StandardError.shared.say("  a simulation: it has taken \(Text.count(truth, "step"))")
        }
        return report.sentence
      }
    }
  }
}
