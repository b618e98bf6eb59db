// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// North and the device's own iron, from raw readings of which nothing is known.
@Suite struct HeadingLawTests {
  static let earth = Vector3<EastNorthUp>(x: 0, y: 20e-6, z: -45e-6)

  /// A hand that turns the device to all sides after a second.
  static func hand(iron: Double = 0) -> SimulatedMotion {
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.rate = { t in
      t < 1
        ? .zero
        : Vector3(x: 1.3 * Scalar.sin(0.9 * t), y: 1.1 * Scalar.sin(0.53 * t + 1), z: 1.2 * Scalar.sin(0.37 * t + 2))
    }
    motion.hardIron = Vector3(x: 0.72, y: -0.6, z: 0.35) * (iron * earth.length)
    return motion
  }

  /// µT between true and estimated hard iron.
  static func ironError(_ filter: OrientationFilter, _ motion: SimulatedMotion) -> Double {
    (filter.iron.hardIron - motion.hardIron).length * 1e6
  }

  @Test(arguments: [0, 0.5, 2.0], [false, true]) func hardIronIsFound(fields: Double, usesMagnetometer: Bool) {
    var motion = Self.hand(iron: fields)
    var filter = OrientationFilter(usesMagnetometer: usesMagnetometer)
    motion.run(&filter, seconds: 20)
    var (isCovered, worst) = (true, 0.0)
    motion.run(&filter, seconds: 60) { filter, motion in
      isCovered = isCovered && Self.ironError(filter, motion) < 4e6 * filter.iron.hardIronDeviation + 1
      worst = max(worst, abs(motion.headingError(filter)))
    }
    print(
      "iron of \(fields) fields: \(Self.ironError(filter, motion)) µT ± \(filter.iron.hardIronDeviation), \(worst)°")
    #expect(isCovered && Self.ironError(filter, motion) < 1.5)
    #expect(filter.iron.accuracy >= .medium && abs(filter.iron.fieldStrength - Self.earth.length) < 1.5e-6)
    #expect(filter.hasHeading == usesMagnetometer)
    if usesMagnetometer { #expect(worst < 5 && abs(motion.headingError(filter)) < 2) }
  }

  @Test func theIronNeverMovesAFilterWithoutMagnetometer() {
    var (motion, filter) = (Self.hand(iron: 2), OrientationFilter(usesMagnetometer: false))
    var (twin, alone) = (motion, filter)
    twin.magnetometerDivider = .max
    // Without noise, so that both see the same readings.
    motion.noise = (0, 0, 0)
    twin.noise = (0, 0, 0)
    motion.run(&filter, seconds: 20)
    twin.run(&alone, seconds: 20)
    #expect(filter.attitude == alone.attitude && filter.attitude != nil)
  }

  /// A robot that turns about its vertical only: the iron along it stays unknown, and the heading does not need it.
  @Test(arguments: [0, 0.5, 1.0]) func aPlaneIsEnoughForTheHeading(fields: Double) {
    var motion = SimulatedMotion(start: .turned(50, about: .zAxis))
    motion.hardIron = Vector3(x: 0.72, y: -0.6, z: 0.35) * (fields * Self.earth.length)
    motion.rate = { t in Vector3(x: 0, y: 0, z: t < 3 ? 0 : 0.6) }
    var filter = OrientationFilter(usesMagnetometer: true)
    // Two turns.
    motion.run(&filter, seconds: 3 + 4 * .pi / 0.6)
    var (known, count, worst) = (0.0, 0.0, 0.0)
    motion.run(&filter, seconds: 60) { filter, motion in
      count += 1
      guard filter.hasHeading else { return }
      known += 1
      worst = max(worst, abs(motion.headingError(filter)))
    }
    print("plane, iron of \(fields) fields: heading known \(known / count), \(worst)°")
    #expect(known >= 0.6 * count && worst < 10)
    #expect(motion.tiltError(filter) < 0.5)
  }

  @Test func aDeviceThatLiesStillMakesUpNothing() {
    var motion = SimulatedMotion()
    motion.hardIron = Vector3(x: 150e-6, y: -120e-6, z: 60e-6)
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 60) { filter, _ in #expect(!filter.hasHeading && filter.iron.accuracy == .uncalibrated)
    }
  }

  @Test func aMagnetThatComesAndGoesDoesNotTurnTheHeading() {
    var motion = Self.hand()
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 60)
    let iron = motion.hardIron
    var worst = 0.0
    for _ in 0..<3 {
      motion.hardIron = iron + Vector3(x: 0, y: 60e-6, z: 40e-6)
      motion.run(&filter, seconds: 4) { worst = max(worst, abs($1.headingError($0))) }
      motion.hardIron = iron
      motion.run(&filter, seconds: 16) { worst = max(worst, abs($1.headingError($0))) }
    }
    print("a magnet comes and goes: \(worst)°, at the end \(motion.headingError(filter))°")
    #expect(worst < 10 && abs(motion.headingError(filter)) < 3)
  }

  @Test func aMagnetThatIsAttachedIsFoundAnew() {
    var motion = Self.hand()
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 60)
    motion.hardIron += Vector3(x: 0, y: 0, z: 200e-6)
    motion.run(&filter, seconds: 90)
    print("attached: \(Self.ironError(filter, motion)) µT, \(motion.headingError(filter))°")
    #expect(filter.iron.accuracy >= .low && Self.ironError(filter, motion) < 3)
    #expect(abs(motion.headingError(filter)) < 5)
  }

  @Test(arguments: [0.2, 2.5]) func aFieldOfAnotherStrengthIsNoHeading(factor: Double) {
    var motion = Self.hand()
    motion.field = { _ in Self.earth * factor }
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 60)
    #expect(!filter.hasHeading && filter.iron.accuracy == .uncalibrated)
    #expect(filter.headingStandardDeviation >= .pi / 3.0.squareRoot())
  }

  @Test func aStoredCalibrationServesAtOnce() {
    var (motion, first) = (Self.hand(iron: 2), OrientationFilter(usesMagnetometer: true))
    motion.run(&first, seconds: 80)
    var (again, second) = (Self.hand(iron: 2), OrientationFilter(usesMagnetometer: true, calibration: first.iron))
    again.run(&second, seconds: 5)
    #expect(second.hasHeading && abs(again.headingError(second)) < 4)
    #expect((second.iron.hardIron - first.iron.hardIron).length < 2e-6)
    for broken in [Double.nan, 3] {
      var calibration = first.iron
      calibration.fieldStrength = broken
      let filter = OrientationFilter(usesMagnetometer: true, calibration: calibration)
      #expect(filter.iron == .none)
    }
  }

  @Test func aCalibratedSourceHasItsHeadingAtOnce() {
    var (motion, filter) = (Self.hand(), OrientationFilter(parameters: .calibrated, usesMagnetometer: true))
    motion.run(&filter, seconds: 1)
    #expect(filter.hasHeading && abs(motion.headingError(filter)) < 3)
    motion.run(&filter, seconds: 60)
    #expect(filter.iron.hardIron.length < 1.5e-6 && abs(motion.headingError(filter)) < 1)
  }
}
