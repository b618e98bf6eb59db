// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@testable import LiveOutput

/// Straight ahead, smoothing, holding: what happens between a sample and a packet.
@Suite struct HeadFollowerTests {
  private typealias World = Rotation<NorthWestUp, NorthWestUp>

  private func rotation(_ yaw: Double, _ pitch: Double, _ roll: Double) -> Rotation<Device, NorthWestUp> {
    HeadPose(
      yaw: Angle(degrees: yaw).radians, pitch: Angle(degrees: pitch).radians, roll: Angle(degrees: roll).radians
    ).attitude
  }

  private func sample(_ q: Rotation<Device, NorthWestUp>, at time: Double, speed: Double = 0) -> HeadSample {
    HeadSample(w: q.w, x: q.x, y: q.y, z: q.z, speed: speed, time: time)
  }

  private func degrees(_ pose: HeadPose?) -> [Double] {
    guard let pose else { return [] }
    return [pose.yaw, pose.pitch, pose.roll].map { Angle(radians: $0).degrees }
  }

  private func isNear(_ values: [Double], _ wanted: [Double], _ tolerance: Double = 1e-9) -> Bool {
    values.count == wanted.count && zip(values, wanted).allSatisfy { abs($0 - $1) < tolerance }
  }

  @Test func theFirstPoseIsStraightAhead() {
    var follower = HeadFollower(.init())
    #expect(isNear(degrees(follower.update(sample(rotation(123, 17, -9), at: 0))?.pose), [0, 0, 0]))
    #expect(follower.recentrings == 1)
  }

  /// Most people's rest pose is not level; a turn of the head is yaw alone all the same.
  @Test(arguments: [-170.0, -15, 0, 29, 95])
  func aTurnIsYawAloneHoweverTheHeadphonesSit(_ start: Double) {
    var follower = HeadFollower(.init())
    let rest = rotation(start, 17, -9)
    _ = follower.update(sample(rest, at: 0))
    for turn in [-120.0, -30, 45, 90] {
      let turned = World(aboutZ: Angle(degrees: turn).radians) * rest
      #expect(isNear(degrees(follower.update(sample(turned, at: 1))?.pose), [turn, 0, 0]))
    }
    // Headphones that sit level: nod and tilt come out as they are.
    var level = HeadFollower(.init())
    _ = level.update(sample(rotation(start, 0, 0), at: 0))
    #expect(isNear(degrees(level.update(sample(rotation(start, -20, 0), at: 1))?.pose), [0, -20, 0]))
    #expect(isNear(degrees(level.update(sample(rotation(start, 0, -25), at: 2))?.pose), [0, 0, -25]))
    #expect(isNear(degrees(level.update(sample(rotation(start + 40, -20, -5), at: 3))?.pose), [40, -20, -5]))
  }

  @Test func putOnAgainIsStraightAheadAgainUnlessSomebodySaysNot() {
    for recentres in [true, false] {
      var parameters = HeadFollower.Parameters()
      parameters.recentresOnWear = recentres
      var follower = HeadFollower(parameters)
      follower.note(isConnected: true)
      _ = follower.update(sample(rotation(10, 0, 0), at: 0))
      follower.note(isConnected: false)
      #expect(follower.pose != nil)
      follower.note(isConnected: true)
      let pose = follower.update(sample(rotation(70, 0, 0), at: 5))?.pose
      #expect(isNear(degrees(pose), [recentres ? 0 : 70, 0, 0]) && follower.recentrings == (recentres ? 2 : 0))
      follower.recentre()
      #expect(isNear(degrees(follower.update(sample(rotation(-40, 0, 0), at: 6))?.pose), [0, 0, 0]))
    }
  }

  /// Out of the ear a bud swings about: the view must not.
  @Test func whatNobodyWearsIsNotFollowed() {
    var follower = HeadFollower(.init())
    follower.note(isWorn: true)
    _ = follower.update(sample(rotation(0, 0, 0), at: 0))
    let last = follower.update(sample(rotation(12, 0, 0), at: 1))?.pose
    follower.note(isWorn: false)
    #expect(follower.update(sample(rotation(150, 80, 30), at: 2)) == nil && follower.frozen == 1)
    #expect(follower.pose == last)
    follower.note(isWorn: true)
    #expect(isNear(degrees(follower.update(sample(rotation(33, 0, 0), at: 3))?.pose), [0, 0, 0]))
    // Headphones that say nothing of it are followed.
    follower.note(isWorn: nil)
    #expect(isNear(degrees(follower.update(sample(rotation(43, 0, 0), at: 4))?.pose), [10, 0, 0]))
  }

