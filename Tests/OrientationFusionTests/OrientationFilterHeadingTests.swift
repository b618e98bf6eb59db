// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// North, and what disturbs it.
@Suite struct OrientationFilterHeadingTests {
  static let earth = Vector3<EastNorthUp>(x: 0, y: 20e-6, z: -45e-6)

  static func handheld() -> SimulatedMotion {
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.rate = { t in
      t < 3
        ? .zero : Vector3(x: 0.6 * Scalar.sin(1.1 * t), y: 0.5 * Scalar.sin(0.7 * t), z: 0.8 * Scalar.sin(0.4 * t))
    }
    return motion
  }

  @Test func withoutMagnetometerThereIsNoHeading() {
    var motion = Self.handheld()
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 5)
    #expect(!filter.hasHeading)
    #expect(filter.headingStandardDeviation >= .pi / 3.0.squareRoot())
  }

  @Test func withoutMagnetometerTheAzimuthIsKnownSinceTheStartAndLessAndLess() {
    var motion = Self.handheld()
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 5)
    let early = filter.azimuthStandardDeviation
    motion.run(&filter, seconds: 55)
    #expect(early < 0.1 && filter.azimuthStandardDeviation > 1.5 * early)
  }

  @Test func yIsMagneticNorth() {
    var motion = Self.handheld()
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 10)
    #expect(abs(motion.headingError(filter)) < 0.5)
  }

  @Test func aDisturbanceOfThreeSecondsHardlyPullsTheHeading() {
    var motion = Self.handheld()
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 15)
    // Iron nearby: 40 µT to the east more, the direction of north is 63° off.
    motion.field = { t in t < 18 ? Self.earth + Vector3(x: 40e-6, y: 0, z: 0) : Self.earth }
    var worst = 0.0
    motion.run(&filter, seconds: 10) { filter, motion in worst = max(worst, abs(motion.headingError(filter))) }
    #expect(worst < 3.8)
    #expect(abs(motion.headingError(filter)) < 1.5)
  }

  @Test func theFieldNeverMovesTheInclination() {
    // The dip changes by 23° within 20 s, as when iron comes slowly nearer, while the phone shakes.
    var calm = OrientationFilterRobustnessTests.everydayMotion()
    var bent = calm
    bent.field = { t in
      Rotation<EastNorthUp, EastNorthUp>(rotationVector: Vector3<EastNorthUp>(x: min(0.4, 0.02 * t), y: 0, z: 0))
        * Self.earth
    }
    var a = OrientationFilter(usesMagnetometer: false)
    var b = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    var (without, with) = (0.0, 0.0)
    calm.run(&a, seconds: 30) { without = max(without, $1.tiltError($0)) }
    bent.run(&b, seconds: 30) { with = max(with, $1.tiltError($0)) }
    #expect(with < without + 0.3)
  }

  @Test func aWrongFieldAtTheStartIsRecovered() {
    var motion = Self.handheld()
    let quarter = Rotation<EastNorthUp, EastNorthUp>(aboutZ: .pi / 2)
    motion.field = { t in t < 5 ? quarter * Self.earth : Self.earth }
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 4.9)
    #expect(abs(motion.headingError(filter)) > 60)
    motion.run(&filter, seconds: 90)
    #expect(abs(motion.headingError(filter)) < 3)
  }

  @Test func aForgottenHeadingIsFixedAnewAndTheInclinationStays() {
    var motion = Self.handheld()
    motion.hardIron = Vector3(x: 15e-6, y: 0, z: 0)
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 10)
    let (before, tilt) = (filter.attitude, motion.tiltError(filter))
    filter.resetHeading()
    #expect(filter.attitude == before)
    #expect(!filter.hasHeading)
    motion.hardIron = .zero
    motion.run(&filter, seconds: 5)
    #expect(filter.hasHeading)
    #expect(abs(motion.headingError(filter)) < 2)
    #expect(motion.tiltError(filter) < tilt + 0.3)
  }

  @Test func aFieldInAnotherDirectionDoesNotSoonTurnAHeadingThatWasEarned() {
    var motion = Self.handheld()
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 120)
    let settled = filter.headingStandardDeviation
    // Strength and dip are those of the earth: nothing but the time speaks against it.
    motion.field = { _ in Vector3(x: 20e-6, y: 0, z: -45e-6) }
    motion.run(&filter, seconds: 20)
    #expect(abs(motion.headingError(filter)) < 15)
    #expect(filter.headingStandardDeviation > 2 * settled)
    // In the end it is believed; then it says for a while that it may be wrong.
    motion.run(&filter, seconds: 30)
    #expect(2 * filter.headingStandardDeviation > 0.5)
  }

  @Test func atTheMagneticPoleThereIsNoHeading() {
    var motion = Self.handheld()
    motion.field = { _ in Vector3(x: 0, y: 0.2e-6, z: -57e-6) }
    motion.noise.magnetometer = 0
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 3)
    #expect(!filter.hasHeading)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func theDelayOfTheMagnetometerIsLearned() {
    var motion = Self.handheld()
    motion.rate = { t in
      t < 3 ? .zero : Vector3(x: 3 * Scalar.sin(2.1 * t), y: 3 * Scalar.sin(1.7 * t), z: 4 * Scalar.sin(1.3 * t))
    }
    // A magnetometer that shows the field of 12 ms ago; the sine's slope turns the field in the device.
    let rate = motion.rate
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    for _ in 0..<4000 {
      let time = motion.nanoseconds(motion.time)
      let back = motion.attitude * Rotation<Device, Device>(rotationVector: rate(motion.time - 0.006) * -0.012)
      filter.update(angularVelocity: rate(motion.time), atNanoseconds: time)
      filter.update(specificForce: motion.attitude.inverse * SimulatedMotion.gravity, atNanoseconds: time)
      filter.update(magneticField: back.inverse * Self.earth, atNanoseconds: time)
      motion.advance(0.01)
    }
    #expect(abs(filter.known.magnetometerDelay - 0.012) < 0.003)
    #expect(motion.tiltError(filter) < 5)
  }
}

