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
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 10)
    #expect(abs(motion.headingError(filter)) < 0.5)
  }

  @Test func aDisturbanceOfThreeSecondsHardlyPullsTheHeading() {
    var motion = Self.handheld()
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 15)
    // Iron nearby: 40 µT to the east more, the direction of north is 63° off.
    motion.field = { t in t < 18 ? Self.earth + Vector3(x: 40e-6, y: 0, z: 0) : Self.earth }
    var worst = 0.0
    motion.run(&filter, seconds: 10) { filter, motion in worst = max(worst, abs(motion.headingError(filter))) }
    #expect(worst < 3)
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
    var b = OrientationFilter(usesMagnetometer: true)
    var (without, with) = (0.0, 0.0)
    calm.run(&a, seconds: 30) { without = max(without, $1.tiltError($0)) }
    bent.run(&b, seconds: 30) { with = max(with, $1.tiltError($0)) }
    #expect(with < without + 0.3)
  }

  @Test func aWrongFieldAtTheStartIsRecovered() {
    var motion = Self.handheld()
    let quarter = Rotation<EastNorthUp, EastNorthUp>(aboutZ: .pi / 2)
    motion.field = { t in t < 5 ? quarter * Self.earth : Self.earth }
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 4.9)
    #expect(abs(motion.headingError(filter)) > 60)
    motion.run(&filter, seconds: 30)
    #expect(abs(motion.headingError(filter)) < 3)
  }

  @Test func aForgottenHeadingIsFixedAnewAndTheInclinationStays() {
    var motion = Self.handheld()
    motion.hardIron = Vector3(x: 15e-6, y: 0, z: 0)
    var filter = OrientationFilter(usesMagnetometer: true)
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
    var filter = OrientationFilter(usesMagnetometer: true)
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

  @Test func aHeadingIsDoubtedWhenItsCalibrationDoesNotHold() {
    for (seconds, isTrusted) in [(10.0, false), (60, true)] {
      var motion = Self.handheld()
      var filter = OrientationFilter(usesMagnetometer: true)
      motion.run(&filter, seconds: seconds)
      #expect(filter.headingStandardDeviation < 0.2)
      filter.update(
        magneticField: Vector3(x: 0, y: 0, z: -45e-6), hardIronDeviation: .infinity,
        atNanoseconds: Int64(seconds * 1e9) + 1)
      #expect(filter.hasHeading && (filter.headingStandardDeviation > 0.9) == !isTrusted)
      // The field agrees again with what was known.
      motion.run(&filter, seconds: 40)
      #expect(filter.headingStandardDeviation < 0.25)
    }
  }

  @Test func atTheMagneticPoleThereIsNoHeading() {
    var motion = Self.handheld()
    motion.field = { _ in Vector3(x: 0, y: 0.2e-6, z: -57e-6) }
    motion.noise.magnetometer = 0
    var filter = OrientationFilter(usesMagnetometer: true)
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
    var filter = OrientationFilter(usesMagnetometer: true)
    for _ in 0..<4000 {
      let time = motion.nanoseconds(motion.time)
      let back = motion.attitude * Rotation<Device, Device>(rotationVector: rate(motion.time - 0.006) * -0.012)
      filter.update(angularVelocity: rate(motion.time), atNanoseconds: time)
      filter.update(specificForce: motion.attitude.inverse * SimulatedMotion.gravity, atNanoseconds: time)
      filter.update(magneticField: back.inverse * Self.earth, hardIronDeviation: 0, atNanoseconds: time)
      motion.advance(0.01)
    }
    #expect(abs(filter.state.magnetometerDelay - 0.012) < 0.003)
    #expect(motion.tiltError(filter) < 5)
  }
}
