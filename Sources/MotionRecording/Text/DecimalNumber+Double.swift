// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension DecimalNumber {
  /// The nearest double, ties to even; infinite when too large. Nil when the text is longer than any number needs.
  ///
  /// `text` is the number as written; it is looked at only when its digits do not fit into 64 bits or its exponent is
  /// unusual. Three ways, all exact until the one rounding:
  /// 1. up to 53 bits of digits and a power of ten up to 10²²: both are doubles, one operation rounds (Clinger, "How to Read
  ///    Floating Point Numbers Accurately", PLDI 1990);
  /// 2. up to 64 bits of digits and 27 decimals: an integer division by 5ᵏ, whose remainder tells ties from neighbours;
  /// 3. the standard library.
  @inline(__always)
  func double(text: UnsafeBufferPointer<UInt8>) -> Double? {
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
    guard text.count <= InputLimits.numberBytes else { return nil }
    // A comma can stand here as a decimal separator only.
    return Double(String(decoding: text.lazy.map { $0 == 0x2C ? 0x2E : $0 }, as: UTF8.self))
  }

  /// `mantissa` / 10^`power`, rounded to nearest, ties to even.
  private static func quotient(_ mantissa: UInt64, powerOfFive power: Int) -> Double {
    let divisorShift = powersOfFive[power].leadingZeroBitCount
    let divisor = powersOfFive[power] << UInt64(divisorShift)
    let dividendShift = mantissa.leadingZeroBitCount
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

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  private static let powersOfFive: [UInt64] = (0...27).map { (0..<$0).reduce(1) { product, _ in product * 5 } }
}
