// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension DecimalNumber {
  /// The nearest whole nanosecond of a time written in units of 10^(−`decimals`) … nil when too far from zero.
  ///
  /// `decimals` is 9 for seconds, 6 for milliseconds, 3 for microseconds, 0 for nanoseconds. The way through a double would
  /// round twice: from 104 days on, seconds with nine decimals do not survive it. Halves round away from zero.
  @inline(__always)
  func nanoseconds(decimals: Int) -> Int64? {
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
    guard magnitude <= UInt64(InputLimits.nanoseconds) else { return nil }
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// Seconds as text in nanoseconds, with a point or a comma; nil when it is no number.
  static func nanoseconds(_ seconds: String) -> Int64? {
    Array(seconds.utf8).withUnsafeBufferPointer { bytes -> Int64? in
      guard let start = bytes.baseAddress else { return nil }
      var cursor = start
      let end = start + bytes.count
      guard let number = DecimalNumber(at: &cursor, end: end, otherPoint: 0x2C), cursor == end else { return nil }
      return number.nanoseconds(decimals: 9)
    }
  }

  private static let wholePowersOfTen: [UInt64] = (0...19).map { (0..<$0).reduce(1) { product, _ in product * 10 } }
}
