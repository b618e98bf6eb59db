// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension Scalar {
  /// The angle of the point (x, y) from the +x axis, -π…π; 0 at the origin.
  public static func atan2(_ y: Double, _ x: Double) -> Double {
    guard !x.isNaN, !y.isNaN else { return .nan }
    var (a, b) = (abs(y), abs(x))
    guard a > 0 else { return x.sign == .minus ? Double(signOf: y, magnitudeOf: .pi) : y }
    if max(a, b) == .infinity { (a, b) = (a == .infinity ? 1 : 0, b == .infinity ? 1 : 0) }
    // So flat that the tangent is the angle.
    if x > 0, a < b * 0x1p-28 { return y / x }
    let exponent = -max(a, b).exponent
    (a, b) = (DoubleDouble.scaled(a, by: exponent), DoubleDouble.scaled(b, by: exponent))
    var angle = firstQuadrant(DoubleDouble(a), DoubleDouble(b))
    if x < 0 { angle = .pi - angle }
    return Double(signOf: y, magnitudeOf: angle.value)
  }

  /// Arc sine in radians. The argument is clamped to [-1, 1], so that rounding at a pole never gives NaN.
  public static func asin(_ x: Double) -> Double {
    guard abs(x) > 0x1p-27 else { return x }
    guard abs(x) < 1 else { return x.isNaN ? x : Double(signOf: x, magnitudeOf: .pi / 2) }
    return Double(signOf: x, magnitudeOf: firstQuadrant(DoubleDouble(abs(x)), otherLeg(x)).value)
  }

  /// Arc cosine in radians. The argument is clamped to [-1, 1].
  public static func acos(_ x: Double) -> Double {
    guard abs(x) < 1 else { return x.isNaN ? x : x > 0 ? 0 : .pi }
    let angle = firstQuadrant(otherLeg(x), DoubleDouble(abs(x)))
    return (x < 0 ? .pi - angle : angle).value
  }

  /// √(x² + y²) without overflow on the way; infinite when one is.
  public static func hypot(_ x: Double, _ y: Double) -> Double {
    let (small, large) = abs(x) < abs(y) ? (abs(x), abs(y)) : (abs(y), abs(x))
    guard small > 0, large < .infinity else {
      return x.isInfinite || y.isInfinite ? .infinity : small + large
    }
    guard small > large * 0x1p-28 else { return large }
    let exponent = large.exponent
    let (a, b) = (DoubleDouble.scaled(small, by: -exponent), DoubleDouble.scaled(large, by: -exponent))
    let square = DoubleDouble.product(b, b) + DoubleDouble.product(a, a)
    return DoubleDouble.scaled(square.squareRoot().value, by: exponent)
  }

  /// √(1 − x²).
  private static func otherLeg(_ x: Double) -> DoubleDouble {
    (DoubleDouble(1) - DoubleDouble.product(x, x)).squareRoot()
  }

  /// The angle whose tangent is a/b, for a and b ≥ 0 that are not both 0, the larger one near 1.
  private static func firstQuadrant(_ a: DoubleDouble, _ b: DoubleDouble) -> DoubleDouble {
    a.high > b.high ? .halfPi - firstOctant(b, a) : firstOctant(a, b)
  }

  /// The same for a ≤ b: the nearest of nine angles, and the series of the rest, whose tangent is 1/16 at most.
  private static func firstOctant(_ a: DoubleDouble, _ b: DoubleDouble) -> DoubleDouble {
    let eighths = DoubleDouble.nearest(a.high / b.high * 8)
    let tangent = DoubleDouble(eighths * 0.125)
    // tan(α − β) = (tan α − tan β) / (1 + tan α · tan β)
    let rest = eighths == 0 ? a / b : (a - b * tangent) / (b + a * tangent)
    let z = rest.high * rest.high
    var series = -1.0 / 15
    series = series * z + 1.0 / 13
    series = series * z - 1.0 / 11
    series = series * z + 1.0 / 9
    series = series * z - 1.0 / 7
    series = series * z + 1.0 / 5
    series = series * z - 1.0 / 3
    let whole = angle(ofEighths: eighths) + rest
    return DoubleDouble.sum(whole.high, whole.low + rest.high * z * series)
  }

  /// The angle whose tangent is 0, 1/8, … 1.
  private static func angle(ofEighths eighths: Double) -> DoubleDouble {
    switch eighths {
    case 0: DoubleDouble(0)
    case 1: DoubleDouble(0.12435499454676144, -3.1253241424539383e-18)
    case 2: DoubleDouble(0.24497866312686414, 1.0698755618734451e-17)
    case 3: DoubleDouble(0.35877067027057225, -2.4623815582638635e-17)
    case 4: DoubleDouble(0.4636476090008061, 2.2698777452961687e-17)
    case 5: DoubleDouble(0.5585993153435624, -5.4556305485916264e-18)
    case 6: DoubleDouble(0.6435011087932844, 1.5834785051444286e-17)
    case 7: DoubleDouble(0.7188299996216245, -2.1478388444456983e-17)
    default: DoubleDouble(0.7853981633974483, 3.061616997868383e-17)
    }
  }
}
