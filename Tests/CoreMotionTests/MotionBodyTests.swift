// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionTesting
import Testing

/// S30, D46: device motion in the axes of a body, per manager.
@Suite struct MotionBodyTests {
  private func close(_ a: [Double], _ b: [Double]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) < 1e-9 } }

  /// Every quantity is the device's, turned exactly; a second manager stays with the device.
  @Test(arguments: [
    "turn to portrait", "turn to landscape left", "turn to landscape right", "turn to portrait upside down",
    "fold to 90°", "fold to 0", "fold to 135°",
  ])
  func motionFollowsTheBody(_ words: String) async throws {
    try await withMotion("rest 0.5 s, tilt 30° right in 0.5 s, turn 70° left in 1 s, shake 1 s") { device in
      let body = ScriptedBody()
      let (turned, plain) = (CMMotionManager(), CMMotionManager())
      turned.deviceMotionBody = body
      turned.startDeviceMotionUpdates()
      plain.startDeviceMotionUpdates()
      try body.perform(words)
      for _ in 0..<20 {
        await device.advance(by: .milliseconds(130))
        let (a, b) = (try #require(turned.deviceMotion), try #require(plain.deviceMotion))
        let q = body.rotationInDevice
        let inDevice = try #require(Rotation<Device, Device>(w: q.w, x: q.x, y: q.y, z: q.z))
        func same(_ body: [Double], _ device: [Double]) -> Bool {
          let v = inDevice * Vector3<Device>(x: body[0], y: body[1], z: body[2])
          return close([v.x, v.y, v.z], device)
        }
        #expect(same([a.gravity.x, a.gravity.y, a.gravity.z], [b.gravity.x, b.gravity.y, b.gravity.z]))
        #expect(
          same(
            [a.userAcceleration.x, a.userAcceleration.y, a.userAcceleration.z],
            [b.userAcceleration.x, b.userAcceleration.y, b.userAcceleration.z]))
        #expect(
          same(
            [a.rotationRate.x, a.rotationRate.y, a.rotationRate.z],
            [b.rotationRate.x, b.rotationRate.y, b.rotationRate.z]))
        // S14 holds in the body's axes, too.
        let m = a.attitude.rotationMatrix
        #expect(close([-m.m13, -m.m23, -m.m33], [a.gravity.x, a.gravity.y, a.gravity.z]))
      }
      turned.deviceMotionBody = nil
      await device.advance(by: .milliseconds(20))
      let (a, b) = (try #require(turned.deviceMotion), try #require(plain.deviceMotion))
      #expect((a.gravity.x, a.gravity.y, a.gravity.z) == (b.gravity.x, b.gravity.y, b.gravity.z))
    }
  }

  /// A device that lies on its left side, its top to the left, is upright for an interface in landscape.
  @Test func landscapeIsUprightInItsOwnAxes() async throws {
    try await withMotion("tilt 90° right in 0.5 s, rest 1 s") { device in
      let manager = CMMotionManager()
      manager.startDeviceMotionUpdates()
      try await device.playToEnd()
      let own = try #require(manager.deviceMotion).gravity
      let body = ScriptedBody()
      body.turn(to: own.x > 0 ? .landscapeRight : .landscapeLeft)
      manager.deviceMotionBody = body
      await device.advance(by: .milliseconds(20))
      #expect(abs(try #require(manager.deviceMotion).gravity.y + 1) < 0.01)
    }
  }

  /// Any other body leaves the device's axes.
  @Test func aBodyOfAnotherKindChangesNothing() async throws {
    final class View: NSObject, CMBodyIdentifiable {}
    try await withMotion("tilt 40° right in 0.5 s, rest 1 s") { device in
      let manager = CMMotionManager()
      manager.deviceMotionBody = View()
      manager.startDeviceMotionUpdates()
      try await device.playToEnd()
      #expect(try #require(manager.deviceMotion).gravity.x > 0.5 && manager.deviceMotionBody is View)
    }
  }

  @Test func wordsThatAreNotUnderstoodAreNamed() {
    #expect(throws: SensorError.self) { try ScriptedBody().perform("fold to 190") }
    #expect(throws: SensorError.self) { try ScriptedBody().perform("spin") }
  }

  /// S49, D47: the property of 27.2, and the method of an earlier page.
  @Test func bothSpellingsOfTheStatusCompile() {
    MotionHost().run {
      let status: CMAuthorizationStatus = CMMotionManager.authorizationStatus
      #expect(status == .authorized && CMMotionManager.authorizationStatus() == .authorized)
      switch CMMotionManager.authorizationStatus() {
      case .authorized: break
      default: Issue.record("not authorised")
      }
    }
  }
}
