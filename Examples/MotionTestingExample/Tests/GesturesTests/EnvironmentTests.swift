// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

import CoreMotion
import Foundation
import Testing

/// A test without the kit: its device is that of the environment, as in a program. It stands beside tests with the kit.
///
///     MOTION_SOURCE='replay:Fixtures/walk.csv?speed=max' MOTION_STRICT=1 swift test
@Suite struct EnvironmentTests {
  private static let hasSource = ProcessInfo.processInfo.environment["MOTION_SOURCE"] != nil

  /// A handler is always called: with samples, or with the reason why there are none.
  @Test(.enabled(if: hasSource)) func theDeviceOfTheEnvironmentDelivers() async throws {
    // The manager belongs to the test, which outlives the hundredth sample.
    let manager = CMMotionManager()
    let queue = OperationQueue()
    let last = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<TimeInterval, any Error>) in
      var count = 0
      manager.startDeviceMotionUpdates(to: queue) { motion, error in
        count += 1
        if count == 1, let error { continuation.resume(throwing: error) }
        if count == 100, let motion { continuation.resume(returning: motion.timestamp) }
      }
    }
    manager.stopDeviceMotionUpdates()
    #expect(last > 0)
  }
}

#endif
