// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// Bad input, gaps, late sensors, odd rates.
@Suite struct OrientationFilterRobustnessTests {
  /// A motion of everyday vigour.
  static func everydayMotion() -> SimulatedMotion {
    var motion = SimulatedMotion(start: .turned(40, about: Vector3(x: 1, y: -1, z: 0.5)))
    motion.rate = { t in
      t < 3
        ? .zero
        : Vector3(x: 1.5 * Scalar.sin(1.3 * t), y: 1.2 * Scalar.sin(0.8 * t + 1), z: Scalar.sin(0.5 * t))
    }
    motion.acceleration = { t in
      t < 3 ? .zero : Vector3(x: 2 * Scalar.sin(5 * t), y: Scalar.cos(4 * t), z: 2 * Scalar.sin(7 * t))
    }
    motion.bias = Vector3(x: 0.01, y: 0.005, z: -0.01)
    return motion
  }

  @Test func nothingComesFromNothing() {
    let filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    #expect(filter.attitude == nil)
    #expect(!filter.hasHeading)
    #expect(!filter.isAtRest)
    #expect(filter.headingStandardDeviation >= .pi / 3.0.squareRoot())
    #expect(filter.inclinationStandardDeviation >= 1)
  }

  @Test func identicalInputGivesIdenticalBits() {
    func run() -> OrientationFilter {
      var motion = Self.everydayMotion()
      var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
      motion.run(&filter, seconds: 10)
      return filter
    }
    let (a, b) = (run(), run())
    #expect(a.attitude == b.attitude)
    #expect(a.gyroscopeBias == b.gyroscopeBias)
    #expect(a.headingStandardDeviation == b.headingStandardDeviation)
  }

