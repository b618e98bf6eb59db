// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionTesting
import SimulatedSources
import Testing

/// S71, D41: what a client that watches for parking receives.
@Suite struct TestActivitiesTests {
  /// By the seconds since the start.
  private func activities(
    _ script: MotionScript, _ setup: MotionSetup = MotionSetup()
  ) async throws -> [(second: Double, automotive: Bool, stationary: Bool, walking: Bool)] {
    try await withMotion(script, setup) { device in
      let (manager, start) = (CMMotionActivityManager(), device.now)
      let all = Lock<[(second: Double, automotive: Bool, stationary: Bool, walking: Bool)]>([])
      manager.startActivityUpdates(to: OperationQueue()) { activity in
        guard let activity else { return }
        let second = device.now.timeIntervalSince(start)
        all.withLock { $0.append((second, activity.automotive, activity.stationary, activity.walking)) }
      }
      try await device.playToEnd()
      return all.withLock { $0 }
    }
  }

  @Test(arguments: [10.0, 20, 40, 180])
  func aCarThatWaitsIsACar(stop: Double) async throws {
    let reported = try await activities([.drive(120), .rest(stop), .drive(60)])
    let first = try #require(reported.first { $0.automotive })
    #expect(reported.allSatisfy { $0.second < first.second || $0.automotive }, "\(reported)")
    #expect(reported.contains { $0.automotive && $0.stationary })
  }

  @Test func twelveRedLightsAndTwoCrossingsDoNotEndADrive() async throws {
    let legs = [10.0, 20, 40, 10, 20, 40, 180, 10, 20, 40, 10, 20, 40, 180].flatMap {
      [MotionStep.rest($0), .drive(60)]
    }
    let reported = try await activities(MotionScript([.drive(120)] + legs), MotionSetup { $0.rate = 50 })
    let first = try #require(reported.first { $0.automotive })
    #expect(reported.allSatisfy { $0.second < first.second || $0.automotive }, "\(reported)")
  }

  @Test(
    arguments: [20.0, 60, 180],
    [[.walk(30)], [.climb(floors: 3)], [.shake(30, frequency: 1.5)]] as [MotionScript])
  func aParkedCarEndsWithTheWalkOrWithTheHand(stop: Double, hand: MotionScript) async throws {
    let reported = try await activities([.drive(120), .rest(stop)] + hand)
    let next = try #require(
      reported.last { $0.automotive }.flatMap { last in reported.first { $0.second > last.second } })
    #expect((120 + stop..<120 + stop + 8).contains(next.second), "\(reported)")
    #expect(reported.contains { $0.walking } == (hand.stepCount > 0), "\(reported)")
  }

  /// Gently: no window of these looks like anything but rest or a vehicle.
  @Test(
    arguments: [
      "tilt 60° back in 1 s", "move 0.5 m up in 1 s, tilt 60° back in 0.7 s, turn 60° left in 1 s",
      "move 0.5 m up in 1 s, tilt 70° back in 1 s, tilt 10° back, turn 5° left, tilt 10° forward, turn 5° right",
      "tilt 180° back in 1 s, rest 5 s, tilt 180° forward in 1 s",
    ] as [MotionScript], [DeviceErrorModel.ideal, .phone])
  func aDeviceThatIsPickedUpHasLeftTheCar(hand: MotionScript, errors: DeviceErrorModel) async throws {
    let setup = MotionSetup { $0.errors = errors }
    let reported = try await activities([.drive(180), .rest(30)] + hand + [.rest(60)], setup)
    let end = try #require(reported.first { $0.second > 200 && !$0.automotive })
    #expect((210..<218).contains(end.second), "\(reported)")
    #expect(reported.allSatisfy { $0.second < end.second || !$0.automotive }, "\(reported)")
  }

  @Test func aCarThatIsLeftAloneIsParkedAfterMinutes() async throws {
    let reported = try await activities([.drive(120), .rest(400)])
    let end = try #require(reported.first { $0.second > 120 && !$0.automotive })
    #expect(end.stationary && (120 + 180..<120 + 300).contains(end.second), "\(end)")
    #expect(reported.allSatisfy { $0.second < end.second || !$0.automotive }, "\(reported)")
  }
}
