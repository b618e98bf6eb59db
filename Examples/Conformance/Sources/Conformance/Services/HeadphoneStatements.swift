// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Motion of headphones.
enum HeadphoneStatements {
  static let all: [Statement] = [
    headphones("S54", "Samples come from the left or the right bud.") { manager in
      let samples = try await motion(manager)
      return [
        .equal(
          "samples from elsewhere",
          samples.count {
            ![
              CMDeviceMotion.SensorLocation.headphoneLeft.rawValue,
              CMDeviceMotion.SensorLocation.headphoneRight.rawValue,
            ]
            .contains($0.location)
          }, 0)
      ]
    },
    headphones("S55", "There is no interval: the headphones have their own rate.") { manager in
      [.inside("samples a second", 1 / median(IntervalChecks.steps(try await motion(manager).map(\.time))), 5...200)]
    },
    headphones("D10", "The rate is 25 or 50 Hz.") { HeadphoneChecks.rate(try await motion($0).map(\.time)) },
    headphones("S11", "The quaternion turns gravity down; S12 to S14 hold for headphones.") { manager in
      let samples = try await motion(manager)
      return AttitudeChecks.matrixIsTransposed(samples) + AttitudeChecks.anglesFollowQuaternion(samples)
        + AttitudeChecks.quaternionTurnsGravityDown(samples)
    },
    headphones("S56", "The delegate is called on the queue of the start, else on the main one.") { manager in
      let queue = serialQueue()
      let listener = HeadphoneListener(queue)
      manager.delegate = listener
      manager.startDeviceMotionUpdates(to: queue) { _, _ in }
      let onQueue = await listener.events.wait(for: 1, seconds: 3)
      manager.stopDeviceMotionUpdates()
      await pause(0.2)
      listener.events.removeAll()
      manager.startDeviceMotionUpdates()
      let onMain = await listener.events.wait(for: 1, seconds: 3)
      manager.stopDeviceMotionUpdates()
      try need(!onQueue.isEmpty && !onMain.isEmpty, "The delegate was not called.")
      return [
        .equal("calls elsewhere than on the queue", onQueue.count { !$0.onQueue }, 0),
        .equal("calls elsewhere than on the main thread", onMain.count { !$0.onMain }, 0),
      ]
    },
    headphones("S57", "Connection status comes without motion, and its stop undoes only that.") { manager in
      let listener = HeadphoneListener(nil)
      manager.delegate = listener
      manager.startConnectionStatusUpdates()
      let statusOnly = [manager.isConnectionStatusActive, manager.isDeviceMotionActive]
      manager.startDeviceMotionUpdates()
      manager.stopConnectionStatusUpdates()
      let motionOnly = [manager.isConnectionStatusActive, manager.isDeviceMotionActive]
      manager.stopDeviceMotionUpdates()
      return [
        .equal("status and motion are active after the start of status", statusOnly, [true, false]),
        .equal("after the start of motion and the stop of status", motionOnly, [false, true]),
      ]
    },
    headphones("D11", "Who starts while headphones are connected receives one didConnect.") { manager in
      let listener = HeadphoneListener(nil)
      manager.delegate = listener
      manager.startConnectionStatusUpdates()
      await pause(1.5)
      manager.stopConnectionStatusUpdates()
      return [.equal("events", listener.events.all.map(\.connected), [true])]
    },
    headphones("D12", "Where yaw begins (for the record).") { manager in
      let samples = try await motion(manager)
      return [
        .note("first roll, pitch, yaw", "\(samples[0].roll), \(samples[0].pitch), \(samples[0].yaw)"),
        .inside("first yaw", samples[0].yaw, -Double.pi...Double.pi),
      ]
    },
    Statement("S58", .headphones, "Motion of headphones is available without a connection.") {
      [.holds("isDeviceMotionAvailable", CMHeadphoneMotionManager().isDeviceMotionAvailable)]
    },
  ]

  static func headphones(
    _ code: String, _ sentence: String, _ ask: @escaping @Sendable (CMHeadphoneMotionManager) async throws -> [Finding]
  ) -> Statement {
    Statement(code, .headphones, sentence) {
      let manager = CMHeadphoneMotionManager()
      try need(manager.isDeviceMotionAvailable, "This device has no motion of headphones.")
      return try await ask(manager)
    }
  }

  private static func motion(_ manager: CMHeadphoneMotionManager) async throws -> [MotionSample] {
    let samples = Collector<MotionSample>()
    manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
      if let sample { samples.add(MotionSample(sample)) }
    }
    let heard = await samples.wait(for: 40, seconds: 4)
    manager.stopDeviceMotionUpdates()
    try need(heard.count >= 20, "The headphones brought no motion: wear them.")
    return heard
  }
}

/// A delegate that notes where it was called.
///
/// `@unchecked Sendable`: its properties are constants, and the collector has a lock.
final class HeadphoneListener: NSObject, CMHeadphoneMotionManagerDelegate, @unchecked Sendable {
  struct Event: Sendable {
    var connected, onMain, onQueue: Bool
  }
  let events = Collector<Event>()
  private let queue: OperationQueue?

  init(_ queue: OperationQueue?) { self.queue = queue }

  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { note(true) }
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { note(false) }

  private func note(_ connected: Bool) {
    events.add(
      Event(
        connected: connected, onMain: isOnMainQueue, onQueue: queue != nil && OperationQueue.current === queue))
  }
}

enum HeadphoneChecks {
  static func rate(_ times: [Double]) -> [Finding] {
    let rate = 1 / median(IntervalChecks.steps(times))
    return [.inside("25 or 50 Hz, distance of the rate", min(abs(rate - 25), abs(rate - 50)), 0...2.5)]
  }
}
