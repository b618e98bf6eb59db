// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl depth`: submersion, depth and water temperature, live or from a log.
struct DepthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "depth", abstract: "Print depth, water temperature and submersion; draw the dive.",
    discussion: """
      The source must measure the pressure of water. A recording is read at full speed. Lines go to standard output, one a \
      second at most; changes of submersion, warnings near the maximum depth and the summary go to standard error.

      Examples:
        motionctl depth simulate:dive --for 60
        motionctl depth dive.csv --map 't=t_s[s] pw=abs_pressure_Pa[Pa] temp=temperature_C[degC]' --surface-pressure 1021.7
        motionctl depth 'simulate:dive?depth=20&speed=max' --for 400 -o dive.svg
      """)

  @OptionGroup var input: SourceOptions

  @Option(
    help: "fresh, en13319, salt, or kg/m³ (default: MOTION_WATER, else what the source says, else en13319).",
    transform: { try HostEnvironment.waterDensity($0, of: "--water") })
  var water: WaterDensity?

  @Option(
    help: ArgumentHelp(
      "The air's pressure, for a log that starts under water (default: what the log says).", valueName: "hectopascal"),
    transform: { try HostEnvironment.pascal($0, of: "--surface-pressure") })
  var surfacePressure: Double?

  @Option(
    help: ArgumentHelp(
      "Where depth ends, with a warning before it; none = nowhere (default: 40; none for a recording).",
      valueName: "metres|none"))
  var maxDepth: String?

  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  @OptionGroup var drawing: PictureOption

  /// A recording is looked at afterwards, by its owner, and shown whole; in the water the limit of the API holds, and
  /// its warning helps.
  private func maximum(of info: SensorInfo) -> Double? {
    guard let maxDepth else { return info.origin == .recording ? nil : 40 }
    return Double(maxDepth)
  }

  func validate() throws {
    if let maxDepth, maxDepth != "none" {
      guard let maximum = Double(maxDepth), (2...1000).contains(maximum) else {
        throw ValidationError("--max-depth takes metres from 2 to 1000, or none.")
      }
    }
  }

  func run() throws {
    let selection = try SourceSelection.open(input.source, reading.choices)
    let policy = try HostEnvironment(ProcessInfo.processInfo.environment).pressurePolicy()
    var parameters = SubmersionEstimator.Parameters()
    let source = selection.info.water
    parameters.water =
      water ?? policy.waterDensity ?? source?.density.flatMap { WaterDensity($0) } ?? .en13319
    parameters.surfacePressure = surfacePressure ?? policy.surfacePressure ?? source?.surfacePressure
    parameters.maximumDepth = maximum(of: selection.info)
    parameters.thermometer.timeConstant = source?.thermometerTimeConstant
    try PressureRun.print(
      DiveLog(parameters), of: .waterPressure, in: selection, limit: input.range.limit, picture: drawing.output)
  }
}
