// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

import CoreMotion
import MotionTesting
import Testing

@testable import Gestures

/// The shapes of apps, tested as they stand.
@MainActor @Suite(.serialized) struct AppShapeTests {
  /// The manager may be older than the test: a start belongs to the device in whose scope it is called.
  @Test func aSharedManagerServesEachTest() async throws {
    for _ in 0..<2 {
      try await withMotion("rest 1 s, turn 90° left in 1 s, rest 1 s") { device in
        MotionService.shared.start()
        try await device.playToEnd()
        #expect(MotionService.shared.turns > 20)
        MotionService.shared.stop()
      }
    }
  }

  /// The task has not begun when `playToEnd` is called, and is waited for.
  @Test func aTaskOfAViewFollowsTheDevice() async throws {
    try await withMotion("rest 1 s, tilt 30° right in 0.5 s, rest 1 s") { device in
      let level = Level()
      let task = Task { await level.watch() }
      try await device.playToEnd()
      try await device.advance(until: { abs(level.roll - .pi / 6) < 0.05 }, within: .seconds(1))
      task.cancel()
    }
  }

  @Test func aDelegateFollowsTheHeadphones() async throws {
    try await withMotion("rest 5 s", MotionSetup { $0.headphones = "rest 5 s" }) { device in
      let indicator = HeadphoneIndicator()
      indicator.start()
      await device.advance(by: .seconds(1))
      #expect(indicator.isConnected)
      await device.disconnectHeadphones()
      #expect(!indicator.isConnected)
      await device.connectHeadphones()
      await device.advance(by: .seconds(1))
      #expect(indicator.isConnected)
    }
  }
}

#endif
