// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A yes or no for each stream.
@usableFromInline
package struct LaneMask: Sendable, ExpressibleByBooleanLiteral {
  var bits: SIMDMask<LaneBits>

  @inline(__always)
  init(_ bits: SIMDMask<LaneBits>) { self.bits = bits }

  @inline(__always)
  @usableFromInline
  package init(booleanLiteral value: Bool) { bits = SIMDMask(repeating: value) }

  /// Yes for the streams of the set.
  @inline(__always)
  init(_ set: LaneSet) {
    bits = (LaneBits(repeating: LaneBits.Scalar(set.rawValue)) & LaneBits.eachItsOwn) .== LaneBits.eachItsOwn
  }

  /// The streams for which it says yes.
  var set: LaneSet {
    let chosen = LaneBits.zero.replacing(with: LaneBits.eachItsOwn, where: bits)
    return LaneSet(rawValue: LaneSetBits(truncatingIfNeeded: chosen.wrappedSum()))
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
  // The library's `any` looks for the smallest of all, which is dear for 64 bits on small processors.
  unsafeBitCast(condition.bits, to: LaneBits.self).hasAny
}

/// Whether the condition holds for every stream.
@inline(__always)
func all(_ condition: LaneMask) -> Bool { !any(!condition) }
