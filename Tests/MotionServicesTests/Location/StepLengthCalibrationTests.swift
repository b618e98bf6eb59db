// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import MotionServices

/// The length of steps, corrected by a track of positions.
@Suite struct StepLengthCalibrationTests {
  private func time(_ seconds: Double) -> SensorInstant {
    SensorInstant(nanoseconds: 1_700_000_000_000_000_000 + Int64(seconds * 1e9))
  }

  private func piece(_ start: Double, _ end: Double, speed: Double) -> Odometer.Piece {
    Odometer.Piece(
      start: time(start), end: time(end), distance: speed * (end - start), distanceDeviation: 0.1, speed: speed)
  }

  /// A walk of so many metres by the model at 1.3 m/s, in spans of 2.56 s, beside a receiver that says `speed`.
  private func walked(_ metres: Double, speed: Double, late: Bool = false) -> StepLengthCalibration {
    var calibration = StepLengthCalibration()
    let seconds = metres / 1.3
    let pieces = (0..<Int(seconds) + 4).map { piece(Double($0), Double($0 + 1), speed: speed) }
    var next = 0
    for start in stride(from: 0, to: seconds - 2.5, by: 2.56) {
      let end = start + 2.56
      if !late { while Double(next) < end { calibration.update(pieces[next]); next += 1 } }
      calibration.update(from: time(start), to: time(end), modelled: 1.3 * 2.56)
      if late { while Double(next) < end { calibration.update(pieces[next]); next += 1 } }
    }
    return calibration
  }

  @Test func aLongWalkGivesThePersonsOwnSteps() {
    #expect(StepLengthCalibration().correction == StepLengthCorrection())
    // 1.15 of the model; the first 200 m are the model's.
    let calibration = walked(5000, speed: 1.3 * 1.15)
    #expect(abs(calibration.correction.factor - (200 + 5000 * 1.15) / 5200) < 0.002)
    #expect(abs(walked(200, speed: 1.3 * 1.15).correction.factor - 1.075) < 0.005)
    // What is unknown of the person: half, and then next to nothing.
    #expect(abs(walked(200, speed: 1.3).correction.unknown - 0.52) < 0.01 && calibration.correction.unknown < 0.07)
  }

  @Test func aReceiverThatIsLateSaysTheSame() {
    #expect(
      abs(walked(1000, speed: 1.5).correction.factor - walked(1000, speed: 1.5, late: true).correction.factor) < 1e-12)
  }

  @Test(arguments: [0.0, 0.4, 30]) func aTreadmillAndATrainAreLeftOut(speed: Double) {
    #expect(walked(1000, speed: speed).sums == StepLengthCalibration().sums)
  }

  @Test func spansWithoutFixesAreLeftOut() {
    var calibration = StepLengthCalibration()
    calibration.update(piece(0, 1, speed: 2))
    calibration.update(piece(60, 61, speed: 2))
    calibration.update(from: time(20), to: time(22), modelled: 3)
    calibration.update(from: time(60.5), to: time(62), modelled: 3)
    calibration.update(piece(61, 90, speed: 2))
    #expect(calibration.sums == StepLengthCalibration().sums)
  }

  @Test func timesAndLengthsThatCannotBeChangeNothing() {
    var calibration = walked(500, speed: 1.5)
    let sums = calibration.sums
    calibration.update(from: time(10), to: time(5), modelled: 3)
    calibration.update(from: time(1000), to: time(1001), modelled: .nan)
    calibration.update(piece(5, 6, speed: 1))
    calibration.update(from: time(3), to: time(5.5), modelled: 3)
    #expect(calibration.sums == sums && StepLengthCalibration(sums).correction.factor == calibration.correction.factor)
    #expect(StepLengthCalibration(.init(modelled: -1, measured: .nan)).correction.factor == 1)
  }

  @Test func oldWalksCountLess() {
    var calibration = StepLengthCalibration(.init(modelled: 9_900, measured: 9_900))
    for span in 0..<2000 {
      let start = Double(span) * 5
      for second in 0..<5 { calibration.update(piece(start + Double(second), start + Double(second + 1), speed: 1.5)) }
      calibration.update(from: time(start), to: time(start + 5), modelled: 5)
    }
    // 10 km later the new length has come through: 1.5 m/s beside 1 m/s of the model.
    #expect((1.33...1.45).contains(calibration.correction.factor) && calibration.sums.modelled <= 10_000)
  }
}
