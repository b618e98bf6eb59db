// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import Testing

@testable import MotionAnalysis

/// A wearer who does what is asked, as the bud sees it: 50 Hz, poses reached by smooth moves.
struct Wearer {
  var calibrator: LookAndNodCalibrator
  let mount = HeadMount(rotation: Rotation(nearUnitW: 0.5, x: 0.6, y: -0.55, z: -0.3))
  private(set) var time = 0.0
  private var pose = (yaw: 0.4, pitch: 0.0, roll: 0.0)
  private(set) var hints: [LookAndNodCalibrator.Hint] = []
  /// rad of noise of each component of the attitude.
  var noise = 0.0
  private var seed: UInt64 = 7

  init(_ change: (inout LookAndNodCalibrator.Parameters) -> Void = { _ in }) {
    var parameters = LookAndNodCalibrator.Parameters()
    change(&parameters)
    calibrator = LookAndNodCalibrator(parameters: parameters)
  }

  private static func head(_ p: (yaw: Double, pitch: Double, roll: Double)) -> Rotation<Device, NorthWestUp> {
    Rotation<NorthWestUp, NorthWestUp>(aboutZ: p.yaw)
      * Rotation<Device, NorthWestUp>(rotationVector: Vector3<Device>(x: p.pitch, y: 0, z: 0))
      * Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 0, y: p.roll, z: 0))
  }

  private mutating func random() -> Double {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (Double(seed >> 11) / Double(1 << 53) - 0.5) * 2
  }

  private mutating func feed(_ pose: (yaw: Double, pitch: Double, roll: Double), rate: Double) {
    time += 0.02
    let shake = Rotation<Device, Device>(
      rotationVector: Vector3<Device>(x: random(), y: random(), z: random()) * noise)
    let bud = Self.head(pose) * shake * mount.rotation
    let step = calibrator.update(
      MotionRow(
        time: SensorInstant(seconds: time) ?? SensorInstant(nanoseconds: 0), w: bud.w,
        vector: Vector3(x: bud.x, y: bud.y, z: bud.z), reference: .xArbitrary,
        angularVelocity: Vector3(x: rate, y: 0, z: 0), gravity: .zero, linearAcceleration: .zero,
        accelerationUnit: .metresPerSecondSquared))
    if let hint = step.hint, hints.last != hint { hints.append(hint) }
  }

  /// Moves to a pose in degrees within 0.6 s and stays there.
  mutating func go(yaw: Double = 0, pitch: Double = 0, roll: Double = 0, stay: Double = 2) {
    let k = Double.pi / 180
    let target = (yaw: 0.4 + yaw * k, pitch: pitch * k, roll: roll * k)
    let start = pose
    for step in 1...30 {
      let f = Double(step) / 30
      feed(
        (
          start.yaw + (target.yaw - start.yaw) * f, start.pitch + (target.pitch - start.pitch) * f,
          start.roll + (target.roll - start.roll) * f
        ), rate: 0.6)
    }
    pose = target
    for _ in 0..<Int(stay * 50) { feed(target, rate: 0.01) }
  }

  mutating func nodTwice(pitch: Double = -24, roll: Double = 0) {
    go(stay: 2)
    go(pitch: pitch, roll: roll)
    go(stay: 2)
    go(pitch: pitch, roll: roll)
  }

  mutating func lookAbout() {
    go(stay: 0.5)
    go(yaw: 40, stay: 0.3)
    go(yaw: -40, stay: 0.3)
  }

  /// Degrees between the mount found and the true one.
  var error: Double? { calibrator.result.map { $0.mount.rotation.angle(to: mount.rotation) * 180 / .pi } }
}

@Suite struct LookAndNodCalibratorTests {
  @Test func cleanPosesGiveTheMountToATenthOfADegree() throws {
    var wearer = Wearer()
    #expect(wearer.calibrator.prompt == .lookAhead)
    wearer.nodTwice()
    #expect(wearer.calibrator.prompt == .turnLeft)
    wearer.lookAbout()
    let result = try #require(wearer.calibrator.result)
    let error = try #require(wearer.error)
    print("Look and nod: \(error)° from the true mount")
    #expect(error < 0.1)
    #expect(abs((result.mount.nodAngle ?? 0) * 180 / .pi - 24) < 0.1)
    #expect(result.repeats == 0)
    #expect((result.tiltWhileTurning ?? 1) < 0.01)
    #expect(wearer.calibrator.prompt == .done)
  }

  @Test func whoeverIsSlowToRaiseTheChinIsWaitedFor() throws {
    var wearer = Wearer()
    wearer.go(stay: 2)
    wearer.go(pitch: -24, stay: 6)
    wearer.go(stay: 2)
    wearer.go(pitch: -24, stay: 6)
    wearer.lookAbout()
    #expect(wearer.hints.contains(.straightAhead))
    #expect(try #require(wearer.error) < 0.1)
    #expect(wearer.calibrator.repeats == 0)
  }

