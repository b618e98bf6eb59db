// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Exponential and logarithm to six digits, for probabilities: those of ``Scalar`` are exact, and ten times slower.
enum Approximate {
  /// ln x for a positive number; that of the smallest normal number for any other.
  static func log(_ x: Float) -> Float {
    let x = max(x, .leastNormalMagnitude)
    var exponent = Float(x.exponent)
    var m = x.significand
    if m > 1.414_213_6 { (m, exponent) = (0.5 * m, exponent + 1) }
    // The series of the inverse hyperbolic tangent: |t| is 0.172 at most.
    let t = (m - 1) / (m + 1), s = t * t
    return exponent * 0.693_147_2 + 2 * t * (1 + s * (1.0 / 3 + s * (0.2 + s * (1.0 / 7))))
  }

  /// eˣ; below −80 it is zero, above 80 it is that of 80.
  static func exp(_ x: Float) -> Float {
    guard x > -80 else { return 0 }
    let scaled = min(x, 80) * 1.442_695
    // fits: −116…116
    let exponent = Int(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
    let r = (scaled - Float(exponent)) * 0.693_147_2
    let series = 1 + r * (1 + r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720))))))
    return Float(sign: .plus, exponent: exponent, significand: series)
  }
}