  @Test func numbersThatAreNoAttitudeNeverLeave() {
    var follower = HeadFollower(.init())
    for (w, x, time) in [(Double.nan, 0.0, 0.0), (0, 0, 0), (.infinity, 0, 0), (1, 1, 0), (1, 0, .nan)] {
      #expect(follower.update(HeadSample(w: w, x: x, y: 0, z: 0, speed: .nan, time: time)) == nil)
    }
    #expect(follower.refused == 5 && follower.pose == nil)
    let step = follower.update(HeadSample(w: 1, x: 0, y: 0, z: 0, speed: .nan, time: 1))
    #expect(isNear(degrees(step?.pose), [0, 0, 0]))
  }

  /// It hides drift and pulls the view back: 63 % in a time constant, yaw alone.
  @Test func slowRecentringFollowsYawAlone() {
    var parameters = HeadFollower.Parameters()
    parameters.automaticRecentring = 20
    var follower = HeadFollower(parameters)
    _ = follower.update(sample(rotation(0, 0, 0), at: 0))
    var pose: HeadPose?
    for step in 1...1000 { pose = follower.update(sample(rotation(30, -20, 0), at: Double(step) / 50))?.pose }
    #expect(isNear(degrees(pose), [30 * 0.36788, -20, 0], 0.05))
    var still = HeadFollower(.init())
    _ = still.update(sample(rotation(0, 0, 0), at: 0))
    for step in 1...1000 { pose = still.update(sample(rotation(30, -20, 0), at: Double(step) / 50))?.pose }
    #expect(isNear(degrees(pose), [30, -20, 0]))
  }

  /// The trembling of a head at rest becomes a quarter; a fast turn is hardly late.
  @Test func smoothingQuietsRestAndSparesMovement() throws {
    let parameters = try #require(Smoothing.light.parameters)
    var smoother = PoseSmoother(parameters)
    var extremes = (0.0, 0.0)
    for step in 0..<200 {
      let trembling = rotation(step.isMultiple(of: 2) ? 0.5 : -0.5, 0, 0)
      let yaw = degrees(HeadPose(smoother.update(trembling, speed: 0, time: Double(step) / 50)))[0]
      if step > 50 { extremes = (min(extremes.0, yaw), max(extremes.1, yaw)) }
    }
    #expect(extremes.1 - extremes.0 < 0.25)
    smoother.reset()
    var lag = 0.0
    for step in 0..<50 {
      let yaw = Double(step) * 6
      let smoothed = smoother.update(rotation(yaw, 0, 0), speed: Angle(degrees: 300).radians, time: Double(step) / 50)
      lag = HeadPose(smoothed).attitude.angle(to: rotation(yaw, 0, 0))
    }
    // 300°/s: less than half a sample behind.
    #expect(Angle(radians: lag).degrees < 3)
    #expect(Smoothing.off.parameters == nil)
  }

  @Test func afterAGapSmoothingBeginsAnew() throws {
    var smoother = PoseSmoother(try #require(Smoothing.strong.parameters))
    _ = smoother.update(rotation(0, 0, 0), speed: 0, time: 0)
    #expect(smoother.update(rotation(50, 0, 0), speed: 0, time: 2) == rotation(50, 0, 0))
    // Time that goes back as well.
    #expect(smoother.update(rotation(20, 0, 0), speed: 0, time: 1) == rotation(20, 0, 0))
  }

  @Test func theRateThinsOutWhatIsSentAndNothingElse() {
    var parameters = HeadFollower.Parameters()
    parameters.rate = 10
    var follower = HeadFollower(parameters)
    let steps = (0..<100).compactMap { follower.update(sample(rotation(Double($0), 0, 0), at: Double($0) / 50)) }
    #expect(steps.count == 100 && steps.count(where: \.isDue) == 20)
  }
}
