// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// The device's own magnetism, found in use.
@Suite struct MagnetometerCalibratorTests {
  /// A magnetometer in a device that turns: reading = scale · field + hard iron + noise.
  struct Simulation {
    var hardIron = Vector3<Device>(x: 150e-6, y: -120e-6, z: 60e-6)
    var scale = Matrix3.identity
    var earth = Vector3<EastNorthUp>(x: 0, y: 20e-6, z: -45e-6)
    var noise = 0.5e-6
    /// What the place adds to the field at a time, and a magnet that comes and goes to the reading, T.
    var room: (Double) -> Vector3<EastNorthUp> = { _ in .zero }
    var magnet: (Double) -> Vector3<Device> = { _ in .zero }
    /// Time → rad/s. The default turns about all axes.
    var rate: (Double) -> Vector3<Device> = { t in
      Vector3(x: 1.3 * Scalar.sin(0.9 * t), y: 1.1 * Scalar.sin(0.53 * t + 1), z: 1.2 * Scalar.sin(0.37 * t + 2))
    }
    var sampleRate = 50.0
    var time = 0.0
    var attitude = Rotation<Device, EastNorthUp>.turned(20, about: .xAxis)
    var random = Lehmer(seed: 7)

    mutating func run(
      _ calibrator: inout MagnetometerCalibrator, seconds: Double,
      every: (MagnetometerCalibrator) -> Void = { _ in }
    ) {
      for _ in 0..<Int((seconds * sampleRate).rounded()) {
        let reading = self.reading(random.vector(noise))
        calibrator.update(
          magneticField: reading, angularVelocity: rate(time), atNanoseconds: Int64((time * 1e9).rounded()) + 1_000_000)
        every(calibrator)
        let step = 1 / sampleRate
        attitude = attitude * Rotation<Device, Device>(rotationVector: (rate(time) + rate(time + step)) * (step / 2))
        time += step
      }
    }

    func reading(_ noise: Vector3<Device>) -> Vector3<Device> {
      scale * (attitude.inverse * (earth + room(time))) + hardIron + magnet(time) + noise
    }

    /// µT between true and estimated hard iron.
    func error(_ calibrator: MagnetometerCalibrator) -> Double {
      (calibrator.calibration.hardIron - hardIron).length * 1e6
    }
  }

  @Test func aHardIronOfTwoHundredMicroteslaIsFoundWithinOne() {
    var simulation = Simulation()
    var calibrator = MagnetometerCalibrator()
    #expect(calibrator.calibration == .none)
    simulation.run(&calibrator, seconds: 20)
    #expect(calibrator.calibration.accuracy >= .low)
    #expect(simulation.error(calibrator) < 2)
    simulation.run(&calibrator, seconds: 60)
    #expect(simulation.error(calibrator) < 1)
    #expect(abs(calibrator.calibration.fieldStrength - simulation.earth.length) < 1e-6)
    #expect(calibrator.calibration.hardIronDeviation < 1e-6)
    #expect(calibrator.calibration.accuracy == .high)
  }

