// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Poses in which a person holds the device.
enum PoseStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    pose(
      "S1", "Held upright, y points up, along the top edge.",
      request: "Hold the device upright: top edge up, screen to you.",
      toward: Vector(x: 0, y: -1, z: 0)
    ) { PoseChecks.upright($0) },
    pose(
      "S1", "x points to the right edge.", request: "Turn the device upright, then a quarter turn: its right edge up.",
      toward: Vector(x: -1, y: 0, z: 0)
    ) { PoseChecks.pose($0, Vector(x: -1, y: 0, z: 0)) },
    pose(
      "S3", "Face up at rest the accelerometer reads (0, 0, −1).", request: "Put the device on a table, face up.",
      toward: Vector(x: 0, y: 0, z: -1)
    ) { PoseChecks.pose($0, Vector(x: 0, y: 0, z: -1)) },
    pose(
      "S3", "Face down it reads (0, 0, 1).", request: "Put the device on a table, face down.",
      toward: Vector(x: 0, y: 0, z: 1)
    ) { PoseChecks.pose($0, Vector(x: 0, y: 0, z: 1)) },
    pose(
      "S19", "At a pitch of 90° all numbers are finite.", request: "Hold the device upright again: top edge up.",
      toward: Vector(x: 0, y: -1, z: 0)
    ) { try PoseChecks.steep($0) },
    pose(
      "S7", "At rest device motion has no rate.", request: "Put the device on a table, face up, and leave it there.",
      toward: Vector(x: 0, y: 0, z: -1)
    ) { PoseChecks.rests($0) },
  ]

  /// Waits until the accelerometer reads about `direction` for half a second.
  private static func pose(
    _ code: String, _ sentence: String, request: String, toward direction: Vector,
    _ check: @escaping @Sendable ([MotionSample]) throws -> [Finding]
  ) -> Statement {
    Statement(code, .poses, sentence, request: request) {
      let manager = CMMotionManager()
      try need(manager.isDeviceMotionAvailable, "This device has no device motion.")
      manager.deviceMotionUpdateInterval = 0.02
      let samples = Collector<MotionSample>()
      manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
        guard let sample = sample.map(MotionSample.init) else { return }
        // The direction decides which pose is meant; the check decides whether it is right.
        let isPose = sample.gravity.distance(to: direction) < 0.15 && sample.rate.length < 0.3
        if isPose { samples.add(sample) } else if samples.count < 25 { samples.removeAll() }
      }
      let held = await samples.wait(for: 25, seconds: 30 * Settings.current.patience)
      manager.stopDeviceMotionUpdates()
      try need(held.count >= 25, "The pose was not held for half a second.")
      return try check(held)
    }
  }
  #endif
}

enum PoseChecks {
  static func pose(_ samples: [MotionSample], _ expected: Vector) -> [Finding] {
    let reading = Vector.mean(samples.map { $0.gravity + $0.userAcceleration })
    return [
      .near("x, g", reading.x, expected.x, within: 0.2), .near("y, g", reading.y, expected.y, within: 0.2),
      .near("z, g", reading.z, expected.z, within: 0.2),
    ]
  }

  /// Upright is a pitch of 90° about x: it tells +y from −y and from z.
  static func upright(_ samples: [MotionSample]) -> [Finding] {
    pose(samples, Vector(x: 0, y: -1, z: 0))
      + [.near("pitch, degrees", median(samples.map { $0.pitch * 180 / .pi }), 90, within: 12)]
  }

  static func steep(_ samples: [MotionSample]) throws -> [Finding] {
    try need(samples.contains { $0.pitch > 1.4 }, "The pitch did not come near 90°.")
    return AttitudeChecks.everythingIsFinite(samples) + AttitudeChecks.matrixIsTransposed(samples)
      + AttitudeChecks.quaternionIsUnit(samples)
  }

  static func rests(_ samples: [MotionSample]) -> [Finding] {
    [.inside("mean rate, rad/s", Vector.mean(samples.map(\.rate)).length, 0...0.02)]
  }
}
