// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

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
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 0.2)
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
    var filter = OrientationFilter(usesMagnetometer: usesMagnetometer)
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
    var filter = OrientationFilter(usesMagnetometer: true)
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
    var parameters = OrientationFilter.Parameters()
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
    var turned = OrientationFilter(usesMagnetometer: true)
    var north = OrientationFilter(usesMagnetometer: true)
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
