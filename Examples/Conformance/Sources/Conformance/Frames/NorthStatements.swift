// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Frames with a north, on a device whose magnetometer is calibrated.
enum NorthStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    .samples("S22", "x points to the magnetic north.", group: .frames, in: 4) { try FrameChecks.fieldPointsNorth($0) },
    .samples("S23", "The top edge of a lying device is at 270° − yaw.", group: .frames, in: 4) {
      try FrameChecks.topEdgeOfLyingDevice($0)
    },
    .samples("D1", "Heading: the top edge of a lying device, the back of a standing one.", group: .frames, in: 4) {
      try FrameChecks.headingFollowsD1($0)
    },
    .samples("S28", "In a north frame the heading is 0…360, or −1.", group: .frames, in: 4) {
      try FrameChecks.headingIsInRange($0)
    },
    .observation("S44", "A movement for calibration is asked for once.", group: .frames, in: 4) {
      FrameChecks.movementIsAskedOnce($0.errors, samples: $0.motion.count)
    },
    FrameStatements.manager("S45", "Without a place, true north gives error 102.") {
      try await trueNorth($0)
    },
    FrameStatements.manager("S24", "True north needs a location.") { try await trueNorth($0) },
    later("S29", "The accuracy of the heading is degrees, negative without one.") {
      #if os(Linux) || CONFORMANCE_SDK_27
      let manager = CMMotionManager()
      manager.startDeviceMotionUpdates(using: .xArbitraryZVertical)
      defer { manager.stopDeviceMotionUpdates() }
      for _ in 0..<100 where manager.deviceMotion == nil { await pause(0.02) }
      guard let motion = manager.deviceMotion else { throw Obstacle("There was no device motion.") }
      return [.inside("accuracy without a heading", motion.headingAccuracy, -360...(-1e-9))]
      #else
      return []
      #endif
    },
    later("S30", "The body of device motion is nil by default.") {
      #if os(Linux) || CONFORMANCE_SDK_27
      return [.holds("deviceMotionBody is nil", CMMotionManager().deviceMotionBody == nil)]
      #else
      return []
      #endif
    },
    later("S49", "The authorisation for motion can be read.") {
      #if os(Linux) || CONFORMANCE_SDK_27
      return [.inside("authorizationStatus", Double(CMMotionManager.authorizationStatus.rawValue), 0...3)]
      #else
      return []
      #endif
    },
  ]

  /// A statement about a declaration of the software development kits 27 and later.
  private static func later(
    _ code: String, _ sentence: String, _ ask: @escaping @Sendable () async throws -> [Finding]
  ) -> Statement {
    Statement(code, .frames, sentence) {
      #if os(Linux) || CONFORMANCE_SDK_27
      return try await ask()
      #else
      throw Obstacle("Needs the SDK 27 and CONFORMANCE_SDK=27 in the environment of the build.")
      #endif
    }
  }

  private static func trueNorth(_ manager: CMMotionManager) async throws -> [Finding] {
    let frame = CMAttitudeReferenceFrame.xTrueNorthZVertical
    #if !os(Linux)
    try need(CMMotionManager.availableAttitudeReferenceFrames().contains(frame), "True north is not offered here.")
    #endif
    let heard = Collector<Delivery<Double>>()
    manager.startDeviceMotionUpdates(using: frame, to: serialQueue()) { heard.add($0?.timestamp, $1) }
    _ = await heard.wait(seconds: 3) { $0.contains { $0.error?.code == 102 } }
    manager.stopDeviceMotionUpdates()
    return try FrameChecks.trueNorthIsUnknown(heard.errors(), samples: heard.values().count)
  }
  #endif
}
