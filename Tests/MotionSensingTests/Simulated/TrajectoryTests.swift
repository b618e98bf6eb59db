// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import SimulatedSources

/// Laws of every trajectory, held by differences against the closed forms.
@Suite struct TrajectoryTests {
  static let moving: [Scenario] =
    Scenario.all + [
      Scenario(
        name: "tumble", summary: "turns about a skew axis", trajectory: Spin(axis: Vector3(x: 1, y: -2, z: 3), rate: 4)),
      Scenario(name: "path", summary: "an uneven spline", trajectory: TrajectoryTests.path),
    ]

  static let path = PoseSpline([
    .init(time: 0.5, attitude: .identity),
    .init(time: 1.5, attitude: turned(1, 0, 0), position: Vector3(x: 1, y: 0, z: 0)),
    .init(time: 2, attitude: turned(1.2, 0.5, 0), position: Vector3(x: 1, y: 1, z: 0)),
    .init(time: 4, attitude: turned(0.2, -0.4, 2), position: Vector3(x: 0, y: 2, z: 1)),
  ])

  static func turned(_ x: Double, _ y: Double, _ z: Double) -> Rotation<Device, EastNorthUp> {
    Rotation(rotationVector: Vector3<Device>(x: x, y: y, z: z))
  }

  /// Times that hit no boundary between pieces, through two periods of every scenario.
  static let times = (0..<400).map { 0.013 + Double($0) * 0.2037 }

  @Test(arguments: moving.map(\.name))
  func angularVelocityIsTheDerivativeOfTheAttitude(name: String) throws {
    let trajectory = try #require(Self.moving.first { $0.name == name }).trajectory
    // The shock of an impact changes within a millisecond.
    let h = name == "swing" ? 1e-6 : 1e-5
    for t in Self.times {
      let before = trajectory.state(at: t - h).attitude
      let after = trajectory.state(at: t + h).attitude
      let difference = (before.inverse * after).rotationVector / (2 * h)
      let exact = trajectory.state(at: t).angularVelocity
      #expect(difference.isApproximatelyEqual(to: exact, tolerance: 2e-6), "at \(t) s: \(difference) and \(exact)")
    }
  }

  @Test(arguments: moving.map(\.name))
  func velocityAndAccelerationAreTheDerivativesOfThePosition(name: String) throws {
    let trajectory = try #require(Self.moving.first { $0.name == name }).trajectory
    let h = name == "swing" ? 1e-6 : 1e-4
    for t in Self.times {
      let (before, now, after) = (trajectory.state(at: t - h), trajectory.state(at: t), trajectory.state(at: t + h))
      let velocity = (after.position - before.position) / (2 * h)
      #expect(velocity.isApproximatelyEqual(to: now.velocity, tolerance: 1e-4), "velocity at \(t) s")
      let acceleration = (after.velocity - before.velocity) / (2 * h)
      #expect(acceleration.isApproximatelyEqual(to: now.acceleration, tolerance: 1e-3), "acceleration at \(t) s")
    }
  }

  @Test(arguments: moving.map(\.name).filter { $0 != "swing" })
  func motionHasNoJumps(name: String) throws {
    let trajectory = try #require(Self.moving.first { $0.name == name }).trajectory
    var last = trajectory.state(at: 0)
    for step in 1...80_000 {
      let state = trajectory.state(at: Double(step) * 0.001)
      let isSmooth =
        (state.position - last.position).length < 0.03 && (state.velocity - last.velocity).length < 0.06
        && (state.acceleration - last.acceleration).length < 3 && state.attitude.angle(to: last.attitude) < 0.02
        && (state.angularVelocity - last.angularVelocity).length < 0.4
      // An expectation for each of the 80,000 would cost more than the motion.
      if !isSmooth { Issue.record("from \(last) to \(state), step \(step)") }
      last = state
    }
  }

  @Test(arguments: Scenario.all.map(\.name))
  func specificForceIsCoordinateAccelerationLessGravitySeenFromTheDevice(name: String) throws {
    let trajectory = try #require(Scenario(named: name)).trajectory
    for t in Self.times.prefix(100) {
      let state = trajectory.state(at: t)
      let up = Vector3<EastNorthUp>(x: 0, y: 0, z: 9.80665)
      #expect(state.specificForce == state.attitude.inverse * (state.acceleration + up))
    }
  }

  @Test(arguments: Scenario.all.map(\.name))
  func beforeTimeZeroTheDeviceIsAsAtTimeZero(name: String) throws {
    let trajectory = try #require(Scenario(named: name)).trajectory
    #expect(trajectory.state(at: -5) == trajectory.state(at: 0))
  }

  @Test func aDeviceAtRestFaceUpReadsPlusNinePointEightOnZ() {
    let state = Rest().state(at: 3)
    #expect(state.specificForce == Vector3(x: 0, y: 0, z: 9.80665))
    #expect(state.angularVelocity == .zero)
  }

