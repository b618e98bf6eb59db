// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// A calibration is there early, says how rough it is, and finds back from a bent field.
@Suite struct HonestCalibrationTests {
  @Test func aFewTurnsOfTheHandGiveACalibrationThatSaysHowRoughItIs() {
    var simulation = MagnetometerCalibratorTests.Simulation()
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 6)
    #expect(calibrator.calibration.accuracy >= .low)
    let hardIron = simulation.hardIron
    simulation.run(&calibrator, seconds: 20) { calibrator in
      let calibration = calibrator.calibration
      #expect((calibration.hardIron - hardIron).length < 4 * calibration.hardIronDeviation + 1e-6)
    }
  }

  @Test func aSourceThatIsCalibratedAlreadyIsFoundOut() {
    var simulation = MagnetometerCalibratorTests.Simulation()
    simulation.hardIron = .zero
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 5)
    #expect(calibrator.calibration.accuracy >= .low)
    #expect(calibrator.calibration.hardIron.length < 1e-6)
    #expect(calibrator.calibration.hardIronDeviation < 1.5e-6)
  }

  @Test func afterABentFieldACleanOneCalibratesAgain() {
    var simulation = MagnetometerCalibratorTests.Simulation()
    simulation.room = { t in
      let size = t < 30 ? 25e-6 : 0
      return Vector3(x: size * Scalar.sin(3.1 * t), y: size * Scalar.sin(2.3 * t), z: size * Scalar.sin(2.7 * t))
    }
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 70)
    #expect(calibrator.calibration.accuracy >= .low)
    #expect(simulation.error(calibrator) < 3)
  }
}
