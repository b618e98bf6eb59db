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

  @OptionGroup var input: SourceOptions

  @Option(
    help: ArgumentHelp(
      "Height above the sea at the start, with its accuracy if known (default: MOTION_HEIGHT).",
      valueName: "metres[,metres]"),
    transform: { try HostEnvironment.height($0, of: "--height") })
  var height: AltitudeReference?

  @Option(
    help: ArgumentHelp(
      "Pressure reduced to sea level (default: MOTION_SEA_LEVEL_PRESSURE).", valueName: "hectopascal"),
    transform: { try HostEnvironment.pascal($0, of: "--sea-level-pressure") })
  var seaLevelPressure: Double?

  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  @OptionGroup var drawing: PictureOption

  func validate() throws {
    if height != nil, seaLevelPressure != nil {
      throw ValidationError("--height and --sea-level-pressure say the same thing in two ways; give one of them.")
    }
  }

  func run() throws {
    let selection = try SourceSelection.open(input.source, reading.choices)
    let chosen = height ?? seaLevelPressure.map { .seaLevelPressure($0) }
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    var parameters = AltitudeEstimator.Parameters()
    parameters.reference = try chosen ?? environment.pressurePolicy().altitudeReference
    try PressureRun.print(
      AltitudeLog(parameters), of: .airPressure, in: selection, limit: input.range.limit, picture: drawing.output)
  }
}
