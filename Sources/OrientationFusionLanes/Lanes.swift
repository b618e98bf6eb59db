// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The same number of eight or sixteen streams, side by side: what is done to it is done to all at once.
///
/// It reads like one number, so that the formulas of the filter are those of a single stream. On a processor whose
/// registers are shorter the compiler takes two or four of them.
@usableFromInline
package struct Lanes: Sendable, BitwiseCopyable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  var numbers: LaneNumbers

  @inline(__always)
  init(_ numbers: LaneNumbers) { self.numbers = numbers }

  /// The same number for all.
  @inline(__always)
  init(_ number: Double) { numbers = LaneNumbers(repeating: LaneNumber(number)) }

  @inline(__always)
  @usableFromInline
  package init(floatLiteral value: Double) { self.init(value) }

  @inline(__always)
  @usableFromInline
  package init(integerLiteral value: Int) { self.init(Double(value)) }

  static var infinity: Self { Self(.infinity) }
  static var greatestFiniteMagnitude: Self { Self(LaneNumbers(repeating: LaneNumber.greatestFiniteMagnitude)) }

  /// The number of one stream, from 0.
  subscript(lane: Int) -> LaneNumber {
    @inline(__always) get { numbers[lane] }
    @inline(__always) set { numbers[lane] = newValue }
  }

  /// Zero less nothing is zero, infinity less itself is no number, and a comparison with that is false.
  @inline(__always)
  var isFinite: LaneMask { LaneMask((numbers - numbers) .<= LaneNumbers.zero) }

  @inline(__always)
  func squareRoot() -> Self { Self(numbers.squareRoot()) }

  /// A function of one number for each.
  func map(_ function: (Double) -> Double) -> Self {
    var result = self
    for lane in 0..<LaneSet.count { result[lane] = LaneNumber(function(Double(self[lane]))) }
    return result
  }
}

extension Lanes {
  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(a.numbers + b.numbers) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { Self(a.numbers - b.numbers) }
  @inline(__always)
  static func * (a: Self, b: Self) -> Self { Self(a.numbers * b.numbers) }
  @inline(__always)
  static func / (a: Self, b: Self) -> Self { Self(a.numbers / b.numbers) }
  @inline(__always)
  static prefix func - (a: Self) -> Self { Self(-a.numbers) }
  @inline(__always)
  static func += (a: inout Self, b: Self) { a = a + b }
  @inline(__always)
  static func -= (a: inout Self, b: Self) { a = a - b }
  @inline(__always)
  static func *= (a: inout Self, b: Self) { a = a * b }
  @inline(__always)
  static func < (a: Self, b: Self) -> LaneMask { LaneMask(a.numbers .< b.numbers) }
  @inline(__always)
  static func <= (a: Self, b: Self) -> LaneMask { LaneMask(a.numbers .<= b.numbers) }
  @inline(__always)
  static func > (a: Self, b: Self) -> LaneMask { LaneMask(a.numbers .> b.numbers) }
  @inline(__always)
  static func >= (a: Self, b: Self) -> LaneMask { LaneMask(a.numbers .>= b.numbers) }
  @inline(__always)
  static func == (a: Self, b: Self) -> LaneMask { a <= b && a >= b }  // `.==` of the library is a loop over them.
  @inline(__always)
  static func != (a: Self, b: Self) -> LaneMask { !(a == b) }
}

/// Clears the sign's bit.
@inline(__always)
func abs(_ a: Lanes) -> Lanes {
  let bits = unsafeBitCast(a.numbers, to: LaneBits.self) & LaneBits(repeating: .max)
  return Lanes(unsafeBitCast(bits, to: LaneNumbers.self))
}

@inline(__always)
func min(_ a: Lanes, _ b: Lanes) -> Lanes { select(b < a, b, a) }

@inline(__always)
func max(_ a: Lanes, _ b: Lanes) -> Lanes { select(b >= a, b, a) }

extension Scalar {
  static func sin(_ x: Lanes) -> Lanes { x.map { sin($0) } }
  static func cos(_ x: Lanes) -> Lanes { x.map { cos($0) } }
  static func exp(_ x: Lanes) -> Lanes { x.map { exp($0) } }
  static func atan2(_ y: Lanes, _ x: Lanes) -> Lanes {
    var result = y
    for lane in 0..<LaneSet.count { result[lane] = LaneNumber(atan2(Double(y[lane]), Double(x[lane]))) }
    return result
  }
}
