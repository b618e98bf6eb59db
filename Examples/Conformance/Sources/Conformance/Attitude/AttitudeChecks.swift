// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The mathematics of attitude, held against samples. Nothing here knows a device.
enum AttitudeChecks {
  static let down = Vector(x: 0, y: 0, z: -1)

  static func quaternionTurnsGravityDown(_ samples: [MotionSample]) -> [Finding] {
    .largest(
      "|q g q* − (0, 0, −1)|", samples.map { $0.quaternion.turned($0.gravity).distance(to: down) }, atMost: 1e-4)
  }

  static func matrixIsTransposed(_ samples: [MotionSample]) -> [Finding] {
    .largest("|M − R(q)ᵀ|", samples.map { difference($0.matrix, $0.quaternion.transposedMatrix) }, atMost: 1e-6)
  }

  /// N5: the other reading of the matrix is far off, unless the device did not move.
  static func matrixIsNotTheOrdinaryOne(_ samples: [MotionSample]) throws -> [Finding] {
    let right = samples.map { difference($0.matrix, $0.quaternion.transposedMatrix) }.max() ?? .infinity
    let wrong = samples.map { difference($0.matrix, $0.quaternion.matrix) }.max() ?? 0
    try need(max(wrong, right) > 0.1, "The device was hardly turned.")
    return [.near("largest |M − R(q)ᵀ|", right, 0, within: 1e-6), .inside("largest |M − R(q)|", wrong, 0.1...2)]
  }

  static func anglesFollowQuaternion(_ samples: [MotionSample]) -> [Finding] {
    let level = samples.filter { abs($0.pitch) < 1.5 }
    return .largest("roll", level.map { turn($0.roll - $0.quaternion.roll) }, atMost: 1e-6)
      + .largest("pitch", samples.map { $0.pitch - $0.quaternion.pitch }, atMost: 1e-6)
      + .largest("yaw", level.map { turn($0.yaw - $0.quaternion.yaw) }, atMost: 1e-6)
  }

  static func gravityIsThirdColumn(_ samples: [MotionSample]) -> [Finding] {
    .largest(
      "|gravity + (m13, m23, m33)|",
      samples.map { ($0.gravity + Vector(x: $0.matrix[2], y: $0.matrix[5], z: $0.matrix[8])).length }, atMost: 1e-5)
  }

  /// N3.
  static func gravityFollowsAngles(_ samples: [MotionSample]) -> [Finding] {
    .largest(
      "|gravity − (cos pitch sin roll, −sin pitch, −cos pitch cos roll)|",
      samples.map {
        $0.gravity.distance(
          to: Vector(x: cos($0.pitch) * sin($0.roll), y: -sin($0.pitch), z: -cos($0.pitch) * cos($0.roll)))
      }, atMost: 1e-5)
  }

  static func anglesAreInRange(_ samples: [MotionSample]) -> [Finding] {
    let half = Double.pi / 2 + 1e-9
    return [
      .inside("largest |pitch|", samples.map { abs($0.pitch) }.max() ?? .nan, 0...half),
      .inside("largest |roll|", samples.map { abs($0.roll) }.max() ?? .nan, 0...2 * half),
      .inside("largest |yaw|", samples.map { abs($0.yaw) }.max() ?? .nan, 0...2 * half),
    ]
  }

  static func matrixHasSinglePrecision(_ samples: [MotionSample]) -> [Finding] {
    let elements = samples.flatMap(\.matrix)
    let exact = elements.count { Double(Float($0)) == $0 }
    return matrixIsTransposed(samples) + [.note("elements that are exactly a Float", "\(exact) of \(elements.count)")]
  }

  static func quaternionIsUnit(_ samples: [MotionSample]) -> [Finding] {
    .largest("|q| − 1", samples.map { $0.quaternion.length - 1 }, atMost: 1e-6)
      + .largest(
        "w² − cos²(angle / 2), with the angle of the matrix",
        samples.map { sample in
          let cosine = (sample.matrix[0] + sample.matrix[4] + sample.matrix[8] - 1) / 2
          return sample.quaternion.w * sample.quaternion.w - (1 + cosine) / 2
        }, atMost: 1e-5)
  }

  static func gravityIsUnit(_ samples: [MotionSample]) -> [Finding] {
    .largest("|gravity| − 1", samples.map { $0.gravity.length - 1 }, atMost: 1e-4)
  }

  /// The turn between two attitudes, against the rate: unit, axes and signs at once.
  static func rateIsTurn(_ samples: [MotionSample]) throws -> [Finding] {
    var turned = 0.0
    var missed = 0.0
    for (earlier, later) in zip(samples, samples.dropFirst()) {
      let time = later.time - earlier.time
      guard time > 0, time < 0.1 else { continue }
      let turn = (earlier.quaternion.inverse * later.quaternion).rotationVector
      turned += turn.length
      missed += turn.distance(to: (time / 2) * (earlier.rate + later.rate))
    }
    try need(turned > 0.5, "The device was hardly turned.")
    return [.inside("share of the turns that the rates do not explain", missed / turned, 0...0.2)]
  }

  static func timesIncrease(_ samples: [MotionSample]) -> [Finding] {
    let steps = zip(samples, samples.dropFirst()).map { $1.time - $0.time }
    let coarse = samples.count { abs(($0.time * 1000).rounded() - $0.time * 1000) < 1e-6 }
    return [
      .inside("smallest step of the time stamps", steps.min() ?? .nan, 1e-6...1),
      .inside("share of time stamps that are whole milliseconds", Double(coarse) / Double(samples.count), 0...0.5),
    ]
  }

  static func everythingIsFinite(_ samples: [MotionSample]) -> [Finding] {
    [
      .equal(
        "samples with a number that is not finite",
        samples.count { sample in
          !([sample.roll, sample.pitch, sample.yaw, sample.quaternion.length] + sample.matrix).allSatisfy(\.isFinite)
        }, 0)
    ]
  }

  /// Also where roll and yaw are degenerate. Angles near a pole are good to half the digits of their sine.
  static func anglesRebuildTheAttitude(_ samples: [MotionSample]) -> [Finding] {
    .largest(
      "distance of Rz(yaw) Rx(pitch) Ry(roll) from the quaternion",
      samples.map { Quaternion(roll: $0.roll, pitch: $0.pitch, yaw: $0.yaw).difference(to: $0.quaternion) },
      atMost: 1e-3)
  }

  private static func difference(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
  }
}
