// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

import CoreMotion
import MotionTesting
import Testing

@testable import Gestures

/// The recogniser on motions told in words. Each test has a device of its own, so they run side by side.
@MainActor @Suite struct GestureTests {
  @Test func aShakeIsFelt() async throws {
    try await withMotion("rest 1 s, shake 2 s, rest 1 s") { device in
      let gestures = GestureRecognizer()
      var shakes = 0
      gestures.onShake = { shakes += 1 }
      #expect(gestures.start())
      try await device.playToEnd()
      #expect((1...3).contains(shakes))
    }
  }

  @Test func anObservableModelFollowsTheDevice() async throws {
    try await withMotion("rest 1 s, tilt 30° back in 0.5 s, rest 1 s") { device in
      let model = TiltModel()
      model.start()
      try await device.playToEnd()
      #expect(abs(model.pitch - .pi / 6) < 0.05)
    }
  }

  @Test func aTiltToTheRightIsToldOnce() async throws {
    try await withMotion([.rest(1), .tilt(degrees: 30, .right, for: 0.5), .rest(1)]) { device in
      let gestures = GestureRecognizer()
      var tilts: [GestureRecognizer.Tilt] = []
      gestures.onTilt = { tilts.append($0) }
      #expect(gestures.start())
      try await device.playToEnd()
      #expect(tilts == [.right])
    }
  }

  @Test func theStepsOfAWalkAreCounted() async throws {
    try await withMotion("tilt 35° back in 0.5 s, walk 10 s, rest 1 s") { device in
      let gestures = GestureRecognizer()
      var steps = 0
      gestures.onStep = { steps += 1 }
      #expect(gestures.start())
      try await device.playToEnd()
      // Two steps a second; the first and the last second fade in and out.
      #expect((16...21).contains(steps))
    }
  }

  @Test func aTurnOnTheTableIsNoGesture() async throws {
    try await withMotion("rest 1 s, turn 90° left in 1 s, rest 1 s") { device in
      let gestures = GestureRecognizer()
      var events = 0
      gestures.onShake = { events += 1 }
      gestures.onStep = { events += 1 }
      gestures.onTilt = { _ in events += 1 }
      #expect(gestures.start())
      try await device.playToEnd()
      #expect(events == 0)
    }
  }

  @Test func withoutAGyroscopeItDoesNotStart() async throws {
    try await withMotion("rest", MotionSetup { $0.hasGyroscope = false }) { _ in
      #expect(!GestureRecognizer().start())
    }
  }

  @Test func aSensorThatLeavesIsReported() async throws {
    try await withMotion("rest 5 s") { device in
      let gestures = GestureRecognizer()
      var failures = 0
      gestures.onFailure = { _ in failures += 1 }
      #expect(gestures.start())
      await device.advance(by: .seconds(1))
      await device.unplug()
      #expect(failures == 1)
    }
  }

  @Test func aSampleMadeByHandIsEnough() {
    let gestures = GestureRecognizer()
    gestures.take(CMDeviceMotion(attitude: CMAttitude(rollDegrees: -40, pitchDegrees: 0, yawDegrees: 0)))
    #expect(gestures.tilt == .left)
  }
}

#endif
