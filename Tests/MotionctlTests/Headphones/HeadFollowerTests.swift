// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import LiveOutput

/// Straight ahead, and holding: what happens between a sample and a packet.
struct HeadFollowerTests {
  private typealias World = Rotation<NorthWestUp, NorthWestUp>

  private func rotation(_ yaw: Double, _ pitch: Double, _ roll: Double) -> Rotation<Device, NorthWestUp> {
    HeadPose(
      yaw: Angle(degrees: yaw).radians, pitch: Angle(degrees: pitch).radians, roll: Angle(degrees: roll).radians
    )
  }

  private func row(w: Double, x: Double, y: Double, z: Double) -> MotionRow {
    MotionRow(
      time: SensorInstant(nanoseconds: 0), w: w, vector: Vector3(x: x, y: y, z: z), reference: .xArbitrary,
      angularVelocity: .zero, gravity: .zero, linearAcceleration: .zero, accelerationUnit: .reversedGravity)
  }

  private func row(_ q: Rotation<Device, NorthWestUp>) -> MotionRow { row(w: q.w, x: q.x, y: q.y, z: q.z) }

  private func degrees(_ pose: HeadPose?) -> [Double] {
    guard let pose else { return [] }
    return [pose.yaw, pose.pitch, pose.roll].map { Angle(radians: $0).degrees }
  }

  private func isNear(_ values: [Double], _ wanted: [Double], _ tolerance: Double = 1e-9) -> Bool {
    values.count == wanted.count && zip(values, wanted).allSatisfy { abs($0 - $1) < tolerance }
  }

  @Test func theFirstPoseIsStraightAhead() {
    var follower = HeadFollower()
    #expect(isNear(degrees(follower.update(row(rotation(123, 17, -9)))), [0, 0, 0]))
    #expect(follower.recentrings == 1)
  }

  /// Most people's rest pose is not level; a turn of the head is yaw alone all the same.
  @Test(arguments: [-170.0, -15, 0, 29, 95])
  func aTurnIsYawAloneHoweverTheHeadphonesSit(_ start: Double) {
    var follower = HeadFollower()
    let rest = rotation(start, 17, -9)
    _ = follower.update(row(rest))
    for turn in [-120.0, -30, 45, 90] {
      let turned = World(aboutZ: Angle(degrees: turn).radians) * rest
      #expect(isNear(degrees(follower.update(row(turned))), [turn, 0, 0]))
    }
    // Headphones that sit level: nod and tilt come out as they are.
    var level = HeadFollower()
    _ = level.update(row(rotation(start, 0, 0)))
    #expect(isNear(degrees(level.update(row(rotation(start, -20, 0)))), [0, -20, 0]))
    #expect(isNear(degrees(level.update(row(rotation(start, 0, -25)))), [0, 0, -25]))
    #expect(isNear(degrees(level.update(row(rotation(start + 40, -20, -5)))), [40, -20, -5]))
  }

  /// Out of the ear a bud swings about: the view must not.
  @Test func whatNobodyWearsIsNotFollowedAndPutOnAgainIsStraightAhead() {
    var follower = HeadFollower()
    follower.note(isConnected: true)
    _ = follower.update(row(rotation(0, 0, 0)))
    let last = follower.update(row(rotation(12, 0, 0)))
    follower.note(isConnected: false)
    #expect(follower.update(row(rotation(150, 80, 30))) == nil && follower.pose == last)
    follower.note(isConnected: true)
    #expect(isNear(degrees(follower.update(row(rotation(33, 0, 0)))), [0, 0, 0]) && follower.recentrings == 2)
    follower.recentre()
    #expect(isNear(degrees(follower.update(row(rotation(-40, 0, 0)))), [0, 0, 0]))
  }

  @Test func numbersThatAreNoAttitudeNeverLeave() {
    var follower = HeadFollower()
    for (w, x) in [(Double.nan, 0.0), (0, 0), (.infinity, 0), (1, 1)] {
      #expect(follower.update(row(w: w, x: x, y: 0, z: 0)) == nil)
    }
    #expect(follower.pose == nil)
    #expect(isNear(degrees(follower.update(row(w: 1, x: 0, y: 0, z: 0))), [0, 0, 0]))
  }
}
