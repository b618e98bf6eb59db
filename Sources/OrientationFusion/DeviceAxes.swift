// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The axes of the device in the world: the columns of the rotation matrix, each with a fourth number that is zero.
///
/// A reading in the world is the sum of the axes, each times a component: whole vectors, which is what processors like.
struct DeviceAxes: Sendable, BitwiseCopyable {
  var x: Real3
  var y: Real3
  var z: Real3

  static var zero: Self { Self(x: .zero, y: .zero, z: .zero) }

  /// The components of `v` in the world: east, north, up, 0.
  @inline(__always)
  static func * (axes: Self, v: Vector3<Device>) -> Real3 {
    axes.x * v.x + axes.y * v.y + axes.z * v.z
  }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }

  @inline(__always)
  static func * (a: Self, k: Real) -> Self { Self(x: a.x * k, y: a.y * k, z: a.z * k) }
}

/// `a` where `condition` holds, else `b`.
@inline(__always)
func select(_ condition: Mask, _ a: DeviceAxes, _ b: DeviceAxes) -> DeviceAxes {
  DeviceAxes(x: select(condition, a.x, b.x), y: select(condition, a.y, b.y), z: select(condition, a.z, b.z))
}

extension Vector3 {
  /// The first three of four numbers.
  @inline(__always)
  init(_ v: Real3) { self.init(x: v.x, y: v.y, z: v.z) }

  /// The three numbers and a zero.
  @inline(__always)
  var simd: Real3 { Real3(x, y, z) }
}
