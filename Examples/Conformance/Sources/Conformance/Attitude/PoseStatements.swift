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
    poses("S3", "Face up at rest the accelerometer reads (0, 0, −1), face down (0, 0, 1).") { PoseChecks.faces($0) },
    poses("S1", "y points to the top edge, x to the right edge.") { PoseChecks.edges($0) },
    poses("S19", "At a pitch of ±90° all numbers are finite and the attitude is valid.") { try PoseChecks.steep($0) },
    poses("S7", "At rest device motion has no rate.") { PoseChecks.rests($0) },
  ]

  private static func poses(
    _ code: String, _ sentence: String, _ check: @escaping @Sendable ([[MotionSample]]) throws -> [Finding]
  ) -> Statement {
    Statement(code, .poses, sentence, request: "Put the device into six poses, once for all statements; see below.") {
      try need(CMMotionManager().isDeviceMotionAvailable, "This device has no device motion.")
      let poses = await Poses.shared.poses()
      try need(poses.count == Poses.requests.count, "The poses were not taken in time.")
      return try check(poses)
    }
  }
  #endif
}

#if !os(macOS)
/// Six poses, one after the other, each held for half a second. Which sign an axis reads in a pose is what the
/// statements ask, so only the axis tells that a pose is taken, and a turn in between that it is the next one.
actor Poses {
  static let shared = Poses()
  static let requests = [
    "Put the device on a table, face up.", "Turn it over: face down.",
    "Hold it upright: top edge up, screen to you.", "Turn it about its x axis: top edge down.",
    "Hold it with the right edge up.", "Turn it: left edge up.",
  ]
  private var made: [[MotionSample]]?

  func poses() async -> [[MotionSample]] {
    if let made { return made }
    let manager = CMMotionManager()
    manager.deviceMotionUpdateInterval = 0.02
    let samples = Collector<MotionSample>()
    manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
      if let sample { samples.add(MotionSample(sample)) }
    }
    var poses: [[MotionSample]] = []
    var next = 0
    for (number, request) in Self.requests.enumerated() {
      print("\n\(request)\n")
      let end = Date().addingTimeInterval(20 * Settings.current.patience)
      var hold: Range<Int>?
      while hold == nil, Date() < end {
        await pause(0.05)
        hold = PoseChecks.hold(samples.all, from: next, pose: number)
      }
      guard let hold else { break }
      poses.append(Array(samples.all[hold]))
      next = hold.upperBound
    }
    manager.stopDeviceMotionUpdates()
    made = poses
    return poses
  }
}
#endif

enum PoseChecks {
  static let length = 25

  /// The samples in which a pose is held, if it has been yet.
  static func hold(_ samples: [MotionSample], from first: Int, pose: Int) -> Range<Int>? {
    var turned = pose.isMultiple(of: 2)
    var count = 0
    for index in samples.indices.dropFirst(first) {
      let along = abs(component(samples[index].gravity, of: pose))
      if along < 0.5 { turned = true }
      count = turned && along > 0.97 && samples[index].rate.length < 0.3 ? count + 1 : 0
      if count == length { return index + 1 - length..<index + 1 }
    }
    return nil
  }

  /// The axis that the poses 0 and 1, 2 and 3, 4 and 5 are about.
  private static func component(_ vector: Vector, of pose: Int) -> Double { [vector.z, vector.y, vector.x][pose / 2] }

  private static func reading(_ samples: [MotionSample]) -> Vector {
    .mean(samples.map { $0.gravity + $0.userAcceleration })
  }

  static func faces(_ poses: [[MotionSample]]) -> [Finding] {
    [
      .near("z face up, g", reading(poses[0]).z, -1, within: 0.2),
      .near("z face down, g", reading(poses[1]).z, 1, within: 0.2),
    ]
  }

  static func edges(_ poses: [[MotionSample]]) -> [Finding] {
    [
      .near("y with the top edge up, g", reading(poses[2]).y, -1, within: 0.2),
      .near("y with the top edge down, g", reading(poses[3]).y, 1, within: 0.2),
      .near("x with the right edge up, g", reading(poses[4]).x, -1, within: 0.2),
      .near("x with the left edge up, g", reading(poses[5]).x, 1, within: 0.2),
      .near("pitch with the top edge up, degrees", median(poses[2].map { $0.pitch * 180 / .pi }), 90, within: 15),
    ]
  }

  static func steep(_ poses: [[MotionSample]]) throws -> [Finding] {
    let samples = poses[2] + poses[3]
    return AttitudeChecks.everythingIsFinite(samples) + AttitudeChecks.matrixIsTransposed(samples)
      + AttitudeChecks.quaternionIsUnit(samples) + AttitudeChecks.anglesRebuildTheAttitude(samples)
  }

  static func rests(_ poses: [[MotionSample]]) -> [Finding] {
    [.inside("mean rate face up, rad/s", Vector.mean(poses[0].map(\.rate)).length, 0...0.02)]
  }
}
