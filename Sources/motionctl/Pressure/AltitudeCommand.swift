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
  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  @OptionGroup var drawing: PictureOption

  func run() throws {
    let selection = try SourceSelection.open(input.source, reading: reading.choices())
    let run = try PressureRun(
      selection, stream: .airPressure, limit: range.limit, needsEnd: drawing.output != nil,
      variables: ["MOTION_HEIGHT": height, "MOTION_SEA_LEVEL_PRESSURE": seaLevelPressure])
    var parameters = AltitudeEstimator.Parameters()
    parameters.reference = run.policy.altitudeReference
    try run.print(AltitudeLog(parameters), picture: drawing.output)
  }
}
