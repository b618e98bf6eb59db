// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Values at which laws break first: 0, nearly 0, ordinary, π and its neighbourhood, more than a turn.
enum Awkward {
  static let angles: [Double] = [
    0, 1e-300, 1e-16, 1e-8, 1e-4, 0.009_999, 0.01, 0.010_001, 0.1, 1, .pi / 2, 3, .pi - 1e-4, .pi - 1e-8, .pi - 1e-15,
    .pi,
  ]

  static let axes: [Vector3<Device>] = [
    Vector3(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: 1), Vector3(x: 0, y: 0, z: -1),
    Vector3(x: 1, y: 1, z: 1), Vector3(x: -1, y: 1e-9, z: 0), Vector3(x: 0.3, y: -0.5, z: 0.8),
  ].compactMap(\.normalized)

  /// Every angle about every axis.
  static let rotationVectors: [Vector3<Device>] = angles.flatMap { angle in axes.map { $0 * angle } }

  static let rotations: [Rotation<Device, EastNorthUp>] = rotationVectors.map { Rotation(rotationVector: $0) }

  static let vectors: [Vector3<Device>] =
    axes + [.zero, Vector3(x: 1e-9, y: -2e-9, z: 3e-9), Vector3(x: 4e7, y: -5e7, z: 6e7)]

  /// Reproducible numbers, evenly spread over −1…1 (a linear congruential generator, Knuth's MMIX constants).
  static func random(_ count: Int) -> [Double] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state) >> 11) * 0x1p-52
    }
  }

  static func randomRotations(_ count: Int) -> [Rotation<Device, Device>] {
    let numbers = random(count * 4)
    return (0..<count).compactMap {
      Rotation(w: numbers[4 * $0], x: numbers[4 * $0 + 1], y: numbers[4 * $0 + 2], z: numbers[4 * $0 + 3])
    }
  }
}

extension Rotation {
  /// Length of the quaternion less one.
  var lengthError: Double { (w * w + x * x + y * y + z * z).squareRoot() - 1 }
}
