// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HeadphoneSources
import TestSupport
import LinuxSources
import MotionAnalysis
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTesting
import SimulatedSources
import Testing

@testable import LiveOutput
@testable import MotionTools

/// The commands with simulated AirPods that speak the bytes of real ones, on virtual time.
@Suite struct HeadphonesAirPodsTests {
  /// Looks ahead, nods twice, turns to the left and to the right, twice over.
  private static let wearer = PoseSpline(
    (0..<2).flatMap { round in
      let poses: [(Double, Double, Double)] = [
        (0, 0, 0), (4, 0, 0), (4.8, 0, -25), (7, 0, -25), (7.8, 0, 0), (10.5, 0, 0), (11.3, 0, -25), (13.5, 0, -25),
        (14.3, 0, 0), (16, 0, 0), (17.5, 45, 0), (18, 45, 0), (21, -45, 0), (21.5, -45, 0), (23, 0, 0),
      ]
      return poses.map { time, yaw, pitch in
        let q = HeadPose(yaw: Angle(degrees: yaw).radians, pitch: Angle(degrees: pitch).radians, roll: 0).attitude
        return PoseSpline.Pose(
          time: time + Double(round) * 23.5, attitude: q.relabeled(from: Device.self, to: EastNorthUp.self))
      }
    })

  private let clock = VirtualClock()

  /// Runs what blocks on a thread of its own, while virtual time goes on.
  private func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let isDone = Lock(false)
    let clock = clock
    async let time: Void = {
      while !isDone.withLock({ $0 }) { await clock.advance(by: .milliseconds(200)) }
    }()
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let result = Swift.Result(catching: body)
        isDone.withLock { $0 = true }
        continuation.resume(returning: result)
      }
    }
    await time
    return try result.get()
  }

  private func headphones(
    _ peer: AirPodsPeer, options: [String: String] = [:], mounts: HeadMounts? = nil
  ) throws -> HeadphoneSelection {
    let source = try AirPodsSource(device: AirPodsPeer.address, mounts: mounts, connector: peer, options: options)
    // The entry of a simulation, with another source and clock in it.
    var entry = try SourceCatalog().open(try SourceURI("simulate:headphones"))
    (entry.source, entry.clock) = (source, clock)
    return HeadphoneSelection(selection: SourceSelection(name: "airpods:", entry: entry))
  }

  /// Section 13: on clean data the mount comes out to a tenth of a degree, of either side.
  @Test(arguments: [MotionRow.Location.headphoneLeft, .headphoneRight])
  func lookAndNodFindsTheMountOfEachSide(_ side: MotionRow.Location) async throws {
    let peer = AirPodsPeer(trajectory: Self.wearer) { $0.side = side }
    let headphones = try headphones(peer, options: ["mount": "bud"])
    let mountRun = HeadMountRun(headphones, parameters: .init(), limit: 180)
    let measured = try await run { try mountRun.measure(Completion()) }
    let truth = side == .headphoneLeft ? peer.configuration.leftMount : peer.configuration.rightMount
    let error = Angle(radians: measured.result.mount.rotation.angle(to: truth.rotation)).degrees
    print("mount of \(side): \(error)° from the truth")
    #expect(error < 0.1 && measured.side == side && measured.result.repeats == 0)
    #expect(headphones.status?.address == AirPodsPeer.address)
  }

  /// What the buds say of themselves reaches the person who watches.
  @Test func batteriesWearAndSideAreShown() async throws {
    let peer = AirPodsPeer(trajectory: HeadNod())
    let headphones = try headphones(peer, mounts: peer.mounts)
    let completion = Completion()
    let watch = HeadWatchRun(
      headphones, parameters: .init(), senders: [], limit: Seconds(3), text: .none, completion: completion)
    let outcome = try await run { try watch.follow(every: .milliseconds(20)) {} }
    guard case .done = outcome else {
      Issue.record("It ended with \(outcome).")
      return
    }
    let content = watch.content
    #expect(content.isConnected && content.isWorn == true && content.side == "left bud" && content.pose != nil)
    #expect(content.battery?.contains("left") == true && content.calibration == "user")
    #expect(content.name.contains("AAP over L2CAP") && content.recentrings == 1)
  }
}
