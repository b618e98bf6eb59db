// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionSensing
import MotionTesting
import Testing

@Suite struct TestHeadphonesTests {
  private final class Watcher: NSObject, CMHeadphoneMotionManagerDelegate, Sendable {
    let events = Lock<[String]>([])
    func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {
      events.withLock { $0.append("connect") }
    }
    func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {
      events.withLock { $0.append("disconnect") }
    }
  }

  @Test func headphonesLeaveAndComeBack() async throws {
    try await withMotion("rest 10 s", MotionSetup { $0.headphones = "rest 1 s, look 20° up in 1 s" }) { device in
      let (manager, watcher, count) = (CMHeadphoneMotionManager(), Watcher(), Lock(0))
      manager.delegate = watcher
      manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, _ in
        if motion != nil { count.withLock { $0 += 1 } }
      }
      try await device.playToEnd()
      #expect(count.withLock { $0 } > 90)
      #expect(abs((manager.deviceMotion?.attitude.pitch ?? 0) * 180 / .pi - 20) < 0.5)
      #expect(watcher.events.withLock { $0 } == ["connect"])
      await device.disconnectHeadphones()
      #expect(watcher.events.withLock { $0 } == ["connect", "disconnect"])
      await device.connectHeadphones()
      await device.advance(by: .seconds(1))
      #expect(watcher.events.withLock { $0 } == ["connect", "disconnect", "connect"])
    }
  }

  /// The signs of Core Motion (D24 and Headphones): down is negative pitch, left positive yaw, right positive roll.
  @Test(arguments: [
    ("nod twice, rest 2 s", -20.0, 0.0, 2), ("tilt 20° forward, rest 1 s", -20, -20, 1),
    ("look 15° up, look 15° down, nod 10° 3 times", -10, 0, 3),
  ])
  func pitchFollowsTheScript(_ script: String, lowest: Double, last: Double, swings: Int) async throws {
    let head = try MotionScript(script)
    let pitches = try await pose(of: head) { $0.pitch }
    #expect(abs(try #require(pitches.min()) - lowest) < 0.5)
    #expect(abs(try #require(pitches.last) - last) < 0.1)
    #expect(zip(pitches, pitches.dropFirst()).count { $0 > lowest / 2 && $1 <= lowest / 2 } == swings)
  }

  @Test func aHeadThatIsShakenLooksLeftAndRight() async throws {
    let yaws = try await pose(of: "shake head, look 40° right") { $0.yaw }
    #expect(abs(try #require(yaws.max()) - 30) < 0.5)
    #expect(abs(try #require(yaws.last) + 40) < 0.1)
    let rolls = try await pose(of: "tilt 20° right") { $0.roll }
    #expect(abs(try #require(rolls.last) - 20) < 0.1)
  }

  @Test func aMistakeInTheTextIsThrownBeforeTheTestRuns() async {
    let error = await #expect(throws: SensorError.self) {
      try await withMotion("rest 1 s", MotionSetup { $0.headphones = "rest, nodd twice" }) { _ in
        Issue.record("It ran.")
      }
    }
    #expect(error?.message.contains("“nodd” is not a step") == true && error?.place?.column == "7")
  }

  /// Degrees, one for each sample of the headphones.
  private func pose(of head: MotionScript, _ angle: @escaping @Sendable (CMAttitude) -> Double) async throws -> [Double]
  {
    let angles = Lock<[Double]>([])
    try await withMotion("rest", MotionSetup { $0.headphones = head }) { device in
      let manager = CMHeadphoneMotionManager()
      manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, _ in
        if let motion { angles.withLock { $0.append(angle(motion.attitude) * 180 / .pi) } }
      }
      try await device.playToEnd()
    }
    return angles.withLock { $0 }
  }
}