/// The zero of the gyroscope.
@Suite struct OrientationFilterBiasTests {
  @Test(
    arguments: [0.05, -0.05, 0.11, -0.11], [Vector3<Device>.xAxis, .yAxis, .zAxis])
  func aBiasIsGoneAfterFiveSecondsOfRestFromTheStart(size: Double, axis: Vector3<Device>) {
    // 0.11 rad/s = 6.3 °/s: the bias of a real iPhone 5.
    for usesMagnetometer in [false, true] {
      var motion = SimulatedMotion(start: .turned(30, about: Vector3(x: 1, y: 1, z: 0)))
      motion.bias = axis * size
      var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: usesMagnetometer)
      motion.run(&filter, seconds: 5)
      #expect(Angle(radians: (filter.gyroscopeBias - motion.bias).length).degrees < 0.1)
      #expect(filter.isAtRest)
      #expect(motion.tiltError(filter) < 1.1)
      if usesMagnetometer { #expect(motion.error(filter) < 3) }
    }
  }

  @Test(arguments: [1.0, 3.0, 6.0]) func aSteadyTurnAfterARestIsATurnAndNoBias(degreesPerSecond: Double) {
    let rate = Angle(degrees: degreesPerSecond).radians
    var motion = SimulatedMotion()
    motion.bias = Vector3(x: 0.01, y: -0.02, z: 0.015)
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    motion.rate = { _ in Vector3(x: 0, y: 0, z: rate) }
    // Longer, 1 °/s without the least tremble is a bias that has moved: a filter without a magnetometer cannot tell.
    motion.run(&filter, seconds: 10)
    #expect(!filter.isAtRest)
    #expect(abs(filter.angularVelocity.z - rate) < Angle(degrees: 0.1).radians + 0.01)
    #expect(Angle(radians: abs(filter.gyroscopeBias.z - 0.015)).degrees < 0.05)
    #expect(abs(motion.headingError(filter)) < 2)
  }

  @Test func aSlowDriftOfTheBiasIsFollowedAtRest() {
    var motion = SimulatedMotion()
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    // A sensor that warms up: 0.3 °/s within a minute.
    for k in 1...60 {
      motion.bias = Vector3(x: 0, y: 0, z: Angle(degrees: 0.005 * Double(k)).radians)
      motion.run(&filter, seconds: 1)
    }
    #expect(filter.isAtRest)
    #expect(Angle(radians: abs(filter.gyroscopeBias.z - motion.bias.z)).degrees < 0.075)
  }

  @Test func theScaleOfTheGyroscopeIsLearnedFromTurns() {
    var motion = SimulatedMotion()
    motion.distort = { $0 * 1.004 }
    motion.rate = { t in
      Vector3(
        x: 2 * Scalar.sin(1.1 * t), y: 2 * Scalar.sin(0.7 * t + 1), z: 2 * Scalar.sin(0.9 * t + 2))
    }
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 40)
    let matrix = filter.state.gyroscopeMatrix
    #expect(abs(matrix.m11 + 0.004) < 0.0015)
    #expect(abs(matrix.m22 + 0.004) < 0.0015)
    #expect(abs(matrix.m33 + 0.004) < 0.0015)
  }

}

