// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Three numbers of each stream.
@usableFromInline
package struct LaneTriple: Sendable, BitwiseCopyable {
  var x: Lanes
  var y: Lanes
  var z: Lanes

  @inline(__always)
  init(_ x: Lanes, _ y: Lanes, _ z: Lanes) {
    self.x = x
    self.y = y
    self.z = z
  }

  @inline(__always)
  static var zero: Self { Self(0, 0, 0) }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(a.x + b.x, a.y + b.y, a.z + b.z) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { Self(a.x - b.x, a.y - b.y, a.z - b.z) }
  @inline(__always)
  static func * (a: Self, k: Lanes) -> Self { Self(a.x * k, a.y * k, a.z * k) }
  @inline(__always)
  static func / (a: Self, k: Lanes) -> Self { Self(a.x / k, a.y / k, a.z / k) }
  @inline(__always)
  static func += (a: inout Self, b: Self) { a = a + b }
}

/// The four numbers of a quaternion of each stream.
@usableFromInline
package struct LaneQuadruple: Sendable, BitwiseCopyable {
  var x: Lanes
  var y: Lanes
  var z: Lanes
  var w: Lanes

  @inline(__always)
  init(_ x: Lanes, _ y: Lanes, _ z: Lanes, _ w: Lanes) {
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }
}
