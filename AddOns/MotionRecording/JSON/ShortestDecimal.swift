// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Writes the shortest digits that read back to the same double, as `description` has them, without a string.
///
/// The decimals that read back to x lie in an interval around x that reaches half-way to its neighbours. Scaled by the
/// power of ten that leaves between 2 and 20 integers in it, the interval holds at most one multiple of ten: that is
/// the shortest, else the integer nearest to x is (Giulietti, "The Schubfach way to render doubles", 2020). Here the
/// scaled numbers are exact: powers up to 10³⁸ fit into 128 bits, which serves every double from 2⁻⁷⁰ to 2⁵³ and zero.
/// The rest is left to the standard library.
///
/// Unsafe: text is stored eight bytes at a time into ``room`` bytes, more than 17 digits, a sign, a point, zeros and an
/// exponent reach; each store is two instructions, and a recording has ten numbers a sample.
enum ShortestDecimal {
  /// Bytes that ``write(_:to:)`` may touch; its text is shorter.
  static let room = 64

  /// Writes a number and returns how many bytes it has; nil where the standard library has to write it.
  static func write(_ value: Double, to text: UnsafeMutablePointer<UInt8>) -> Int? {
    var text = text
    let start = text
    if value.sign == .minus {
      text.pointee = UInt8(ascii: "-")
      text += 1
    }
    guard value != 0 else {
      put(0x302E30, at: text)
      return text - start + 3
    }
    guard let (digits, exponent) = shortest(value.magnitude) else { return nil }
    let count = digitCount(digits)
    // Where the point stands among the digits.
    let point = count &+ exponent
    if point <= 0, point > -4 {
      // "0.000" in the order of its bytes; what is too much is written over.
      put(0x30_3030_2E30, at: text)
      text += 2 &- point
      put(digits, count, at: text)
      return text - start + count
    }
    if exponent >= 0 {
      put(digits, count, at: text)
      text += count
      for place in 0..<exponent { text[place] = UInt8(ascii: "0") }
      put(0x302E, at: text + exponent)
      return text - start + exponent + 2
    }
    // The digits in front of the point move up to make room for it.
    let whole = max(1, point)
    put(digits, count, at: text + 1)
    for place in 0..<whole { text[place] = text[place + 1] }
    text[whole] = UInt8(ascii: ".")
    guard point <= 0 else { return text - start + count + 1 }
    text += count == 1 ? 1 : count &+ 1
    let power = 1 &- point
    put(
      0x3030_2D65 &+ UInt64(truncatingIfNeeded: power / 10) << 16 &+ UInt64(truncatingIfNeeded: power % 10) << 24,
      at: text
    )
    return text - start + 4
  }

  /// Digits, the last one not 0, and their power of ten, for a number in the range of the table.
  @inline(__always)
  private static func shortest(_ magnitude: Double) -> (digits: UInt64, exponent: Int)? {
    let bits = magnitude.bitPattern
    // magnitude = significand · 2^binary
    let binary = Int(truncatingIfNeeded: bits >> 52) - 1075
    guard binary >= -122, binary <= 0 else { return nil }
    let fraction = bits & (1 << 52 - 1)
    let significand = fraction | 1 << 52
    // The neighbour below a power of two is only half as far away.
    let isPowerOfTwo = fraction == 0
    // ⌊log₁₀ 2^binary⌋, of ¾ · 2^binary for a power of two; ⌊log₂ 10^−decimal⌋.
    let decimal = (binary &* 1_262_611 &- (isPowerOfTwo ? 524_031 : 0)) >> 22
    let shift = UInt64(truncatingIfNeeded: binary &+ (-decimal &* 1_741_647) >> 19 &+ 1)
    let power = (high: powersOfTen[-2 &* decimal], low: powersOfTen[1 &- 2 &* decimal])
    // Everything in quarters of the last digit, a remainder marked by an odd number.
    let quarters = significand << 2
    let lower = oddProduct(power, (quarters &- (isPowerOfTwo ? 1 : 2)) << shift)
    let middle = oddProduct(power, quarters << shift)
    let upper = oddProduct(power, (quarters &+ 2) << shift)
    // The ends of the interval read back to an even significand.
    let odd = significand & 1
    let (lowest, highest) = (lower &+ odd, upper &- odd)
    let whole = middle >> 2
    let tens = whole / 10
    let (tensBelow, tensAbove) = (lowest <= 40 &* tens, 40 &* tens &+ 40 <= highest)
    if tensBelow != tensAbove { return withoutZeros(tens &+ (tensAbove ? 1 : 0), decimal &+ 1) }
    let (below, above) = (lowest <= 4 &* whole, 4 &* whole &+ 4 <= highest)
    if below != above { return (whole &+ (above ? 1 : 0), decimal) }
    // Both read back: the nearer one, the even one of two.
    let half = 4 &* whole &+ 2
    return (whole &+ (middle > half || (middle == half && whole & 1 == 1) ? 1 : 0), decimal)
  }