  @Test func aShakingHeadStillGivesItToADegree() throws {
    var wearer = Wearer()
    wearer.noise = 0.003
    wearer.nodTwice()
    wearer.lookAbout()
    #expect(try #require(wearer.error) < 1)
    #expect((wearer.calibrator.result?.mount.spread ?? 0) > 0)
  }

  /// Section 6.2's budget: r degrees of roll on a nod of θ turn the axes by atan(r/θ).
  @Test func rollInTheNodTurnsTheAxesAsTheBudgetSays() throws {
    var wearer = Wearer { $0.checksTurn = false }
    wearer.nodTwice(pitch: -22, roll: 2)
    let error = try #require(wearer.error)
    #expect(abs(error - 5) < 1)
  }

  @Test func theNodIsAskedForUntilItIsDeepEnough() {
    var wearer = Wearer()
    wearer.go()
    #expect(wearer.calibrator.prompt == .lowerChin)
    wearer.go(pitch: -10)
    #expect(wearer.calibrator.prompt == .lowerChin)
    #expect(wearer.hints.contains(.lowerFurther))
    wearer.go(pitch: -65)
    #expect(wearer.calibrator.prompt == .lowerChin)
    #expect(wearer.hints.contains(.notSoFar))
    wearer.go(pitch: -25)
    #expect(wearer.calibrator.prompt == .lookAhead)
  }

  @Test func anUnquietHeadIsNotTaken() {
    var wearer = Wearer()
    wearer.noise = 0.05
    wearer.go(stay: 6)
    #expect(wearer.calibrator.prompt == .lookAhead)
    var moving = Wearer()
    for index in 0..<10 { moving.go(yaw: Double(index % 2) * 10, stay: 0.5) }
    #expect(moving.calibrator.prompt == .lookAhead)
  }

  @Test func twoNodsThatDisagreeBeginAnew() {
    var wearer = Wearer()
    wearer.go()
    wearer.go(pitch: -22, roll: 6)
    wearer.go()
    wearer.go(pitch: -22, roll: -6)
    #expect(wearer.calibrator.prompt == .lookAhead)
    #expect(wearer.calibrator.repeats == 1)
    #expect(wearer.hints.contains(.nodsDisagree))
  }

  @Test func aTurnTheWrongWayBeginsAnew() {
    var wearer = Wearer()
    wearer.nodTwice()
    wearer.go(stay: 0.5)
    wearer.go(yaw: -40, stay: 0.3)
    #expect(wearer.hints.contains(.turnedTheWrongWay))
    #expect(wearer.calibrator.repeats == 1)
    wearer.go()
    wearer.nodTwice()
    wearer.lookAbout()
    #expect(wearer.calibrator.result?.repeats == 1)
  }

  @Test func aTurnThatTiltsBeginsAnew() {
    var wearer = Wearer()
    wearer.nodTwice()
    wearer.go(stay: 0.5)
    wearer.go(yaw: 20, pitch: -12, stay: 0.3)
    #expect(wearer.hints.contains(.tiltedWhileTurning))
    #expect(wearer.calibrator.result == nil)
  }

  @Test func theThirdPoseIsTakenWhenItIsAskedFor() throws {
    var wearer = Wearer {
      $0.asksToRaise = true
      $0.nods = 1
      $0.checksTurn = false
    }
    wearer.go()
    wearer.go(pitch: -22)
    #expect(wearer.calibrator.prompt == .raiseChin)
    // Down again is not up.
    wearer.go(pitch: -30)
    #expect(wearer.calibrator.prompt == .raiseChin)
    wearer.go(pitch: 20)
    #expect(try #require(wearer.error) < 0.1)
  }

  @Test func samplesWithoutAnAttitudeAreNamed() {
    var calibrator = LookAndNodCalibrator()
    let step = calibrator.update(
      MotionRow(
        time: SensorInstant(nanoseconds: 1), w: 0, vector: .zero, reference: .xArbitrary, angularVelocity: .zero,
        gravity: .zero, linearAcceleration: .zero, accelerationUnit: .metresPerSecondSquared))
    #expect(step.hint == .noAttitude)
    #expect(step.progress == 0)
  }

  @Test func promptsAndHintsAreSentences() {
    let sentences = LookAndNodCalibrator.Prompt.allCases.map(\.sentence)
    let hints = LookAndNodCalibrator.Hint.allCases.map(\.sentence)
    #expect((sentences + hints).allSatisfy { $0.hasSuffix(".") })
    #expect(Set(sentences + hints).count == sentences.count + hints.count)
  }
}
