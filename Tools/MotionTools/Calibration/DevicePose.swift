// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// Six ways in which a device can lie on a table, by the side that is on top.
package enum DevicePose: String, Sendable, Hashable, CaseIterable {
  case faceUp, faceDown, topUp, topDown, rightUp, leftUp

  /// The direction of specific force in device axes: up.
  package var up: Vector3<Device> {
    switch self {
    case .faceUp: Vector3(x: 0, y: 0, z: 1)
    case .faceDown: Vector3(x: 0, y: 0, z: -1)
    case .topUp: Vector3(x: 0, y: 1, z: 0)
    case .topDown: Vector3(x: 0, y: -1, z: 0)
    case .rightUp: Vector3(x: 1, y: 0, z: 0)
    case .leftUp: Vector3(x: -1, y: 0, z: 0)
    }
  }

  /// What a person has to do: "flat on its back, face up".
  package var words: String {
    switch self {
    case .faceUp: "flat on its back, face up"
    case .faceDown: "flat on its face"
    case .topUp: "upright, its top edge up"
    case .topDown: "upside down, its top edge down"
    case .rightUp: "on its left side, the right edge up"
    case .leftUp: "on its right side, the left edge up"
    }
  }

  /// The pose whose up is within `angle` (rad) of a direction; nil when it leans.
  init?(up: Vector3<Device>, within angle: Double) {
    guard let pose = Self.allCases.first(where: { $0.up.angle(to: up) <= angle }) else { return nil }
    self = pose
  }
}