  @Test(arguments: [Matrix3(diagonal: 0.8, 1, 1.2), Matrix3(diagonal: 1.1, 1.05, 0.9)])
  func scaleErrorsOfTheAxesDoNotMoveTheCentre(scale: Matrix3) {
    var simulation = Simulation()
    simulation.scale = scale
    // A strong field keeps the ellipsoid within the earth's range on its short axis.
    simulation.earth = Vector3(x: 0, y: 22e-6, z: -38e-6)
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 240)
    #expect(calibrator.calibration.accuracy > .uncalibrated)
    #expect(simulation.error(calibrator) < 1)
  }

  @Test func nothingRisesBeforeAFit() {
    // A device that lies still, its own field 250 µT strong: a raw reading that must never pass as the earth's.
    var simulation = Simulation()
    simulation.rate = { _ in .zero }
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 60) { calibrator in
      #expect(calibrator.calibration == .none)
    }
  }

  @Test func aTurnAboutOneAxisDoesNotTellTheHardIronAlongIt() {
    var simulation = Simulation()
    simulation.rate = { _ in Vector3(x: 0, y: 0, z: 1) }
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 60) { calibrator in
      #expect(calibrator.calibration == .none)
    }
  }

  @Test func theHardIronIsNeverWild() {
    // Short turns, much noise, a room full of iron: what is accepted must not be far off.
    var simulation = Simulation()
    simulation.noise = 3e-6
    simulation.rate = { t in
      Vector3(x: 0.5 * Scalar.sin(2 * t), y: 0.1 * Scalar.sin(0.5 * t), z: 0.3 * Scalar.sin(0.2 * t))
    }
    var calibrator = MagnetometerCalibrator()
    var worst = 0.0
    let truth = simulation.hardIron
    simulation.run(&calibrator, seconds: 120) { calibrator in
      let calibration = calibrator.calibration
      if calibration.hardIronDeviation < .infinity {
        worst = max(worst, (calibration.hardIron - truth).length)
      } else {
        #expect(calibration.hardIron == .zero)
        #expect(calibration.accuracy == .uncalibrated)
      }
    }
    #expect(worst < 15e-6)
  }

  @Test func aFieldThatIsNotTheEarthsIsNoFit() {
    var simulation = Simulation()
    simulation.earth = Vector3(x: 0, y: 80e-6, z: -100e-6)
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 60)
    #expect(calibrator.calibration == .none)
  }

  @Test func theLevelFallsAfterTwoSecondsOfDisagreementAndRisesAgain() {
    var simulation = Simulation()
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 80)
    let level = calibrator.calibration.accuracy
    let hardIron = calibrator.calibration.hardIron
    #expect(level == .high)
    let earth = simulation.earth
    simulation.earth = earth * 1.3
    simulation.run(&calibrator, seconds: 1.9)
    #expect(calibrator.calibration.accuracy == level)
    simulation.run(&calibrator, seconds: 0.2)
    #expect(calibrator.calibration.accuracy == .medium)
    #expect(calibrator.calibration.hardIron == hardIron)
    simulation.earth = earth
    simulation.run(&calibrator, seconds: 0.9)
    #expect(calibrator.calibration.accuracy == .medium)
    simulation.run(&calibrator, seconds: 2)
    #expect(calibrator.calibration.accuracy == .high)
  }

  @Test func aMagnetThatIsAttachedIsFoundAnew() {
    var simulation = Simulation()
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 60)
    let old = calibrator.calibration.hardIron
    simulation.hardIron = simulation.hardIron + Vector3(x: 0, y: 0, z: 200e-6)
    simulation.run(&calibrator, seconds: 7)
    #expect(calibrator.calibration.accuracy == .uncalibrated)
    #expect(calibrator.calibration.hardIron == old)
    simulation.run(&calibrator, seconds: 60)
    #expect(calibrator.calibration.accuracy >= .medium)
    #expect(simulation.error(calibrator) < 1.5)
  }

  @Test func aStoredCalibrationServesAtOnce() {
    var simulation = Simulation()
    var first = MagnetometerCalibrator()
    simulation.run(&first, seconds: 80)
    var second = MagnetometerCalibrator(calibration: first.calibration)
    #expect(second.calibration.accuracy == .low)
    #expect(second.calibration.hardIron == first.calibration.hardIron)
    simulation.run(&second, seconds: 2.5)
    #expect(second.calibration.accuracy == first.calibration.accuracy)

    var broken = first.calibration
    broken.hardIron.x = .nan
    #expect(MagnetometerCalibrator(calibration: broken).calibration == .none)
    broken = first.calibration
    broken.fieldStrength = 3
    #expect(MagnetometerCalibrator(calibration: broken).calibration == .none)
  }

  @Test func aCalibratedSourceIsHighFromTheStartAndWatched() {
    var simulation = Simulation()
    simulation.hardIron = .zero
    var calibrator = MagnetometerCalibrator(isCalibrated: true)
    #expect(calibrator.calibration.accuracy == .high)
    simulation.run(&calibrator, seconds: 10)
    #expect(calibrator.calibration.accuracy == .high)
    #expect(calibrator.calibration.hardIron == .zero)
    #expect(abs(calibrator.calibration.fieldStrength - simulation.earth.length) < 1e-6)
    let earth = simulation.earth
    simulation.earth = earth * 2
    simulation.run(&calibrator, seconds: 7)
    #expect(calibrator.calibration.accuracy == .uncalibrated)
    #expect(calibrator.calibration.hardIron == .zero)
    simulation.earth = earth
    simulation.run(&calibrator, seconds: 4)
    #expect(calibrator.calibration.accuracy == .high)
  }

  @Test func badReadingsAndPausesChangeNothing() {
    var simulation = Simulation()
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 40)
    let before = calibrator.calibration
    let time = Int64(simulation.time * 1e9)
    for bad in [Double.nan, .infinity, 1e9] {
      let vector = Vector3<Device>(x: bad, y: 0, z: 0)
      calibrator.update(magneticField: vector, angularVelocity: .zero, atNanoseconds: time)
      calibrator.update(magneticField: .xAxis * 4e-5, angularVelocity: vector, atNanoseconds: time)
    }
    for wild in [Int64.min, .max, 0] {
      calibrator.update(magneticField: .xAxis * 4e-5, angularVelocity: .zero, atNanoseconds: wild)
    }
    #expect(calibrator.calibration == before)
  }

  @Test func theFilterFindsNorthOnceTheCalibrationIsThere() {
    var motion = OrientationFilterHeadingTests.handheld()
    motion.hardIron = Vector3(x: 80e-6, y: -50e-6, z: 30e-6)
    var filter = OrientationFilter(usesMagnetometer: true)
    var calibrator = MagnetometerCalibrator()
    var random = Lehmer(seed: 3)
    for _ in 0..<6000 {
      let time = motion.nanoseconds(motion.time)
      filter.update(angularVelocity: motion.rate(motion.time), atNanoseconds: time)
      filter.update(specificForce: motion.attitude.inverse * SimulatedMotion.gravity, atNanoseconds: time)
      let reading = motion.attitude.inverse * motion.field(motion.time) + motion.hardIron + random.vector(0.3e-6)
      calibrator.update(magneticField: reading, angularVelocity: filter.angularVelocity, atNanoseconds: time)
      let calibration = calibrator.calibration
      filter.update(
        magneticField: calibration.field(of: reading), hardIronDeviation: calibration.fieldDeviation,
        atNanoseconds: time)
      #expect(filter.hasHeading || calibration.hardIronDeviation == .infinity)
      motion.advance(0.01)
    }
    #expect(filter.hasHeading)
    #expect(abs(motion.headingError(filter)) < 3)
  }
}

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
