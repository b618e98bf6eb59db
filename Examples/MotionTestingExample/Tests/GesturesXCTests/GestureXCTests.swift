// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

import CoreMotion
import MotionTesting
import XCTest

@testable import Gestures

/// The same kit in XCTest: `withMotion` in an async test, or a device that is installed for the whole test case.
final class GestureXCTests: XCTestCase {
  func testAShakeIsFelt() async throws {
    try await withMotion("rest 1 s, shake 2 s, rest 1 s") { device in
      let gestures = GestureRecognizer()
      let felt = expectation(description: "a shake")
      felt.assertForOverFulfill = false
      gestures.onShake = { felt.fulfill() }
      XCTAssertTrue(gestures.start(on: OperationQueue()))
      try await device.playToEnd()
      await fulfillment(of: [felt], timeout: 0)
    }
  }

  /// A timer wants a run loop, which XCTest has, and the pace of the wall clock.
  @MainActor func testATimerPolls() async throws {
    try await withMotion("rest 300 ms", MotionSetup { $0.pace = .realTime }) { device in
      let poller = Poller()
      poller.start()
      try await device.playToEnd()
      poller.stop()
      XCTAssertGreaterThan(poller.readings, 1)
    }
  }
}

/// No scope reaches into code that makes its managers on queues of its own: there the device is installed.
final class InstalledDeviceXCTests: XCTestCase {
  private let device = TestDevice([.rest(1), .tilt(degrees: 30, .left, for: 0.5), .rest(1)])

  override func setUp() { device.install() }
  override func tearDown() { device.remove() }

  func testATiltToTheLeft() async throws {
    let gestures = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let gestures = GestureRecognizer()
        _ = gestures.start(on: OperationQueue())
        continuation.resume(returning: gestures)
      }
    }
    try await device.playToEnd()
    XCTAssertEqual(gestures.tilt, .left)
  }
}

#endif
