// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

enum FrameStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    .samples("S20", "In the arbitrary frame yaw begins near 0.", group: .frames) { FrameChecks.yawBeginsNearZero($0) },
    .samples("S21", "In the corrected frame yaw does not jump.", group: .frames, in: 2) {
      FrameChecks.yawDoesNotJump($0)
    },
    .samples("S28", "Outside the north frames the heading is −1.", group: .frames) { FrameChecks.noHeading($0) },
    manager("S25", "The offered frames are a mask of the four.") { _ in
      let offered = CMMotionManager.availableAttitudeReferenceFrames()
      return [
        .equal("bits beside the four", offered.rawValue & ~15, 0),
        .holds("xArbitraryZVertical is offered", offered.contains(.xArbitraryZVertical)),
        .note("offered", "\(offered.rawValue)"),
      ]
    },
    manager("S26", "The frame in use, else the last one, else xArbitraryZVertical.") { manager in
      let before = manager.attitudeReferenceFrame.rawValue
      let other = try otherFrame()
      manager.startDeviceMotionUpdates(using: other)
      await pause(0.2)
      let during = manager.attitudeReferenceFrame.rawValue
      manager.stopDeviceMotionUpdates()
      return [
        .equal("before any start", before, 1), .equal("while in use", during, other.rawValue),
        .equal("after the stop", manager.attitudeReferenceFrame.rawValue, other.rawValue),
      ]
    },
    manager("S27", "A start with a frame stores it; a plain start uses the stored one.") { manager in
      let other = try otherFrame()
      manager.startDeviceMotionUpdates(using: other)
      manager.stopDeviceMotionUpdates()
      manager.startDeviceMotionUpdates()
      defer { manager.stopDeviceMotionUpdates() }
      return [.equal("frame of the plain start", manager.attitudeReferenceFrame.rawValue, other.rawValue)]
    },
    manager("D20", "A north frame that is not offered gives one error and no data.") { manager in
      #if os(Linux)
      let frame = CMAttitudeReferenceFrame.xMagneticNorthZVertical
      try need(!CMMotionManager.availableAttitudeReferenceFrames().contains(frame), "The frame is offered here.")
      let heard = Collector<Delivery<Double>>()
      manager.startDeviceMotionUpdates(using: frame, to: serialQueue()) { heard.add($0?.timestamp, $1) }
      await pause(1)
      manager.stopDeviceMotionUpdates()
      return [
        .equal("codes of the errors", heard.errors().map(\.code), [109]), .equal("samples", heard.values().count, 0),
      ]
      #else
      throw Obstacle("Apple's documentation calls such a start a mistake; it may end the app.")
      #endif
    },
  ]

  /// A statement about a manager of its own.
  static func manager(
    _ code: String, _ sentence: String, group: Statement.Group = .frames,
    _ ask: @escaping @Sendable (CMMotionManager) async throws -> [Finding]
  ) -> Statement {
    Statement(code, group, sentence) {
      let manager = CMMotionManager()
      try need(manager.isDeviceMotionAvailable, "This device has no device motion.")
      return try await ask(manager)
    }
  }

  private static func otherFrame() throws -> CMAttitudeReferenceFrame {
    let corrected = CMAttitudeReferenceFrame.xArbitraryCorrectedZVertical
    try need(CMMotionManager.availableAttitudeReferenceFrames().contains(corrected), "There is one frame only.")
    return corrected
  }
  #endif
}
