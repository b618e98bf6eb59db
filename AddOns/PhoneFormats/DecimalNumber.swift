// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A decimal number as written: digits, point and exponent, not yet rounded to anything.
///
/// One scan serves both conversions, each rounded once: to the nearest double, and to the nearest nanosecond.
/// Locale-free: the decimal separator is a point, there is no grouping. A comma counts as one only where the caller
/// says so.
package struct DecimalNumber {
  /// Characters of one number; 767 digits are enough to distinguish any two doubles.
  package static let longestText = 1024
  /// Nanoseconds, either side of a clock's origin: 126 years, which leaves room for sums.
  package static let mostNanoseconds: Int64 = 4_000_000_000_000_000_000

  /// The first 19 significant digits.
  package var mantissa: UInt64 = 0
  /// Value = mantissa · 10^exponent, but for the digits left out.
  package var exponent = 0
  package var isNegative = false
  /// An exponent was written out, even if 0.
  package var hasExponent = false
  /// The first digit that did not fit into the mantissa.
  package var firstDroppedDigit: UInt8 = 0
  /// A digit other than 0 did not fit.
  package var isInexact = false

  /// Reads a number at `cursor` and moves it behind; nil when none begins there.
  ///
  /// `otherPoint` is a byte that separates decimals as the point does.
  @inlinable @inline(__always)
  package init?(_ text: Span<UInt8>, at cursor: inout Int, otherPoint: UInt8 = 0x2E) {
    let end = text.count
    var position = cursor
    if position < end, text.byte(position) == 0x2D || text.byte(position) == 0x2B {
      isNegative = text.byte(position) == 0x2D
      position += 1
    }
    var (digits, dropped): (UInt64, Int) = (0, 0)
    let whole = position
    var fraction: Int?
    while position < end {
      let digit = text.byte(position) &- 0x30
      guard digit < 10 else {
        guard fraction == nil, text.byte(position) == 0x2E || text.byte(position) == otherPoint else { break }
        position += 1
        fraction = position
        // Files of full precision have sixteen decimals and more: eight at a time.
        while end - position >= 8, digits < 10_000_000_000, let eight = Self.eightDigits(text, at: position) {
          digits = digits &* 100_000_000 &+ eight
          position += 8
        }
        continue
      }
      if digits < 1_000_000_000_000_000_000 {
        digits = digits &* 10 &+ UInt64(digit)
      } else {
        drop(digit, isFirst: dropped == 0)
        dropped += 1
      }
      position += 1
    }
    guard position - whole > (fraction == nil ? 0 : 1) else { return nil }
    exponent = dropped - (fraction.map { position - $0 } ?? 0)
    mantissa = digits
    if position < end, text.byte(position) | 0x20 == 0x65 { readExponent(text, &position) }
    cursor = position
  }

  /// The number of eight digits; nil where one of the bytes is something else.
  ///
  /// Neighbours are joined within one register: digits to pairs, pairs to fours, fours to eight (after Lemire, "Number
  /// Parsing at a Gigabyte per Second", Software: Practice and Experience 51, 2021).
  @inlinable @inline(__always)
  static func eightDigits(_ text: Span<UInt8>, at place: Int) -> UInt64? {
    // unsafe: the caller has counted eight bytes behind the place, and any eight are a number.
    let bytes = UInt64(littleEndian: text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
    // 3 in the upper half of each byte, also after 6 was added to the lower half.
    guard (bytes & (bytes &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030,
      (bytes | (bytes &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030
    else { return nil }
    let digits = bytes & 0x0F0F_0F0F_0F0F_0F0F
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
  }

  @usableFromInline mutating func drop(_ digit: UInt8, isFirst: Bool) {
    if isFirst { firstDroppedDigit = digit }
    if digit != 0 { isInexact = true }
  }

  /// A letter e without digits behind it is not part of the number; reading the field then fails.
  @usableFromInline mutating func readExponent(_ text: Span<UInt8>, _ position: inout Int) {
    let end = text.count
    var ahead = position + 1
    var isBelowZero = false
    if ahead < end, text.byte(ahead) == 0x2D || text.byte(ahead) == 0x2B {
      isBelowZero = text.byte(ahead) == 0x2D
      ahead += 1
    }
    var value = 0
    let digits = ahead
    while ahead < end, text.byte(ahead) &- 0x30 < 10 {
      value = min(value * 10 + Int(text.byte(ahead) &- 0x30), 100_000)
      ahead += 1
    }
    guard ahead > digits else { return }
    exponent += isBelowZero ? -value : value
    hasExponent = true
    position = ahead
  }
}

extension Span<UInt8> {
  /// A byte whose place was compared with the end just before.
  @inlinable @inline(__always)
  func byte(_ place: Int) -> UInt8 {
    // unsafe: the compiler does not see that comparison; a second one is slower.
    self[unchecked: place]
  }
}

extension DecimalNumber {
  /// The nearest double, ties to even; infinite when too large. Nil when the text is longer than any number needs.
  ///
  /// `text` is the number as written; it is looked at only when its digits do not fit into 64 bits or its exponent is
  /// unusual. Three ways, all exact until the one rounding:
  /// 1. up to 53 bits of digits and a power of ten up to 10²²: both are doubles, one operation rounds (Clinger, "How to
  ///    Read Floating Point Numbers Accurately", PLDI 1990);
  /// 2. up to 64 bits of digits and 27 decimals: an integer division by 5ᵏ, whose remainder distinguishes ties from
  ///    neighbours;
  /// 3. the standard library, for the few that remain.
  @inlinable @inline(__always)
  package func double(text: Span<UInt8>) -> Double? {
    if !isInexact {
      if mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
        let magnitude =
          exponent <= 0
          ? Double(mantissa) / Self.powersOfTen[-exponent] : Double(mantissa) * Self.powersOfTen[exponent]
        return isNegative ? -magnitude : magnitude
      }
      if exponent < 0, exponent >= -27 {
        let magnitude = Self.quotient(mantissa, powerOfFive: -exponent)
        return isNegative ? -magnitude : magnitude
      }
    }
    guard text.count <= Self.longestText else { return nil }
    // A comma can stand here as a decimal separator only.
    return Double(String(decoding: text.indices.map { text[$0] == 0x2C ? 0x2E : text[$0] }, as: UTF8.self))
  }

  /// `mantissa` / 10^`power`, rounded to nearest, ties to even.
  @inlinable static func quotient(_ mantissa: UInt64, powerOfFive power: Int) -> Double {
    let divisorShift = powersOfFive[power].leadingZeroBitCount
    // fits: a count of leading zero bits is 0…64
    let divisor = powersOfFive[power] << UInt64(divisorShift)
    let dividendShift = mantissa.leadingZeroBitCount
    // fits: likewise
    let dividend = mantissa << UInt64(dividendShift)
    // Both have their top bit set; halving the dividend where needed keeps the quotient within 64 bits, top bit set.
    let halved = dividend >= divisor
    let wide = halved ? (high: dividend >> 1, low: dividend << 63) : (high: dividend, low: 0)
    let (quotient, remainder) = divisor.dividingFullWidth(wide)
    // 64 bits down to the 53 of a double.
    var significand = quotient >> 11
    let tail = quotient & 0x7FF
    if tail > 0x400 || (tail == 0x400 && (remainder != 0 || significand & 1 == 1)) { significand += 1 }
    let exponent = divisorShift - dividendShift - power - 64 + (halved ? 1 : 0) + 11
    return Double(sign: .plus, exponent: exponent, significand: Double(significand))
  }

  @usableFromInline static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  @usableFromInline static let powersOfFive: [UInt64] = (0...27).map {
    (0..<$0).reduce(1) { product, _ in product * 5 }
  }
}

extension DecimalNumber {
  /// The nearest whole nanosecond of a time written in units of 10^(−`decimals`) … nil when too far from zero.
  ///
  /// `decimals` is 9 for seconds, 6 for milliseconds, 3 for microseconds, 0 for nanoseconds. The way through a double
  /// would round twice: from 104 days on, seconds with nine decimals do not survive it. Halves round away from zero.
  @inlinable @inline(__always)
  package func nanoseconds(decimals: Int) -> Int64? {
    let scale = exponent + decimals
    var magnitude: UInt64
    if scale == 0 {
      magnitude = mantissa &+ (firstDroppedDigit >= 5 ? 1 : 0)
    } else if scale > 0 {
      guard mantissa == 0 || (scale < Self.wholePowersOfTen.count && firstDroppedDigit == 0 && !isInexact) else {
        return nil
      }
      if mantissa == 0 { return 0 }
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: Self.wholePowersOfTen[scale])
      guard !overflow else { return nil }
      magnitude = product
    } else {
      guard -scale < Self.wholePowersOfTen.count else { return 0 }
      let divisor = Self.wholePowersOfTen[-scale]
      let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: divisor)
      magnitude = quotient + (remainder >= divisor - remainder ? 1 : 0)
    }
    guard magnitude <= UInt64(Self.mostNanoseconds) else { return nil }
    // fits: the line above bounds it
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// Seconds as text in nanoseconds, with a point or a comma; nil when it is no number.
  package static func nanoseconds(_ seconds: String) -> Int64? {
    let bytes = Array(seconds.utf8)
    var cursor = 0
    guard let number = DecimalNumber(bytes.span, at: &cursor, otherPoint: 0x2C), cursor == bytes.count else {
      return nil
    }
    return number.nanoseconds(decimals: 9)
  }

  @usableFromInline static let wholePowersOfTen: [UInt64] = (0...19).map {
    (0..<$0).reduce(1) { product, _ in product * 10 }
  }
}
