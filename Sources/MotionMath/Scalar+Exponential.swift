// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension Scalar {
  /// 0 below −745.2, infinite above 709.8.
  public static func exp(_ x: Double) -> Double { exponential(DoubleDouble(x)) }

  /// The natural logarithm; −∞ of 0, NaN of a negative number.
  public static func log(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : x < 0 ? .nan : x }
    return logarithm(x).value
  }

  /// xʸ; NaN where x is negative and y not a whole number.
  public static func pow(_ x: Double, _ y: Double) -> Double {
    if y == 0 || x == 1 { return 1 }
    guard !x.isNaN, !y.isNaN else { return .nan }
    // Every double from 2⁵² on is whole, and every one from 2⁵³ on even.
    let isWhole = abs(y) >= 0x1p52 || Double(Int64(y)) == y  // fits: |y| < 2⁵³ where it is converted
    let isOdd = isWhole && abs(y) < 0x1p53 && Int64(y) & 1 == 1  // fits: |y| < 2⁵³
    let sign: Double = x.sign == .minus && isOdd ? -1 : 1
    if x == 0 || x.isInfinite { return (x == 0) == (y < 0) ? sign * .infinity : sign * 0 }
    if y.isInfinite { return abs(x) == 1 ? 1 : (abs(x) > 1) == (y > 0) ? .infinity : 0 }
    guard x > 0 || isWhole else { return .nan }
    if abs(x) == 1 { return sign }
    // With more the result is 0, 1 or infinite all the same.
    let bounded = min(1e25, max(-1e25, y))
    return sign * exponential(logarithm(abs(x)) * DoubleDouble(bounded))
  }

  /// eˣ = 2ᵏ · eʳ with |r| ≤ ½ ln 2, by Maclaurin's series.
  private static func exponential(_ x: DoubleDouble) -> Double {
    guard x.high < 709.8 else { return x.high.isNaN ? .nan : .infinity }
    guard x.high > -745.2 else { return 0 }
    let k = DoubleDouble.nearest(x.high * 1.4426950408889634)
    let r = x - DoubleDouble(k) * logarithmOfTwo
    let z = r.high
    var series = 1.0 / 87_178_291_200
    series = series * z + 1.0 / 6_227_020_800
    series = series * z + 1.0 / 479_001_600
    series = series * z + 1.0 / 39_916_800
    series = series * z + 1.0 / 3_628_800
    series = series * z + 1.0 / 362_880
    series = series * z + 1.0 / 40_320
    series = series * z + 1.0 / 5040
    series = series * z + 1.0 / 720
    series = series * z + 1.0 / 120
    series = series * z + 1.0 / 24
    series = series * z + 1.0 / 6
    series = series * z + 0.5
    let first = DoubleDouble.sum(1, z)
    let value = first.high + (first.low + (r.low + r.low * z) + z * z * series)
    return DoubleDouble.scaled(value, by: Int(k))  // fits: the exponents of doubles, −1075…1024
  }

  /// Of a positive finite number: ln x = k ln 2 + 2 artanh((m − 1) / (m + 1)) with m between √½ and √2.
  private static func logarithm(_ x: Double) -> DoubleDouble {
    let isNormal = x >= 0x1p-1022
    let bits = (isNormal ? x : x * 0x1p54).bitPattern
    var k = Double(Int(bits >> 52) - (isNormal ? 1023 : 1077))
    var m = Double(bitPattern: bits & 0xF_FFFF_FFFF_FFFF | 1023 << 52)
    if m > 1.4142135623730951 { (m, k) = (0.5 * m, k + 1) }
    let s = DoubleDouble(m - 1) / DoubleDouble.sum(m, 1)
    let square = s * s
    let z = square.high
    var series = 2.0 / 25
    series = series * z + 2.0 / 23
    series = series * z + 2.0 / 21
    series = series * z + 2.0 / 19
    series = series * z + 2.0 / 17
    series = series * z + 2.0 / 15
    series = series * z + 2.0 / 13
    series = series * z + 2.0 / 11
    series = series * z + 2.0 / 9
    series = series * z + 2.0 / 7
    series = series * z + 2.0 / 5
    let cubic = s * square * DoubleDouble(0.6666666666666666, 3.700743415417188e-17)
    let sum = DoubleDouble(k) * logarithmOfTwo + (DoubleDouble(2 * s.high, 2 * s.low) + cubic)
    return DoubleDouble.sum(sum.high, sum.low + s.high * z * z * series)
  }

  private static var logarithmOfTwo: DoubleDouble { DoubleDouble(0.6931471805599453, 2.3190468138462996e-17) }
}
