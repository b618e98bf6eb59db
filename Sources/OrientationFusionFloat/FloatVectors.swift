// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Three numbers of one stream.
///
/// Not a vector register: of four short numbers the compiler spends more on moving them about in it than it saves.
@usableFromInline
package struct FloatTriple: Sendable, BitwiseCopyable {
  @usableFromInline var x: Float
  @usableFromInline var y: Float
  @usableFromInline var z: Float

  @inline(__always)
  init(_ x: Float, _ y: Float, _ z: Float) {
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
  static func * (a: Self, k: Float) -> Self { Self(a.x * k, a.y * k, a.z * k) }
  @inline(__always)
  static func * (a: Self, b: Self) -> Self { Self(a.x * b.x, a.y * b.y, a.z * b.z) }
  @inline(__always)
  static func / (a: Self, k: Float) -> Self { Self(a.x / k, a.y / k, a.z / k) }
  @inline(__always)
  static func += (a: inout Self, b: Self) { a = a + b }
}

/// The four numbers of a quaternion.
@usableFromInline
package struct FloatQuadruple: Sendable, BitwiseCopyable {
  @usableFromInline var x: Float
  @usableFromInline var y: Float
  @usableFromInline var z: Float
  @usableFromInline var w: Float

  @inline(__always)
  init(_ x: Float, _ y: Float, _ z: Float, _ w: Float) {
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }
}