  @Test func aCopyIsIndependentAndAHotRestartChangesNoBit() {
    var motion = Self.everydayMotion()
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 7.03)
    var restarted = OrientationFilter(parameters: .calibrated, usesMagnetometer: true, state: filter.state)
    let old = filter.attitude
    var twin = motion
    motion.run(&restarted, seconds: 5)
    #expect(filter.attitude == old)
    twin.run(&filter, seconds: 5)
    #expect(filter.attitude == restarted.attitude)
    #expect(filter.gyroscopeBias == restarted.gyroscopeBias)
  }

  @Test func aStateServesAFilterWithAndWithoutMagnetometer() {
    var motion = Self.everydayMotion()
    var six = OrientationFilter(usesMagnetometer: false)
    motion.run(&six, seconds: 6)
    var nine = OrientationFilter(parameters: .calibrated, usesMagnetometer: true, state: six.state)
    #expect(nine.gyroscopeBias == six.gyroscopeBias)
    motion.run(&nine, seconds: 6)
    #expect(nine.hasHeading)
    #expect(motion.error(nine) < 3)
    var sixAgain = OrientationFilter(usesMagnetometer: false, state: nine.state)
    #expect(!sixAgain.hasHeading)
    motion.run(&sixAgain, seconds: 6)
    #expect(motion.tiltError(sixAgain) < 2)
  }

  @Test func readingsThatAreNoNumbersAreIgnored() {
    var motion = Self.everydayMotion()
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 5)
    let before = filter.attitude
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      let vector = Vector3<Device>(x: 0, y: bad, z: 0)
      let time = motion.nanoseconds(motion.time)
      filter.update(angularVelocity: vector, atNanoseconds: time)
      filter.update(specificForce: vector, atNanoseconds: time)
      filter.update(magneticField: vector, atNanoseconds: time)
    }
    #expect(filter.attitude == before)
    motion.run(&filter, seconds: 5)
    #expect(motion.error(filter) < 3)
  }

  /// What a device does between two readings that are half a second apart, no gyroscope says. Then the accelerometer
  /// levels, a reading between two of the gyroscope, too, and what is stated holds.
  @Test(arguments: [1.2, 2, 3, 5], [0, 0.15])
  func aFewReadingsASecondLevelAsWellAsTheAccelerometerAlone(sampleRate: Double, phase: Double) {
    var motion = Self.everydayMotion()
    (motion.sampleRate, motion.accelerometerPhase) = (sampleRate, phase)
    var filter = OrientationFilter(usesMagnetometer: false)
    var (errors, alone, inside, count) = (0.0, 0.0, 0.0, 0.0)
    motion.run(&filter, seconds: 120) { filter, motion in
      guard motion.time > 5 else { return }
      let error = motion.tiltError(filter)
      errors += error
      alone += Angle(radians: (motion.acceleration(motion.time) + SimulatedMotion.gravity).angle(to: .zAxis)).degrees
      inside += error < 1.73 * Angle(radians: filter.inclinationStandardDeviation).degrees ? 1 : 0
      count += 1
    }
    #expect(errors < 1.5 * alone)
    #expect(inside > 0.95 * count)
  }

  @Test func timesOutOfOrderAreIgnoredAndWildTimesDoNotTrap() {
    var motion = Self.everydayMotion()
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 5)
    let before = filter.attitude
    let time = motion.nanoseconds(motion.time - 0.01)
    filter.update(angularVelocity: .xAxis, atNanoseconds: time)
    filter.update(angularVelocity: .xAxis, atNanoseconds: time - 5_000_000)
    #expect(filter.attitude == before)
    for wild in [Int64.min, .max, 0, .max - 1, .min + 1] {
      filter.update(angularVelocity: .zero, atNanoseconds: wild)
      filter.update(specificForce: Vector3(x: 0, y: 0, z: 9.81), atNanoseconds: wild)
      filter.update(magneticField: Vector3(x: 0, y: 2e-5, z: 0), atNanoseconds: wild)
    }
    // The clock goes back to what it was: a gap, then all is well.
    motion.rate = { _ in .zero }
    motion.acceleration = { _ in .zero }
    motion.run(&filter, seconds: 3)
    #expect(motion.tiltError(filter) < 2)
  }

  @Test func aShortGapIsBridgedByTheRates() {
    var motion = SimulatedMotion()
    motion.rate = { t in Vector3(x: 0, y: 0, z: t < 2 ? 0 : 0.5) }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 4)
    var unbroken = (filter: filter, motion: motion)
    unbroken.motion.run(&unbroken.filter, seconds: 0.65)
    motion.advance(0.5)
    motion.run(&filter, seconds: 0.15)
    #expect(motion.error(filter) < 2)
    #expect(filter.inclinationStandardDeviation > 2 * unbroken.filter.inclinationStandardDeviation)
    motion.run(&filter, seconds: 10)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func afterALongGapTheDeviceIsLevelledAnewAndTheSensorsAreStillKnown() {
    var motion = SimulatedMotion()
    motion.bias = Vector3(x: 0.02, y: 0.03, z: -0.02)
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 6)
    let known = filter.gyroscopeBias
    motion.rate = { _ in Vector3(x: 0.6, y: 0.2, z: 0.3) }
    motion.advance(3)
    motion.rate = { _ in .zero }
    motion.run(&filter, seconds: 0.1)
    #expect(motion.tiltError(filter) < 3)
    // One block of the field is no heading yet.
    #expect(!filter.hasHeading)
    #expect((filter.gyroscopeBias - known).length < 0.0005)
    #expect((filter.gyroscopeBias - motion.bias).length < 0.002)
    motion.run(&filter, seconds: 4)
    #expect(motion.error(filter) < 1)
  }

  @Test func freeFallDoesNotBreakIt() {
    var motion = SimulatedMotion(start: .turned(25, about: .xAxis))
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 3)
    motion.rate = { _ in Vector3(x: 3, y: 2, z: 1) }
    motion.acceleration = { _ in SimulatedMotion.gravity * -1 }
    motion.run(&filter, seconds: 1)
    #expect(motion.tiltError(filter) < 2)
    motion.rate = { _ in .zero }
    motion.acceleration = { _ in .zero }
    motion.run(&filter, seconds: 5)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func aStartInFreeFallWaitsForGravity() {
    var filter = OrientationFilter(usesMagnetometer: false)
    var motion = SimulatedMotion(start: .turned(60, about: .yAxis))
    motion.acceleration = { t in t < 0.5 ? SimulatedMotion.gravity * -1 : .zero }
    motion.run(&filter, seconds: 0.4)
    #expect(filter.attitude == nil)
    motion.run(&filter, seconds: 4)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func aStartInMotionFindsTheInclination() {
    var motion = Self.everydayMotion()
    motion.advance(5)
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 15)
    #expect(motion.tiltError(filter) < 3)
  }

  @Test(arguments: [25.0, 50, 100, 200, 400]) func anyRateOfSamplesServes(rate: Double) {
    var motion = Self.everydayMotion()
    motion.sampleRate = rate
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 5)
    var worst = 0.0
    motion.run(&filter, seconds: 15) { filter, motion in worst = max(worst, motion.error(filter)) }
    #expect(worst < 2.5)
  }

  @Test func sensorsOutOfStepGiveNearlyTheSame() throws {
    var synchronous = Self.everydayMotion()
    var asynchronous = Self.everydayMotion()
    asynchronous.accelerometerPhase = 0.0037
    asynchronous.magnetometerDivider = 4
    var a = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    var b = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    synchronous.run(&a, seconds: 20)
    asynchronous.run(&b, seconds: 20)
    let angle = try #require(a.attitude).angle(to: try #require(b.attitude))
    #expect(Angle(radians: angle).degrees < 0.7)
  }

  @Test func aMagnetometerThatComesLateBringsNorth() {
    var motion = SimulatedMotion(start: .turned(120, about: .zAxis))
    motion.magnetometerDivider = 1_000_000
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.advance(0.01)  // Past the only magnetometer sample.
    motion.run(&filter, seconds: 3)
    #expect(!filter.hasHeading)
    #expect(filter.headingStandardDeviation >= .pi / 3.0.squareRoot())
    motion.magnetometerDivider = 1
    motion.run(&filter, seconds: 2)
    #expect(filter.hasHeading)
    #expect(motion.error(filter) < 1)
    #expect(filter.headingStandardDeviation < 0.14)
  }

  @Test func anAccelerometerThatStopsLeavesTheGyroscopeInCharge() {
    var motion = SimulatedMotion()
    motion.bias = Vector3(x: 0.01, y: 0, z: 0)
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 6)
    for k in 0..<1000 {
      filter.update(
        angularVelocity: Vector3(x: 0.11, y: 0, z: 0),
        atNanoseconds: motion.nanoseconds(6 + Double(k) * 0.01))
    }
    // 0.1 rad/s for 9.99 s.
    #expect(abs((filter.attitude ?? .identity).angle - 1) < 0.02)
  }

  @Test func saturationRaisesTheDoubtAndIsRecovered() {
    var motion = SimulatedMotion()
    let range = Angle(degrees: 500).radians
    var parameters = OrientationFilter.Parameters.calibrated
    parameters.gyroscopeRange = range
    motion.distort = { v in
      func clip(_ x: Double) -> Double { min(range, max(-range, x)) }
      return Vector3(x: clip(v.x), y: clip(v.y), z: clip(v.z))
    }
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: true)
    motion.run(&filter, seconds: 3)
    let before = filter.inclinationStandardDeviation
    // Half a second at 800 °/s seen as 500 °/s: 150° too few.
    motion.rate = { t in Vector3(x: t < 3.5 ? Angle(degrees: 800).radians : 0, y: 0, z: 0) }
    motion.run(&filter, seconds: 0.5)
    #expect(filter.inclinationStandardDeviation > 3 * before)
    motion.run(&filter, seconds: 20)
    #expect(motion.tiltError(filter) < 2)
    #expect((filter.gyroscopeBias).length < 0.02)
  }
}

