// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl altitude`: relative height, climb, descent and floors, live or from a recording.
struct AltitudeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "altitude", abstract: "Print relative and absolute height, climb, descent and floors; draw them.",
    discussion: """
      The source must measure the pressure of air. A recording is read at full speed. One line a second goes to standard \
      output, the summary to standard error. Weather moves the height by up to metres an hour.

      Examples:
        motionctl altitude simulate:stairs --for 60
        motionctl altitude walk.zip --height 520
        motionctl altitude 'simulate:stairs?speed=max' --for 140 -o stairs.svg
      """)

  @OptionGroup var input: SourceArgument

  @Option(
    help: ArgumentHelp(
      "Height above the sea at the start, with its accuracy if known (default: MOTION_HEIGHT).",
      valueName: "metres[,metres]"))
  var height: String?

  @Option(
    help: ArgumentHelp(
      "Pressure reduced to sea level (default: MOTION_SEA_LEVEL_PRESSURE).", valueName: "hectopascal"))
  var seaLevelPressure: String?

  @OptionGroup var range: LimitOption
  @OptionGroup var drawing: PictureOption

  func run() throws {
    let selection = try SourceSelection.open(input.source)
    let run = try PressureRun(
      selection, stream: .airPressure, limit: range.limit, needsEnd: drawing.output != nil,
      variables: ["MOTION_HEIGHT": height, "MOTION_SEA_LEVEL_PRESSURE": seaLevelPressure])
    StandardError.shared.say(selection.headline)
    var parameters = AltitudeEstimator.Parameters()
    parameters.reference = run.policy.altitudeReference
    let log = Lock(AltitudeLog(parameters))
    let out = OutputFile.standardOutput
    try PictureFile.drawing(drawing.output, readingFrom: selection.recordingPath) { picture in
      try out.write(Array(AltitudeLog.header.utf8))
      let (outcome, statistics) = try run { sample, elapsed in
        if let line = log.withLock({ $0.append(sample, elapsed) }) { try out.write(Array(line.utf8)) }
      }
      let (summary, chart) = log.withLock { ($0.summary, $0.chart(title: selection.info.name)) }
      if case .done = outcome { try picture?.write(chart) } else { picture?.discard() }
      var lines = [summary]
      if parameters.reference == nil {
        lines.append("above the sea: no reference, so the weather decides; give --height or --sea-level-pressure")
      }
      try selection.finish(outcome, statistics, summary: lines)
    }
  }
}
