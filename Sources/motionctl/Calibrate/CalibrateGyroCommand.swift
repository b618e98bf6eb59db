// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices

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
        motionctl calibrate gyro 'simulate:rest?bias=0.01' --rest 5 --output test.json
      """)

  @OptionGroup var arguments: CalibrateArguments

  @Option(help: ArgumentHelp("Seconds of rest to measure, from 2 on.", valueName: "seconds"))
  var rest: Seconds = Seconds(10)

  func validate() throws {
    guard (2...3600).contains(rest.value) else { throw ValidationError("--rest takes 2 to 3600 seconds.") }
  }

  func run() throws {
    let run = try CalibrationRun(arguments, needs: .gyroscope)
    let keeper = CalibrationKeeper(section: \.gyroscope, name: "gyroscope", unit: "rad/s")
    let place = try keeper.place(for: run)
    run.instruct("Put the device on something that stands still, and do not touch it.")
    var parameters = GyroscopeCalibrator.Parameters()
    parameters.duration = rest.value
    let calibrator = Lock(GyroscopeCalibrator(parameters: parameters))
    let hasAccelerometer = run.selection.info.kinds.contains(.accelerometer)
    _ = try run.collect(
      hasAccelerometer ? [.accelerometer, .gyroscope] : [.gyroscope],
      status: { Self.status(calibrator.withLock { $0 }) },
      take: { event in
        calibrator.withLock { calibrator in
          switch event {
          case .accelerometer(let sample): calibrator.update(sample)
          case .gyroscope(let sample): calibrator.update(sample)
          default: break
          }
          return calibrator.isComplete
        }
      })
    let measured = calibrator.withLock { $0 }
    guard measured.isComplete, let result = measured.result else {
      throw CommandFailure(
        "There were only \(Text.duration(measured.progress * rest.value)) of rest, not \(Text.duration(rest.value)): "
          + "\(Self.words(measured.verdict)). Nothing was written; lay the device down and try again.")
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
    return "\(ProgressLine.bar(calibrator.progress)) \(words(calibrator.verdict))\(error)"
  }

  private static func words(_ verdict: GyroscopeCalibrator.Verdict) -> String {
    switch verdict {
    case .waiting: "no sample has come, or too few"
    case .resting: "the device lies still"
    case .moving: "the device moves"
    case .turning: "the device turns"
    }
  }
}
