// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionHost
import MotionSensing
import MotionServices

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
    let calibrator = Lock(AccelerometerCalibrator(parameters: parameters))
    let wanted = positions
    let seconds = try run.collect(
      [.accelerometer],
      status: {
        let (count, next) = calibrator.withLock { ($0.positionCount, Self.next($0)) }
        return "\(ProgressLine.bar(Double(count) / Double(wanted))) \(count) of \(wanted) positions. \(next)"
      },
      take: { event in
        guard case .accelerometer(let sample) = event else { return false }
        return calibrator.withLock { calibrator in
          if let event = calibrator.update(sample) { StandardError.shared.say(Self.words(event, calibrator)) }
          return calibrator.isComplete
        }
      })
    let measured = calibrator.withLock { $0 }
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
