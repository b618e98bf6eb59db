// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HeadphoneSources
import LinuxSources
import MotionAnalysis
import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl headphones calibrate`: how the headphones sit on the head, by a look ahead and a nod.
struct HeadphonesCalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Measure how the headphones sit on your head.",
    discussion: """
      A bud lies askew in the ear. Without a calibration yaw is right, and pitch and roll are about right; with one all three are. \
      It takes half a minute (after 180 seconds of sample time, or --for, it gives up): look straight ahead, lower your chin, twice, then turn to the left and to the right. Each \
      prompt comes with a bell. The result is kept for this pair and this side, and used from then on; the other bud wants a \
      calibration of its own.

      Head trackers speak for the head by themselves and need none.

      Examples:
        motionctl headphones calibrate
        motionctl headphones calibrate airpods:AA:BB:CC:DD:EE:FF --raise-chin
        motionctl headphones calibrate replay:bud-axes/ --output mount.json
      """)

  @OptionGroup var input: HeadphoneArgument
  @OptionGroup var range: LimitOption

  @Option(help: "Nods to average, 1 or 2.")
  var nods = 2

  @Flag(help: "Ask for a raised chin as well, which makes it more exact.")
  var raiseChin = false

  @Flag(inversion: .prefixedNo, help: "Check the result by a turn to the left and to the right.")
  var turn = true

  @OptionGroup var file: CalibrationFileOption

  func validate() throws {
    guard (1...2).contains(nods) else { throw ValidationError("--nods takes 1 or 2.") }
  }

  func run() throws {
    let headphones = try HeadphoneSelection.open(input.source, asBud: true)
    if headphones.selection.entry.uri.scheme == "headtracker" {
      throw CommandFailure("Head trackers speak for the head by themselves: there is nothing to calibrate.")
    }
    guard headphones.selection.info.kinds.contains(.motion) else {
      throw CommandFailure("“\(headphones.selection.name)” has no attitude of its own: there is nothing to calibrate.")
    }
    // Before the wearer has nodded, not after.
    let folder = try HostEnvironment(ProcessInfo.processInfo.environment).calibrations().map {
      HeadMountFolder(calibrations: $0.path)
    }
    guard file.output != nil || (headphones.selection.info.origin == .hardware && folder != nil) else {
      throw CommandFailure(
        "“\(headphones.selection.name)” are no headphones that can be recognised the next day: name a file with --output."
      )
    }
    StandardError.shared.say(headphones.selection.headline)
    var parameters = LookAndNodCalibrator.Parameters()
    parameters.nods = nods
    parameters.asksToRaise = raiseChin
    parameters.checksTurn = turn
    let run = HeadMountRun(headphones, parameters: parameters, limit: range.limit?.value ?? 180)
    let measured = try run.measure(.endedBySignals())
    let path: String
    if let output = file.output {
      path = output
    } else if let folder, let address = headphones.status?.address {
      path = folder.file(address: address, side: measured.side)
    } else {
      throw CommandFailure("The headphones have no address to keep the result under: name a file with --output.")
    }
    let result = measured.result
    try HeadMountFile(
      mount: result.mount, side: measured.side, date: Date(), model: headphones.status?.model,
      disagreement: result.disagreement, tiltWhileTurning: result.tiltWhileTurning
    ).write(to: path)
    try OutputFile.standardOutput.print(
      ["\(measured.side.words ?? "headphones"): \(Self.figures(result))", "written to \(path)"])
    StandardError.shared.say(
      file.output == nil
        ? "It is used whenever this side of these headphones is active."
        : "It is used by an address with the option mount=\(path).")
  }

  /// "nod 24.1°, head still within 0.3°, nods agree within 1.2°, tilt while turning 2.0°".
  private static func figures(_ result: LookAndNodCalibrator.Result) -> String {
    func degrees(_ radians: Double) -> String { "\(String(format: "%.1f", Angle(radians: radians).degrees))°" }
    var words: [String] = []
    if let nod = result.mount.nodAngle { words.append("nod \(degrees(nod))") }
    if let spread = result.mount.spread { words.append("head still within \(degrees(spread))") }
    if let disagreement = result.disagreement { words.append("nods agree within \(degrees(disagreement))") }
    if let tilt = result.tiltWhileTurning { words.append("tilt while turning \(degrees(tilt))") }
    if result.repeats > 0 { words.append("repeated \(Text.count(result.repeats, "time"))") }
    return words.joined(separator: ", ")
  }
}
