// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reference frames, north and heading, held against samples. Nothing here knows a device.
enum FrameChecks {
  static func yawBeginsNearZero(_ samples: [MotionSample]) -> [Finding] {
    [.near("yaw of the first sample", samples[0].yaw, 0, within: 0.15)]
  }

  static func yawDoesNotJump(_ samples: [MotionSample]) -> [Finding] {
    let jumps = zip(samples, samples.dropFirst()).compactMap { earlier, later -> Double? in
      let time = later.time - earlier.time
      guard time > 0, time < 0.05 else { return nil }
      let turned = (earlier.quaternion.inverse * later.quaternion).rotationVector
      return turned.distance(to: (time / 2) * (earlier.rate + later.rate))
    }
    return .largest("turn between two samples that the rates do not explain", jumps, atMost: 0.1)
  }

  /// In a north frame the horizontal field points along x.
  static func fieldPointsNorth(_ samples: [MotionSample]) throws -> [Finding] {
    let calibrated = samples.filter { $0.fieldAccuracy >= 0 }
    try need(calibrated.count >= 20, "The magnetometer is not calibrated.")
    let degrees = calibrated.map { sample in
      let field = sample.quaternion.turned(sample.field)
      return atan2(field.y, field.x) * 180 / .pi
    }
    return [.near("azimuth of the field in the frame, median, degrees", median(degrees), 0, within: 15)]
  }

  static func topEdgeOfLyingDevice(_ samples: [MotionSample]) throws -> [Finding] {
    let lying = samples.filter { abs($0.gravity.z) > 0.8 && $0.heading >= 0 }
    try need(lying.count >= 20, "The device did not lie.")
    return [
      .inside(
        "median |heading − (270° − yaw)|, degrees",
        median(lying.map { abs(turnDegrees($0.heading - 270 + $0.yaw * 180 / .pi)) }), 0...3)
    ]
  }

  static func headingFollowsD1(_ samples: [MotionSample]) throws -> [Finding] {
    let clear = samples.filter { $0.heading >= 0 && abs(abs($0.gravity.y) - abs($0.gravity.z)) > 0.1 }
    try need(clear.count >= 20, "There was no heading.")
    func errors(_ samples: [MotionSample]) -> [Double] {
      samples.map { abs(turnDegrees($0.heading - headingOfD1($0.quaternion, gravity: $0.gravity))) }
    }
    let lying = errors(clear.filter { abs($0.gravity.y) < abs($0.gravity.z) })
    let standing = errors(clear.filter { abs($0.gravity.y) > abs($0.gravity.z) })
    return [
      lying.isEmpty ? nil : Finding.inside("lying: median error of the top edge's azimuth", median(lying), 0...3),
      standing.isEmpty ? nil : Finding.inside("standing: median error of the back's azimuth", median(standing), 0...3),
    ].compactMap(\.self)
  }

  static func headingIsInRange(_ samples: [MotionSample]) throws -> [Finding] {
    let known = samples.map(\.heading).filter { $0 >= 0 }
    try need(!known.isEmpty, "The heading was never known.")
    let unknown = samples.map(\.heading).filter { $0 < 0 }.map { $0 + 1 }
    let largest = Finding.inside("largest heading", known.max() ?? .nan, 0...360)
    return [largest] + [Finding].largest("heading + 1 where it is unknown", unknown, atMost: 0)
  }

  static func noHeading(_ samples: [MotionSample]) -> [Finding] {
    .largest("heading + 1", samples.map { $0.heading + 1 }, atMost: 0)
  }

  static func movementIsAskedOnce(_ errors: [Failure], samples: Int) -> [Finding] {
    [
      .inside("errors 101 (device requires movement)", Double(errors.count { $0.code == 101 }), 0...1),
      .inside("samples beside them", Double(samples), 1...1e6),
      .holds("all errors are in CMErrorDomain", errors.allSatisfy { $0.domain == "CMErrorDomain" }),
    ]
  }

  static func trueNorthIsUnknown(_ errors: [Failure], samples: Int) throws -> [Finding] {
    try need(!errors.isEmpty || samples == 0, "The place is known here: deny the location to this app and ask again.")
    return [.equal("codes of the errors", errors.map(\.code).first, 102)]
  }
}