/// What a rest says of the gyroscope, and what it does not.
@Suite struct OrientationFilterFirstRestTests {
  /// Degrees: how far a bias of some °/s about the vertical turns the azimuth in the minute after so many seconds of rest.
  @Test(arguments: [1.0, 4, 8, 12], [(3.0, 5.0), (40, 3)])
  func aBiasAboutTheVerticalIsLearned(bias: Double, _ rest: (seconds: Double, bound: Double)) {
    var motion = SimulatedMotion()
    motion.bias = Vector3(x: 0, y: 0, z: Angle(degrees: bias).radians)
    motion.rate = { t in
      t < rest.seconds
        ? .zero : Vector3(x: 0.6 * Scalar.sin(1.1 * t), y: 0.5 * Scalar.sin(0.7 * t), z: 0.8 * Scalar.sin(0.4 * t))
    }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: rest.seconds)
    let start = motion.headingError(filter)
    var worst = 0.0
    motion.run(&filter, seconds: 60) {
      worst = max(worst, abs(Angle(degrees: $1.headingError($0) - start).wrapped.degrees))
    }
    print("bias of \(bias)°/s about the vertical, rest of \(rest.seconds) s: azimuth \(worst)°")
    #expect(worst < rest.bound)
  }

  @Test(arguments: [2.0, 6, 12]) func aSlowTurnAtTheStartAboutATiltedAxisIsNoBias(degreesPerSecond: Double) {
    var motion = SimulatedMotion(start: .turned(40, about: .xAxis))
    let up = motion.start.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
    motion.rate = { t in up * (t < 15 ? Angle(degrees: degreesPerSecond).radians : 0) }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 15)
    print("turn of \(degreesPerSecond)°/s: azimuth \(motion.headingError(filter))°, bias \(filter.gyroscopeBias)")
    #expect(abs(motion.headingError(filter)) < 0.1 * 15 * degreesPerSecond)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func aWornHeadWithABiasAboutTheVerticalKeepsItsTilt() {
    var motion = SimulatedMotion()
    motion.sampleRate = 50
    motion.bias = Vector3(x: 0, y: 0, z: Angle(degrees: 10).radians)
    // A head looks about and nods, and is never still.
    motion.rate = { t in
      Vector3(
        x: 0.15 * Scalar.sin(0.9 * t) + 0.05 * Scalar.sin(5 * t), y: 0.1 * Scalar.sin(0.6 * t + 1),
        z: 0.5 * Scalar.sin(0.5 * t) + 0.1 * Scalar.sin(3 * t))
    }
    motion.acceleration = { t in
      Vector3(x: 0.2 * Scalar.sin(4 * t), y: 0.15 * Scalar.sin(5 * t), z: 0.3 * Scalar.sin(7 * t))
    }
    var filter = OrientationFilter(parameters: .headphones, usesMagnetometer: false)
    motion.run(&filter, seconds: 120)
    var (worst, isWithin) = (0.0, true)
    motion.run(&filter, seconds: 60) { filter, motion in
      worst = max(worst, motion.tiltError(filter))
      isWithin = isWithin && Angle(degrees: motion.tiltError(filter)).radians < 3 * filter.inclinationStandardDeviation
    }
    print("worn head: tilt \(worst)°")
    #expect(worst < 1 && isWithin)
  }
}

/// In a vehicle the velocity is not zero on average; what the gyroscope is worth must not be learned there.
@Suite struct OrientationFilterTravelTests {
  struct Outcome {
    /// Largest entry of the learned matrix; the true one is zero.
    var matrix: Double
    /// Error of the bias, rad/s.
    var bias: Double
    /// Largest tilt error, degrees.
    var tilt: Double
  }

  /// A roundabout at 12 m/s and 0.25 rad/s: 3 m/s² towards its middle for a minute, after 10 s of standing.
  static func roundabout() -> Outcome {
    var motion = SimulatedMotion()
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    let (start, rate, speed) = (10.0, 0.25, 12.0)
    // A car leans and shakes while it turns; without that the matrix would not be seen at all.
    motion.rate = { t in Vector3(x: 0.05 * Scalar.sin(9 * t), y: 0.04 * Scalar.sin(7 * t), z: rate) }
    motion.acceleration = { t in
      let angle = rate * (t - start)
      let toMiddle = speed * rate
      return Vector3(x: -toMiddle * Scalar.cos(angle), y: -toMiddle * Scalar.sin(angle), z: 0)
    }
    var tilt = 0.0
    motion.run(&filter, seconds: 60) { filter, motion in tilt = max(tilt, motion.tiltError(filter)) }
    let m = filter.state.gyroscopeMatrix
    let largest = [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33].map(abs).max() ?? .infinity
    return Outcome(matrix: largest, bias: filter.gyroscopeBias.length, tilt: tilt)
  }

  @Test func aLongCurveDoesNotSpoilTheGyroscopeNorTipTheVertical() {
    let outcome = Self.roundabout()
    print("roundabout: \(outcome)")
    #expect(outcome.matrix < 0.0095)
    #expect(outcome.bias < 0.003)
    #expect(outcome.tilt < 12)
  }

  @Test func aWrongInclinationIsMendedAllTheSame() {
    // Ten degrees off look like a vehicle that accelerates at 1.7 m/s².
    var motion = SimulatedMotion()
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    motion.rate = { t in Vector3(x: Scalar.sin(2 * t), y: 0.7 * Scalar.sin(3 * t), z: 0.5) }
    motion.distort = { Vector3(x: $0.x + 0.1, y: $0.y, z: $0.z) }
    motion.run(&filter, seconds: 3)
    #expect(motion.tiltError(filter) > 5)
    motion.distort = { $0 }
    motion.run(&filter, seconds: 60)
    #expect(motion.tiltError(filter) < 1.5)
  }
}
