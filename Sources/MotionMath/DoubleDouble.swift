// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A number as the sum of two, of which the second is below the last place of the first: about 106 bits.
///
/// The exact sum of two numbers is Knuth's, the exact product Dekker's: T. J. Dekker, "A floating-point technique for
/// extending the available precision", Numerische Mathematik 18, 1971. Fused multiplication is not used: where a
/// machine does not have it, it is slow.
struct DoubleDouble: BitwiseCopyable {
  var high: Double
  var low: Double

  init(_ high: Double, _ low: Double = 0) { (self.high, self.low) = (high, low) }

  /// One rounding.
  var value: Double { high + low }

  static var pi: Self { Self(.pi, 1.2246467991473532e-16) }
  static var halfPi: Self { Self(.pi / 2, 6.123233995736766e-17) }

  /// a + b, exactly.
  static func sum(_ a: Double, _ b: Double) -> Self {
    let sum = a + b
    let part = sum - a
    return Self(sum, (a - (sum - part)) + (b - part))
  }

  /// a · b, exactly, while neither is beyond 2⁹⁹⁵ and the product above 2⁻⁹⁶⁰.
  static func product(_ a: Double, _ b: Double) -> Self {
    let (x, y) = (halves(a), halves(b))
    let product = a * b
    return Self(product, x.low * y.low - (((product - x.high * y.high) - x.low * y.high) - x.high * y.low))
  }

  /// A number as the sum of two with half of its bits.
  private static func halves(_ a: Double) -> Self {
    let scaled = a * 0x1p27 + a
    let high = scaled - (scaled - a)
    return Self(high, a - high)
  }

  static prefix func - (a: Self) -> Self { Self(-a.high, -a.low) }

  static func + (a: Self, b: Self) -> Self {
    let sum = sum(a.high, b.high)
    return Self.sum(sum.high, sum.low + (a.low + b.low))
  }

  static func - (a: Self, b: Self) -> Self { a + -b }

  static func * (a: Self, b: Self) -> Self {
    let product = product(a.high, b.high)
    return sum(product.high, product.low + (a.high * b.low + a.low * b.high))
  }

  static func / (a: Self, b: Self) -> Self {
    let quotient = a.high / b.high
    let product = product(quotient, b.high)
    let rest = ((a.high - product.high) - product.low) + (a.low - quotient * b.low)
    return sum(quotient, rest / b.high)
  }

  /// Of a positive number.
  func squareRoot() -> Self {
    let root = high.squareRoot()
    let square = Self.product(root, root)
    return Self.sum(root, (((high - square.high) - square.low) + low) / (2 * root))
  }

  /// The whole number next to x, for |x| < 2⁵¹; not the standard library's, which may be a call into libm.
  static func nearest(_ x: Double) -> Double { (x + 0x1.8p52) - 0x1.8p52 }

  /// x · 2ᵏ for |k| ≤ 2000; rounded twice at most.
  static func scaled(_ x: Double, by k: Int) -> Double {
    let half = k / 2
    return x * power(half) * power(k - half)
  }

  /// 2ᵏ for −1022…1023.
  private static func power(_ k: Int) -> Double {
    // fits: 1…2046
    Double(bitPattern: UInt64(1023 + k) << 52)
  }
}
