// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Three numbers of the filter in the coordinate frame `F`: `MotionMath.Vector3` for another number than `Double`.
///
/// It has the name of that type, and hides it inside this module, so that the same source compiles with both.
struct Vector3<F: Frame>: Sendable, BitwiseCopyable {
  var x: Real
  var y: Real
  var z: Real

  @inline(__always)
  init(x: Real, y: Real, z: Real) {
    self.x = x
    self.y = y
    self.z = z
  }

  @inline(__always)
  static var zero: Self { Self(x: 0, y: 0, z: 0) }

  @inline(__always)
  func dot(_ other: Self) -> Real { x * other.x + y * other.y + z * other.z }

  @inline(__always)
  func cross(_ other: Self) -> Self {
    Self(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  var isFinite: Mask { x.isFinite && y.isFinite && z.isFinite }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  @inline(__always)
  static func * (a: Self, k: Real) -> Self { Self(x: a.x * k, y: a.y * k, z: a.z * k) }
  @inline(__always)
  static func / (a: Self, k: Real) -> Self { Self(x: a.x / k, y: a.y / k, z: a.z / k) }
  @inline(__always)
  static func += (a: inout Self, b: Self) { a = a + b }
  @inline(__always)
  static func -= (a: inout Self, b: Self) { a = a - b }
}