/// Where the device lies and how it turns.
@Suite struct OrientationFilterPoseTests {
  static let poses: [Rotation<Device, EastNorthUp>] = [
    .identity, .turned(180, about: .xAxis), .turned(180, about: .yAxis), .turned(90, about: .xAxis),
    .turned(-90, about: .xAxis),
    .turned(90, about: .yAxis), .turned(-90, about: .yAxis), .turned(135, about: Vector3(x: 1, y: 2, z: 3)),
    .turned(179.9, about: Vector3(x: -1, y: 1, z: 0.2)),
  ]

  @Test(arguments: poses) func restInAnyPoseIsFoundAtOnceAndKept(pose: Rotation<Device, EastNorthUp>) {
    var motion = SimulatedMotion(start: pose)
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 0.2)
    #expect(motion.tiltError(filter) < 2)
    motion.run(&filter, seconds: 0.8)
    #expect(motion.error(filter) < 2)
    motion.run(&filter, seconds: 5)
    #expect(motion.error(filter) < 0.5)
    #expect(filter.isAtRest)
    #expect(filter.angularVelocity.length < 0.02)
  }

  @Test func faceUpAtRestNeedsNoTurn() {
    var motion = SimulatedMotion()
    motion.noise = (0, 0, 0)
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 1)
    #expect((filter.attitude ?? .turned(90, about: .xAxis)).angle < 1e-9)
  }

  @Test(arguments: [Vector3<Device>.xAxis, .yAxis, .zAxis, Vector3(x: 0.6, y: -0.64, z: 0.48)], [false, true])
  func aFullTurnAboutAnyAxisComesBack(axis: Vector3<Device>, usesMagnetometer: Bool) {
    var motion = SimulatedMotion(start: .turned(20, about: Vector3(x: 1, y: 0.3, z: 0)))
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: usesMagnetometer)
    motion.run(&filter, seconds: 3)
    let before = filter.attitude
    // Smoothly to 180 °/s and back: 0.5·(1 − cos) over 4 s covers exactly 360°.
    motion.rate = { t in axis * (Double.pi / 2 * (1 - Scalar.cos((t - 3) * .pi / 2))) }
    var worst = 0.0
    motion.run(&filter, seconds: 4) { filter, motion in worst = max(worst, motion.tiltError(filter)) }
    motion.rate = { _ in .zero }
    motion.run(&filter, seconds: 1)
    #expect(worst < 1)
    let error = before.flatMap { start in filter.attitude?.angle(to: start) } ?? .pi
    #expect(Angle(radians: error).degrees < 0.7)
  }

  @Test func tiltAndReturnLeavesNothingBehind() {
    var motion = SimulatedMotion()
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 2)
    motion.rate = { t in Vector3(x: t < 3 ? 0.8 : -0.8, y: 0, z: 0) }
    motion.run(&filter, seconds: 2)
    motion.rate = { _ in .zero }
    motion.run(&filter, seconds: 1)
    #expect(motion.error(filter) < 0.6)
  }

  @Test func thePoseOfTheGimbalLockIsNoSpecialPose() {
    // Nose up by 90°, then rolling and yawing there.
    var motion = SimulatedMotion(start: .turned(90, about: .xAxis))
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 3)
    motion.rate = { t in Vector3(x: 0.3 * Scalar.sin(3 * t), y: 0.7, z: 0.3 * Scalar.cos(2 * t)) }
    var worst = 0.0
    motion.run(&filter, seconds: 20) { filter, motion in worst = max(worst, motion.error(filter)) }
    #expect(worst < 1.5)
  }

  @Test func theAttitudeIsThatOfTheLatestGyroscopeSample() {
    // D: a device that spins at 200 °/s turns by 2° between two samples; a lag of one would show.
    var motion = SimulatedMotion()
    motion.noise = (0, 0, 0)
    motion.rate = { t in Vector3(x: 0, y: 0, z: t < 1 ? 0 : 3.5) }
    var filter = OrientationFilter(usesMagnetometer: false)
    var worst = 0.0
    motion.run(&filter, seconds: 5) { filter, motion in worst = max(worst, motion.error(filter)) }
    // The rate jumps once, between two samples: half an interval of 2° is unknowable.
    #expect(worst < 1.1)
  }

  @Test func theDelayOfTheGyroscopeIsTurnedForward() {
    var parameters = OrientationFilter.Parameters.calibrated
    parameters.gyroscopeDelay = 0.01
    var motion = SimulatedMotion()
    motion.noise = (0, 0, 0)
    motion.rate = { _ in Vector3(x: 0, y: 0, z: 1) }
    var prompt = OrientationFilter(usesMagnetometer: false)
    var delayed = OrientationFilter(parameters: parameters, usesMagnetometer: false)
    var twin = motion
    motion.run(&prompt, seconds: 2)
    twin.run(&delayed, seconds: 2)
    let lead = prompt.attitude.flatMap { p in delayed.attitude.map { ($0 * p.inverse).rotationVector.z } } ?? 0
    #expect(abs(lead - 0.01) < 1e-3)
  }

  @Test func turningTheHeadingOfTheStartTurnsEverythingAndChangesNothing() throws {
    var motion = SimulatedMotion(start: .turned(10, about: .xAxis))
    motion.rate = { t in Vector3(x: Scalar.sin(t), y: 0.5 * Scalar.cos(2 * t), z: 0.3) }
    var plain = OrientationFilter(usesMagnetometer: false)
    // One accelerometer sample later the attitude exists; a copy of the truth turned about the vertical must follow.
    var twin = motion
    twin.run(&plain, seconds: 20)
    let quarter = Rotation<EastNorthUp, EastNorthUp>(aboutZ: 1.1)
    var turned = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    var north = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    var first = motion
    var second = motion
    second.field = { _ in quarter.inverse * Vector3(x: 0, y: 20e-6, z: -45e-6) }
    first.run(&north, seconds: 20)
    second.run(&turned, seconds: 20)
    // Magnetic north turned by −1.1 in the world of the simulation: the attitude against north turns by +1.1.
    let difference = try #require(turned.attitude) * (try #require(north.attitude)).inverse
    #expect(abs(difference.rotationVector.z - 1.1) < 2e-3)
    #expect(abs(difference.rotationVector.x) < 1e-3 && abs(difference.rotationVector.y) < 1e-3)
    // Six and nine degrees of freedom agree in the inclination.
    let up = Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
    let angle = (try #require(plain.attitude).inverse * up).angle(to: try #require(north.attitude).inverse * up)
    #expect(angle < 2e-3)
  }
}
