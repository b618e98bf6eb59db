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
    try await withMotion("rest 10 s", MotionSetup { $0.headphones = [.rest(1), .tilt(degrees: 20, .back, for: 1)] }) {
      device in
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
}
