// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Single precision throughout: these names stand before the standard library's. Scripts/build-device.sh fails where a
// double is left, which would need kilobytes of library on a processor without them.
public typealias Double = Float
public typealias FloatLiteralType = Float

// The standard library's allocate memory for a fourth number.
func max(_ a: Float, _ b: Float, _ c: Float) -> Float { max(max(a, b), c) }
func max(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float { max(max(a, b), max(c, d)) }

// The functions of MotionMath, the same to the last bit on every machine, to 3e-7.
extension Scalar {
  static func sin(_ x: Float) -> Float { sineAndCosine(x).0 }
  static func cos(_ x: Float) -> Float { sineAndCosine(x).1 }
  static func tan(_ x: Float) -> Float { sin(x) / cos(x) }
  static func hypot(_ x: Float, _ y: Float) -> Float { (x * x + y * y).squareRoot() }
  static func pow(_ x: Float, _ y: Float) -> Float { exp(y * log(x)) }

  /// Up to 8000 rad; π/2 in three parts (Cody and Waite), the rest by Maclaurin's series.
  private static func sineAndCosine(_ x: Float) -> (Float, Float) {
    guard abs(x) < 8000 else { return (.nan, .nan) }
    let (quarters, k) = nearest(x * 0.636619772)
    let r = ((x - k * 1.5703125) - k * 4.83751297e-4) - k * 7.54978995e-8
    let z = r * r
    let sine = r + r * z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362_880))))
    let cosine = 1 - 0.5 * z + z * z * (1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40_320 - z * (1.0 / 3_628_800))))
    let (s, c) = quarters & 1 == 0 ? (sine, cosine) : (cosine, -sine)
    return quarters & 2 == 0 ? (s, c) : (-s, -c)
  }

  /// Of the octant by the series for a tangent of tan(π/8) at most.
  static func atan2(_ y: Float, _ x: Float) -> Float {
    let (a, b) = (abs(y), abs(x))
    guard a + b > 0 else { return a + b }
    var t = min(a, b) / max(a, b)
    let isUpper = t > 0.41421356
    if isUpper { t = (t - 1) / (t + 1) }
    let z = t * t
    var (series, k) = (Float(0), Float(17))
    while k > 1 { (series, k) = (1 / k - z * series, k - 2) }
    var angle = t - t * z * series
    if isUpper { angle += .pi / 4 }
    if a > b { angle = .pi / 2 - angle }
    if x < 0 { angle = .pi - angle }
    return y < 0 ? -angle : angle
  }

  /// eˣ = 2ᵏ · eʳ.
  static func exp(_ x: Float) -> Float {
    guard abs(x) < 87 else { return x < 0 ? 0 : x * .infinity }
    let (exponent, k) = nearest(x * 1.44269504)
    let r = (x - k * 0.693359375) + k * 2.12194440e-4
    let series = r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720)))))
    return (1 + (r + r * series)) * Float(bitPattern: UInt32(bitPattern: exponent + 127) << 23)
  }

  /// Of a positive number, not below 2⁻¹²⁶: 2 artanh((m − 1) / (m + 1)) + k ln 2.
  static func log(_ x: Float) -> Float {
    let exponent = Int32(x.bitPattern >> 23) - 127
    let m = Float(bitPattern: x.bitPattern & 0x7F_FFFF | 0x3F80_0000)
    let s = (m - 1) / (m + 1)
    let z = s * s
    let series = 1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13)))))
    return 2 * (s + s * z * series) + Float(exponent) * 0.693147181
  }

  private static func nearest(_ x: Float) -> (Int32, Float) {
    let k = Int32(x + (x < 0 ? -0.5 : 0.5))
    return (k, Float(k))
  }
}
