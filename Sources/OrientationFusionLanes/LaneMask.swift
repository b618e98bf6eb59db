// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A yes or no for each of eight streams.
@usableFromInline
package struct LaneMask: Sendable, ExpressibleByBooleanLiteral {
  var bits: SIMDMask<SIMD8<LaneBits>>

  @inline(__always)
  init(_ bits: SIMDMask<SIMD8<LaneBits>>) { self.bits = bits }

  @inline(__always)
  @usableFromInline
  package init(booleanLiteral value: Bool) { bits = SIMDMask(repeating: value) }

  /// Yes for the streams of the set.
  @inline(__always)
  init(_ set: LaneSet) {
    let bit = SIMD8<LaneBits>(1, 2, 4, 8, 16, 32, 64, 128)
    bits = (SIMD8<LaneBits>(repeating: LaneBits(set.rawValue)) & bit) .== bit
  }

  /// The streams for which it says yes.
  var set: LaneSet {
    let bit = SIMD8<LaneBits>(1, 2, 4, 8, 16, 32, 64, 128)
    let chosen = SIMD8<LaneBits>.zero.replacing(with: bit, where: bits)
    return LaneSet(rawValue: UInt8(truncatingIfNeeded: chosen.wrappedSum()))
  }

  subscript(lane: Int) -> Bool {
    @inline(__always) get { bits[lane] }
    @inline(__always) set { bits[lane] = newValue }
  }

  @inline(__always)
  static func && (a: Self, b: Self) -> Self { Self(a.bits .& b.bits) }
  @inline(__always)
  static func || (a: Self, b: Self) -> Self { Self(a.bits .| b.bits) }
  @inline(__always)
  static prefix func ! (a: Self) -> Self { Self(.!a.bits) }
}

/// `a` where the condition holds, else `b`.
@inline(__always)
func select(_ condition: LaneMask, _ a: Lanes, _ b: Lanes) -> Lanes {
  Lanes(b.numbers.replacing(with: a.numbers, where: condition.bits))
}

/// `a` where the condition holds, else `b`.
@inline(__always)
func select(_ condition: LaneMask, _ a: LaneTriple, _ b: LaneTriple) -> LaneTriple {
  LaneTriple(select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z))
}

/// `a` where the condition holds, else `b`.
@inline(__always)
func select(_ condition: LaneMask, _ a: LaneMask, _ b: LaneMask) -> LaneMask {
  (condition && a) || (!condition && b)
}

/// Whether the condition holds for any stream.
@inline(__always)
func any(_ condition: LaneMask) -> Bool {
  // The library's `any` looks for the smallest of the eight, which is dear for 64 bits on small processors.
  let all = unsafeBitCast(condition.bits, to: SIMD8<LaneBits>.self)
  let half = all.lowHalf | all.highHalf
  let quarter = half.lowHalf | half.highHalf
  return quarter.x | quarter.y != 0
}

/// Whether the condition holds for every stream.
@inline(__always)
func all(_ condition: LaneMask) -> Bool { !any(!condition) }