  /// The upper 64 bits of a product of 192, made odd where the rest is not zero.
  @inline(__always)
  private static func oddProduct(_ power: (high: UInt64, low: UInt64), _ factor: UInt64) -> UInt64 {
    let low = power.low.multipliedFullWidth(by: factor)
    let high = power.high.multipliedFullWidth(by: factor)
    let (middle, carries) = high.low.addingReportingOverflow(low.high)
    return (high.high &+ (carries ? 1 : 0)) | (middle | low.low == 0 ? 0 : 1)
  }

  @inline(__always)
  private static func withoutZeros(_ digits: UInt64, _ exponent: Int) -> (digits: UInt64, exponent: Int) {
    var (digits, exponent) = (digits, exponent)
    guard digits % 10 == 0 else { return (digits, exponent) }
    if digits % 100_000_000 == 0 { (digits, exponent) = (digits / 100_000_000, exponent &+ 8) }
    while digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent &+ 1) }
    return (digits, exponent)
  }

  @inline(__always)
  private static func digitCount(_ digits: UInt64) -> Int {
    // ⌊bits · log₁₀ 2⌋, one too few where the digits reach the next power of ten.
    let count = ((64 &- digits.leadingZeroBitCount) &* 1233) >> 12
    return count &+ (digits >= wholePowersOfTen[count] ? 1 : 0)
  }

  /// Up to 17 digits, and perhaps something behind them.
  @inline(__always)
  private static func put(_ digits: UInt64, _ count: Int, at text: UnsafeMutablePointer<UInt8>) {
    guard count > 8 else { return put(eight(digits) >> UInt64(truncatingIfNeeded: 8 &* (8 &- count)), at: text) }
    let (high, low) = digits.quotientAndRemainder(dividingBy: 100_000_000)
    let (top, middle) = high.quotientAndRemainder(dividingBy: 100_000_000)
    // Of seventeen the first stands alone.
    let alone = count / 17
    text[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: top)
    put(eight(middle) >> UInt64(truncatingIfNeeded: 8 &* (16 &- count &+ alone)), at: text + alone)
    put(eight(low), at: text + (count &- 8))
  }

  /// Eight digits as text, the first in the lowest byte: halves, quarters, digits, side by side in one register.
  @inline(__always)
  private static func eight(_ number: UInt64) -> UInt64 {
    let halves = (number / 10_000) | (number % 10_000) << 32
    // x · 5243 >> 19 = x / 100 below 10,000; x · 103 >> 10 = x / 10 below 100.
    let hundreds = ((halves &* 5243) >> 19) & 0x7F_0000_007F
    let quarters = hundreds | (halves &- hundreds &* 100) << 16
    let tens = ((quarters &* 103) >> 10) & 0x000F_000F_000F_000F
    return (tens | (quarters &- tens &* 10) << 8) &+ 0x3030_3030_3030_3030
  }

  @inline(__always)
  private static func put(_ bytes: UInt64, at text: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(text).storeBytes(of: bytes.littleEndian, as: UInt64.self)
  }

  /// 10⁰ to 10³⁸, shifted so that the top bit of 128 is set; exact. The upper half of each comes first.
  private static let powersOfTen: [UInt64] = {
    var power: UInt128 = 1
    return (0...38).flatMap { exponent in
      if exponent > 0 { power *= 10 }
      let shifted = power << power.leadingZeroBitCount
      return [UInt64(truncatingIfNeeded: shifted >> 64), UInt64(truncatingIfNeeded: shifted)]
    }
  }()

  private static let wholePowersOfTen = (0..<20).map { (0..<$0).reduce(1 as UInt64) { power, _ in power * 10 } }
}
