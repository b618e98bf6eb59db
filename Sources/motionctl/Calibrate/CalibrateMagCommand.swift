// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionHost
import MotionSensing
import MotionServices

/// `motionctl calibrate mag`: hard and soft iron of the device, from turning it through all directions.
struct CalibrateMagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mag", abstract: "Measure the device's own magnetism while you turn it through all directions.",
    discussion: """
      Stand away from iron, loudspeakers and cables, keep the device in one place, and turn it over slowly, again and again, \
      each time a little further round, until every side has pointed everywhere.

      Examples:
        motionctl calibrate mag
        motionctl calibrate mag iio: --for 120
        motionctl calibrate mag 'simulate:tumble?hardIron=200:-80:30' --output test.json
      """)

  @OptionGroup var arguments: CalibrateArguments

  func run() throws {
    let run = try CalibrationRun(arguments, needs: .magnetometer)
    let keeper = CalibrationKeeper(section: \.magnetometer, name: "magnetometer", unit: "T")
    let place = try keeper.place(for: run)
    run.instruct("Turn the device over slowly, again and again, each time a little further round, in one place.")
    let survey = Lock(MagnetometerSurvey())
    let seconds = try run.collect(
      [.magnetometer],
      status: { Self.status(survey.withLock { $0 }) },
      take: { event in
        guard case .magnetometer(let sample) = event else { return false }
        return survey.withLock { survey in
          survey.update(sample)
          return survey.isComplete
        }
      })
    let measured = survey.withLock { $0 }
    guard measured.isComplete, let result = measured.result else {
      throw CommandFailure("\(Self.words(measured)) Nothing was written.")
    }
    StandardError.shared.say(
      "hard iron \(keeper.figure(result.hardIron)), field of \(Text.decimal(result.fieldStrength * 1e6, places: 1)) µT, "
        + "strength right within \(Text.decimal(result.residual * 100, places: 1)) % "
        + "(before: \(Text.decimal(result.residualBefore * 100, places: 1)) %)")
    try keeper.keep(
      offset: result.hardIron, matrix: result.softIron,
      quality: .init(
        samples: measured.readingCount, duration: seconds, standardError: result.standardError,
        errorBefore: result.residualBefore * result.fieldStrength,
        errorAfter: result.residual * result.fieldStrength), in: place, of: run)
  }

  private static func status(_ survey: MagnetometerSurvey) -> String {
    let fraction = survey.coverage / survey.parameters.coverage
    return "\(ProgressLine.bar(fraction)) \(words(survey))"
  }

  /// What is still wrong, as a sentence.
  private static func words(_ survey: MagnetometerSurvey) -> String {
    func percent(_ share: Double) -> String { "\(Text.decimal(share * 100, places: 0)) %" }
    switch survey.shortcoming {
    case nil: return "All directions are there."
    case .directions:
      return "\(percent(survey.coverage)) of the directions have been seen, of \(percent(survey.parameters.coverage)): "
        + "turn it over further, about all its axes."
    case .strength(let strength):
      return "The field has \(Text.decimal(strength * 1e6, places: 0)) µT, which is not the earth's: go away from iron."
    case .uneven(let share):
      return "The strength differs by \(percent(share)): keep to one place, away from iron and currents."
    case .stretched(let ratio):
      return "The readings are stretched \(Text.decimal(ratio, places: 1)) times: this is no magnetometer's field."
    case .blurred(let deviation):
      return "The hard iron is known within \(Text.decimal(deviation * 1e6, places: 1)) µT only: go on turning it."
    }
  }
}
