// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl calibrate`: measures the errors of a device's sensors and keeps them in a file.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Measure the errors of a sensor, and correct them from then on.",
    discussion: """
      Each command says what to do with the device, shows how far it is and how good the result would be, and writes a file \
      for this very device; after 300 seconds of sample time (--for) it gives up. From then on every program reads its sensors corrected. Simulations and recordings are never \
      corrected unless their address says so: calibration=FILE; and calibration=off reads a sensor as it is.

      Begin with gyro: it takes ten seconds and helps most. The magnetism of the device the filter learns by itself.

      Examples:
        motionctl calibrate gyro
        motionctl calibrate accel iio:bmi160
        motionctl calibrate gyro 'simulate:rest?errors=phone&speed=max' --output phone.json
      """,
    subcommands: [CalibrateGyroCommand.self, CalibrateAccelCommand.self])
}

/// What the two commands have in common.
struct CalibrateArguments: ParsableArguments {
  @OptionGroup var input: SourceOptions

  @Flag(help: "Ask nothing: begin at once, and replace a better calibration.")
  var yes = false

  @Option(
    help: ArgumentHelp(
      "The file to write (default: the device's own below ~/.config/opencoremotion/calibration).", valueName: "file"))
  var output: String?

  func validate() throws { try output.map(JSONOption.checkFile) }
}

/// `motionctl calibrate gyro`: the gyroscope's bias, from ten seconds of rest.
struct CalibrateGyroCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gyro", abstract: "Measure the gyroscope's bias while the device lies still.",
    discussion: """
      Time in which the device moves does not count, and what was measured is thrown away when it turns. Switch it on some \
      minutes before: the bias changes while a chip gets warm.

      Examples:
        motionctl calibrate gyro
        motionctl calibrate gyro evdev: --yes --for 60
        motionctl calibrate gyro 'simulate:rest?bias=0.01' --output test.json
      """)

  @OptionGroup var arguments: CalibrateArguments

  func run() throws {
    let run = try CalibrationRun(arguments, needs: .gyroscope)
    let keeper = CalibrationKeeper(section: \.gyroscope, name: "gyroscope", unit: "rad/s")
    let place = try keeper.place(for: run)
    run.instruct("Put the device on something that stands still, and do not touch it.")
    let hasAccelerometer = run.selection.info.kinds.contains(.accelerometer)
    let (measured, _) = try run.collect(
      hasAccelerometer ? [.accelerometer, .gyroscope] : [.gyroscope], with: GyroscopeCalibrator(), status: Self.status
    ) { calibrator, sample in
      switch sample {
      case .accelerometer(let sample): calibrator.update(sample)
      case .gyroscope(let sample): calibrator.update(sample)
      default: break
      }
      return calibrator.isComplete
    }
    let wanted = measured.parameters.duration
    guard measured.isComplete, let result = measured.result else {
      throw CommandFailure(
        "There were only \(Text.duration(measured.progress * wanted)) of rest, not \(Text.duration(wanted)): "
          + "\(measured.verdict.rawValue). Nothing was written; lay the device down and try again.")
    }
    StandardError.shared.say("bias \(keeper.figure(result.bias)), noise \(keeper.figure(result.noise)) per sample")
    try keeper.keep(
      offset: result.bias,
      quality: .init(
        samples: result.sampleCount, duration: result.duration, standardError: result.standardError,
        errorBefore: result.bias.length, errorAfter: result.standardError), in: place, of: run)
  }

  private static func status(_ calibrator: GyroscopeCalibrator) -> String {
    let error = calibrator.result.map { ", standard error \(String(format: "%.2g", $0.standardError)) rad/s" } ?? ""
    return "\(ProgressLine.bar(calibrator.progress)) \(calibrator.verdict.rawValue)\(error)"
  }
}

/// `motionctl calibrate accel`: bias and scale of the accelerometer, from six positions or more.
struct CalibrateAccelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accel", abstract: "Measure the accelerometer's bias and scale in six positions.",
    discussion: """
      Lay the device on each of its six sides and let it lie for a second; the order does not matter, and it need not be \
      exactly level. With --positions 12 or more, six further ones between the sides, such as on its edges, show how the axes lean \
      towards each other.

      Examples:
        motionctl calibrate accel
        motionctl calibrate accel iio: --positions 18
        motionctl calibrate accel simulate:sixSides?errors=controller --output test.json
      """)

  @OptionGroup var arguments: CalibrateArguments

  @Option(help: "Positions: 6, or 12 to 40.")
  var positions = 6

  func validate() throws {
    guard positions == 6 || (12...40).contains(positions) else {
      throw ValidationError("--positions takes 6, or 12 to 40.")
    }
  }

  func run() throws {
    let run = try CalibrationRun(arguments, needs: .accelerometer)
    let keeper = CalibrationKeeper(section: \.accelerometer, name: "accelerometer", unit: "m/s²")
    let place = try keeper.place(for: run)
    run.instruct(
      "Lay the device on each of its six sides, against something where it does not stand by itself, and let it lie.",
      "First: \(DevicePose.faceUp.words).")
    var parameters = AccelerometerCalibrator.Parameters()
    parameters.positions = positions
    let wanted = positions
    let (measured, seconds) = try run.collect(
      [.accelerometer], with: AccelerometerCalibrator(parameters: parameters),
      status: {
        let share = Double($0.positionCount) / Double(wanted)
        return "\(ProgressLine.bar(share)) \($0.positionCount) of \(wanted) positions. \(Self.next($0))"
      },
      process: { calibrator, sample in
        guard case .accelerometer(let sample) = sample else { return false }
        if let event = calibrator.update(sample) { StandardError.shared.say(Self.words(event, calibrator)) }
        return calibrator.isComplete
      })
    guard measured.isComplete else {
      throw CommandFailure(
        "There are \(measured.positionCount) of \(positions) positions. \(Self.next(measured)) Nothing was written.")
    }
    guard let result = measured.result else {
      throw CommandFailure("The positions contradict each other; nothing was written. Try again on something firm.")
    }
    StandardError.shared.say("bias \(keeper.figure(result.bias))")
    // Six positions fit exactly; what is left is then what is not known.
    let errorAfter = max(result.errorAfter, positions == 6 ? result.standardError : 0)
    try keeper.keep(
      offset: result.bias, matrix: result.matrix,
      quality: .init(
        samples: measured.positionCount, duration: seconds, standardError: result.standardError,
        errorBefore: result.errorBefore, errorAfter: errorAfter), in: place, of: run)
  }

  /// What to do next, as a sentence.
  private static func next(_ calibrator: AccelerometerCalibrator) -> String {
    if let pose = calibrator.missing.first { return "Next: \(pose.words)." }
    return calibrator.isComplete ? "That is all." : "Next: any other position, such as on an edge."
  }

  private static func words(_ event: AccelerometerCalibrator.Event, _ calibrator: AccelerometerCalibrator) -> String {
    let reason =
      switch event {
      case .taken(let pose): "Got it\(pose.map { ": \($0.words)" } ?? "")."
      case .duplicate: "This position is already there."
      case .leaning: "It leans between two sides."
      case .implausible(let length):
        "It reads \(Text.decimal(length, places: 2)) m/s², which cannot be gravity; hold it still."
      }
    return "\(reason) \(next(calibrator))"
  }
}