  @Test func uprightTheTopEdgePointsUp() {
    let state = Rest(attitude: .raised(by: .pi / 2)).state(at: 0)
    #expect(state.specificForce.isApproximatelyEqual(to: Vector3(x: 0, y: 9.80665, z: 0), tolerance: 1e-12))
  }

  @Test func aQuarterTurnAboutZTakesTheTopEdgeFromNorthToWest() {
    let top = Spin(axis: .unitZ, rate: .pi / 2).state(at: 1).attitude * Vector3<Device>(x: 0, y: 1, z: 0)
    #expect(top.isApproximatelyEqual(to: Vector3(x: -1, y: 0, z: 0), tolerance: 1e-12))
  }

  @Test func aSpinWithoutAnAxisStandsStill() {
    #expect(Spin(axis: .zero, rate: 3).state(at: 9) == TrajectoryState(attitude: .identity))
  }
}

/// What the scenarios promise in words.
@Suite struct ScenarioTests {
  @Test func namesAreDistinctAndFoundAgain() throws {
    let names = Scenario.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names { #expect(try #require(Scenario(named: name)).name == name) }
    #expect(Scenario(named: "levitate") == nil)
  }

  @Test func aHandheldPhoneIsNearlyStillForOneSecondAndThenTurnsByTensOfDegrees() {
    let trajectory = Handheld()
    let start = trajectory.state(at: 0).attitude
    var largest = 0.0
    for step in 0..<1200 {
      let t = Double(step) * 0.01
      let state = trajectory.state(at: t)
      let turned = Angle(radians: state.attitude.angle(to: start)).degrees
      if t <= 1 {
        #expect(turned < 0.1)
        #expect(state.angularVelocity.length < 0.04)
        #expect((state.specificForce.length - 9.80665).magnitude < 0.2)
      }
      largest = max(largest, turned)
    }
    #expect(largest > 30 && largest < 90)
  }

  @Test func walkingRisesAndFallsTwiceASecond() {
    let trajectory = Walk()
    var crossings = 0
    var last = 0.0
    for step in 0..<1000 {
      let up = trajectory.state(at: 5 + Double(step) * 0.01).acceleration.z
      if last < 0, up >= 0 { crossings += 1 }
      last = up
    }
    #expect((19...21).contains(crossings))
    #expect((trajectory.state(at: 12).position.y - trajectory.state(at: 2.5).position.y - 9.5 * 1.4).magnitude < 0.02)
  }

  @Test func aDriveAcceleratesForSecondsOnEndAndComesRoundTheBlock() {
    let trajectory = Drive()
    var longest = 0
    var current = 0
    for step in 0..<3600 {
      let isAccelerating = trajectory.state(at: Double(step) * 0.01).acceleration.length > 1
      current = isAccelerating ? current + 1 : 0
      longest = max(longest, current)
    }
    #expect(longest > 500)
    let start = trajectory.state(at: 0)
    let round = trajectory.state(at: 4 * 36)
    #expect((round.position - start.position).length < 1e-6)
    #expect(round.attitude.angle(to: start.attitude) < 1e-12)
    #expect(trajectory.state(at: 30).position.length > 100)
  }

  @Test func aDriveComesOutOfTheBendWhereItsVelocityLeads() {
    let trajectory = Drive()
    // Simpson's rule over the bend, 20 s to 25 s, in steps of 10 ms.
    var way = Vector3<EastNorthUp>.zero
    for step in 0..<500 {
      let t = 20 + Double(step) * 0.01
      let (a, b, c) = (trajectory.state(at: t), trajectory.state(at: t + 0.005), trajectory.state(at: t + 0.01))
      way += (a.velocity + b.velocity * 4 + c.velocity) * (0.01 / 6)
    }
    let exact = trajectory.state(at: 25).position - trajectory.state(at: 20).position
    #expect((way - exact).length < 2e-5)
    #expect(exact.length > 20)
  }

  /// What is pulled away is braked off: still at both ends, and at the start again after a run there and back.
  @Test(arguments: [(Ride.train, 22.0, 102.0), (.lift, 1.296, 21.6), (.escalator, 0.48, 32.0)])
  func aRideClosesItsVelocity(_ shaken: Ride, _ speed: Double, _ run: Double) {
    var ride = shaken
    ride.vibration = nil
    func vehicle(_ t: Double) -> (position: Vector3<EastNorthUp>, velocity: Vector3<EastNorthUp>) {
      let (state, hand) = (ride.state(at: t), Handheld(tilt: 0.6, liveliness: 0.25).state(at: t))
      return (state.position - hand.position, state.velocity - hand.velocity)
    }
    let cruising = vehicle(ride.stop + ride.accelerationTime + ride.cruise / 2)
    let direction = Vector3<EastNorthUp>(x: 0, y: Scalar.cos(ride.slope), z: Scalar.sin(ride.slope))
    #expect((cruising.velocity - direction * speed).length < 1e-9)
    for end in [run, 2 * run, 7 * run] { #expect(vehicle(end + ride.stop / 2).velocity.length < 1e-9) }
    #expect(vehicle(run).position.dot(direction) > 5 && (vehicle(run).position.cross(direction)).length < 1e-9)
    #expect(vehicle(2 * run).position.length < 1e-9)
    // Gravity and the vehicle alone reach the accelerometer, but for the hand.
    var strongest = 0.0
    for step in 0..<Int(2 * run * 100) {
      let force = ride.state(at: Double(step) / 100).specificForce.length
      strongest = max(strongest, abs(force - standardGravity))
    }
    #expect(strongest < ride.acceleration + 0.2)
  }

  /// Where it stood before, to the millimetres that it rocks while people get on.
  @Test func aBusStandsAtItsStopsAndComesRoundTheBlock() {
    let side = 141.0
    let start = Drive.bus.state(at: 0)
    let round = Drive.bus.state(at: 4 * side)
    #expect((round.position - start.position).length < 5e-3)
    #expect(round.attitude.angle(to: start.attitude) < 1e-12)
    for stop in [2, 80, side - 10] { #expect(Drive.bus.state(at: stop).velocity.length < 0.01) }
    #expect(Drive.bus.state(at: side / 2 - 50).velocity.length > 10)
  }

  @Test func aMotorwayCurvesForHalfAMinuteAndLeadsWhereItsVelocityDoes() {
    var trajectory = Motorway()
    trajectory.roughness = 0
    let curve = trajectory.state(at: 75)
    #expect(abs(Angle(radians: curve.angularVelocity.length).degrees - 3.2) < 0.05)
    #expect((curve.velocity.length - 27).magnitude < 0.02)
    #expect((curve.acceleration.length - 27 * Angle(degrees: 3.2).radians).magnitude < 0.3)
    // The next curve leads back to the old heading.
    #expect(trajectory.state(at: 50).attitude.angle(to: trajectory.state(at: 170).attitude) < 1e-9)
    #expect(
      Angle(radians: trajectory.state(at: 50).attitude.angle(to: trajectory.state(at: 110).attitude)).degrees > 85)
    // Simpson's rule from the departure to the end of the second curve, in steps of 10 ms.
    var way = Vector3<EastNorthUp>.zero
    for step in 0..<16_000 {
      let t = Double(step) * 0.01
      let (a, b, c) = (trajectory.state(at: t), trajectory.state(at: t + 0.005), trajectory.state(at: t + 0.01))
      way += (a.velocity + b.velocity * 4 + c.velocity) * (0.01 / 6)
    }
    #expect((way - trajectory.state(at: 160).position + trajectory.state(at: 0).position).length < 2e-5)
  }

  @Test func aSplineMeetsItsPosesAndRestsAtItsEnds() {
    let path = TrajectoryTests.path
    for pose in path.poses {
      let state = path.state(at: pose.time)
      #expect(state.attitude.angle(to: pose.attitude) < 1e-9)
      #expect((state.position - pose.position).length < 1e-12)
      #expect(state.acceleration.length < 1e-9)
    }
    for time in [0, 0.5, 4, 60] {
      #expect(path.state(at: time).angularVelocity.length < 1e-12)
      #expect(path.state(at: time).velocity.length < 1e-12)
    }
    #expect(path.state(at: 2).angularVelocity.length > 0.1)
  }

  @Test func aPoseGivenTwiceInARowIsHeldStill() {
    let upright = TrajectoryTests.turned(.pi / 2, 0, 0)
    let spline = PoseSpline([
      .init(time: 0, attitude: .identity), .init(time: 1, attitude: upright), .init(time: 2, attitude: upright),
      .init(time: 3, attitude: TrajectoryTests.turned(.pi / 2, 0, 1)),
    ])
    for step in 0...10 {
      let state = spline.state(at: 1 + Double(step) * 0.1)
      #expect(state.attitude.angle(to: upright) < 1e-9)
      #expect(state.angularVelocity.length < 1e-9)
    }
  }

  @Test func aSplineOfOneOrNoPoseIsAtRest() {
    #expect(PoseSpline([]).state(at: 3) == Rest().state(at: 3))
    let upright = TrajectoryTests.turned(1, 0, 0)
    #expect(PoseSpline([.init(time: 2, attitude: upright)]).state(at: 0).attitude == upright)
    let odd = PoseSpline([.init(time: .nan, attitude: .identity), .init(time: 1, attitude: upright)])
    #expect(odd.poses.count == 1)
  }
}
