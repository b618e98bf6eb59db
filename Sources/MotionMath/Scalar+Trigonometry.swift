// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension Scalar {
  /// NaN where x is not finite.
  public static func sin(_ x: Double) -> Double {
    // Below, x − x³/6 rounds to x.
    guard abs(x) > 0x1p-27 else { return x }
    guard let (quadrant, rest) = reduced(abs(x)) else { return .nan }
    let value = (quadrant & 1 == 0 ? sine(rest) : cosine(rest)).value
    return (quadrant & 2 != 0) == (x < 0) ? value : -value
  }

  /// NaN where x is not finite.
  public static func cos(_ x: Double) -> Double {
    guard let (quadrant, rest) = reduced(abs(x)) else { return .nan }
    let value = (quadrant & 1 == 0 ? cosine(rest) : sine(rest)).value
    return quadrant == 0 || quadrant == 3 ? value : -value
  }

  /// NaN where x is not finite.
  public static func tan(_ x: Double) -> Double {
    guard abs(x) > 0x1p-27 else { return x }
    guard let (quadrant, rest) = reduced(abs(x)) else { return .nan }
    let (sine, cosine) = (sine(rest).normalized, cosine(rest).normalized)
    let value = (quadrant & 1 == 0 ? sine / cosine : -cosine / sine).value
    return x < 0 ? -value : value
  }

  /// Maclaurin's series for |r| ≤ π/4; what is left out is below 2e-19 of the value.
  private static func sine(_ r: DoubleDouble) -> DoubleDouble {
    let z = r.high * r.high
    var series = 1.0 / 355_687_428_096_000
    series = series * z - 1.0 / 1_307_674_368_000
    series = series * z + 1.0 / 6_227_020_800
    series = series * z - 1.0 / 39_916_800
    series = series * z + 1.0 / 362_880
    series = series * z - 1.0 / 5040
    series = series * z + 1.0 / 120
    series = series * z - 1.0 / 6
    return DoubleDouble(r.high, r.high * z * series + r.low * (1 - 0.5 * z))
  }

  private static func cosine(_ r: DoubleDouble) -> DoubleDouble {
    let square = DoubleDouble.product(r.high, r.high)
    let z = square.high
    var series = -1.0 / 6_402_373_705_728_000
    series = series * z + 1.0 / 20_922_789_888_000
    series = series * z - 1.0 / 87_178_291_200
    series = series * z + 1.0 / 479_001_600
    series = series * z - 1.0 / 3_628_800
    series = series * z + 1.0 / 40_320
    series = series * z - 1.0 / 720
    series = series * z + 1.0 / 24
    let first = DoubleDouble.sum(1, -0.5 * z)
    return DoubleDouble(first.high, first.low - 0.5 * square.low - r.high * r.low + z * z * series)
  }

  /// x ≥ 0 as a number of quarter turns, modulo 4, and a rest of −π/4…π/4; nil where x is not finite.
  ///
  /// Payne and Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18(1), 1983: with x = m · 2ᵉ
  /// and a whole m, only 192 bits of 2/π matter. The bits above are multiples of 4 in the product; those below are less
  /// than 2⁻¹³⁶ of a quarter turn, where no double is nearer than 2⁻⁶² to a multiple of it.
  private static func reduced(_ x: Double) -> (quadrant: UInt64, rest: DoubleDouble)? {
    guard x > .pi / 4 else { return (0, DoubleDouble(x)) }
    guard x < .infinity else { return nil }
    let exponent = Int(x.bitPattern >> 52) - 1075  // fits: 12 bits
    let m = x.bitPattern & 0xF_FFFF_FFFF_FFFF | 0x10_0000_0000_0000
    let (a, b, c) = bitsOfTwoOverPi(from: 62 + exponent)
    let (low, middle) = (m.multipliedFullWidth(by: c), m.multipliedFullWidth(by: b))
    let (p1, carry) = middle.low.addingReportingOverflow(low.high)
    let p2 = m &* a &+ middle.high &+ (carry ? 1 : 0)
    let quadrant = (p2 &+ 1 << 61) >> 62
    // What is left, −½…½ of a quarter turn, with its sign.
    var (f1, f0) = (p2 << 2 | p1 >> 62, p1 << 2 | low.low >> 62)
    let isNegative = f1 >> 63 == 1
    if isNegative { (f1, f0) = (~f1, ~f0) }
    let zeros = f1.leadingZeroBitCount
    let fraction = f1 << zeros | f0 >> (64 - zeros)
    // Times π/2, whose first 64 bits these are.
    let angle = fraction.multipliedFullWidth(by: 0xC90F_DAA2_2168_C235).high
    let scale = DoubleDouble.scaled(isNegative ? -1 : 1, by: -63 - zeros)
    return (quadrant, DoubleDouble(Double(angle & ~0x7FF) * scale, Double(angle & 0x7FF) * scale))
  }

  /// 192 bits of 2/π, the first of which is `index` − 64 places behind the point; 64 zeros stand before it.
  private static func bitsOfTwoOverPi(from index: Int) -> (UInt64, UInt64, UInt64) {
    let words: InlineArray<21, UInt64> = [
      0,
      0xA2F9_836E_4E44_1529, 0xFC27_57D1_F534_DDC0, 0xDB62_9599_3C43_9041, 0xFE51_63AB_DEBB_C561,
      0xB724_6E3A_424D_D2E0, 0x0649_2EEA_09D1_921C, 0xFE1D_EB1C_B129_A73E, 0xE882_35F5_2EBB_4484,
      0xE99C_7026_B45F_7E41, 0x3991_D639_8353_39F4, 0x9C84_5F8B_BDF9_283B, 0x1FF8_97FF_DE05_980F,
      0xEF2F_118B_5A0A_6D1F, 0x6D36_7ECF_27CB_09B7, 0x4F46_3F66_9E5F_EA2D, 0x7527_BAC7_EBE5_F17B,
      0x3D07_39F7_8A52_92EA, 0x6BFB_5FB1_1F8D_5D08, 0x5603_3046_FC7B_6BAB, 0xF0CF_BC20_9AF4_361D,
    ]
    let (word, shift) = (index >> 6, index & 63)
    // A shift by 64 gives 0.
    func bits(_ i: Int) -> UInt64 { words[word + i] << shift | words[word + i + 1] >> (64 - shift) }
    return (bits(0), bits(1), bits(2))
  }
}

extension DoubleDouble {
  /// The same with the second number below the last place of the first.
  var normalized: Self { Self.sum(high, low) }
}
