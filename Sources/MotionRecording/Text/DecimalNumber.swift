// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A decimal number as written: digits, point and exponent, not yet rounded to anything.
///
/// One scan serves both conversions, each rounded once: to the nearest double, and to the nearest nanosecond. Locale-free:
/// the decimal separator is a point, there is no grouping. A comma counts as one only where the caller says so.
struct DecimalNumber {
  /// The first 19 significant digits.
  private(set) var mantissa: UInt64 = 0
  /// Value = mantissa · 10^exponent, but for the digits left out.
  private(set) var exponent = 0
  private(set) var isNegative = false
  /// An exponent was written out, even if 0.
  private(set) var hasExponent = false
  /// The first digit that did not fit into the mantissa.
  private(set) var firstDroppedDigit: UInt8 = 0
  /// A digit other than 0 did not fit.
  private(set) var isInexact = false

  /// Reads a number at `cursor` and moves it behind; nil when none begins there.
  ///
  /// `otherPoint` is a byte that separates decimals as the point does.
  @inline(__always)
  init?(at cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, otherPoint: UInt8 = 0x2E) {
    var position = cursor
    if position < end, position.pointee == 0x2D || position.pointee == 0x2B {
      isNegative = position.pointee == 0x2D
      position += 1
    }
    var digits: UInt64 = 0
    var dropped = 0
    let whole = position
    while position < end {
      let digit = position.pointee &- 0x30
      guard digit < 10 else { break }
      if digits < 1_000_000_000_000_000_000 {
        digits = digits &* 10 &+ UInt64(digit)
      } else {
        drop(digit, isFirst: dropped == 0)
        dropped += 1
      }
      position += 1
    }
    var count = position - whole
    exponent = dropped
    if position < end, position.pointee == 0x2E || position.pointee == otherPoint {
      position += 1
      let fraction = position
      var kept = 0
      while position < end {
        let digit = position.pointee &- 0x30
        guard digit < 10 else { break }
        if digits < 1_000_000_000_000_000_000 {
          digits = digits &* 10 &+ UInt64(digit)
          kept += 1
        } else {
          drop(digit, isFirst: dropped == 0)
          dropped += 1
        }
        position += 1
      }
      count += position - fraction
      exponent -= kept
    }
    guard count > 0 else { return nil }
    mantissa = digits
    if position < end, position.pointee | 0x20 == 0x65 { readExponent(&position, end) }
    cursor = position
  }

  private mutating func drop(_ digit: UInt8, isFirst: Bool) {
    if isFirst { firstDroppedDigit = digit }
    if digit != 0 { isInexact = true }
  }

  /// A letter e without digits behind it is not part of the number; whoever reads the field will stumble over it.
  private mutating func readExponent(_ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    var ahead = position + 1
    var isBelowZero = false
    if ahead < end, ahead.pointee == 0x2D || ahead.pointee == 0x2B {
      isBelowZero = ahead.pointee == 0x2D
      ahead += 1
    }
    var value = 0
    let digits = ahead
    while ahead < end, ahead.pointee &- 0x30 < 10 {
      value = min(value * 10 + Int(ahead.pointee &- 0x30), 100_000)
      ahead += 1
    }
    guard ahead > digits else { return }
    exponent += isBelowZero ? -value : value
    hasExponent = true
    position = ahead
  }
}
