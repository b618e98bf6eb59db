// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The axes of the device in the world: the columns of the rotation matrix, each with a fourth number that is zero.
///
/// A reading in the world is the sum of the axes, each times a component: whole vectors, which is what processors like.
struct DeviceAxes: Sendable, BitwiseCopyable {
  var x: SIMD4<Double>
  var y: SIMD4<Double>
  var z: SIMD4<Double>

  static var zero: Self { Self(x: .zero, y: .zero, z: .zero) }

  /// The components of `v` in the world: east, north, up, 0.
  @inline(__always)
  static func * (axes: Self, v: Vector3<Device>) -> SIMD4<Double> {
    axes.x * v.x + axes.y * v.y + axes.z * v.z
  }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }

  @inline(__always)
  static func * (a: Self, k: Double) -> Self { Self(x: a.x * k, y: a.y * k, z: a.z * k) }
}

extension Vector3 {
  /// The first three of four numbers.
  @inline(__always)
  init(_ v: SIMD4<Double>) { self.init(x: v.x, y: v.y, z: v.z) }

  /// The three numbers and a zero.
  @inline(__always)
  var simd: SIMD4<Double> { SIMD4(x, y, z, 0) }
}
