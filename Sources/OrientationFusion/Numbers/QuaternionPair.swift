// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Two quaternions, one in each half of the vector registers: the same operations on both take the time of one.
///
/// In double precision, as the calibration of the magnetometer is.
struct QuaternionPair: Sendable {
  typealias Two = SIMD2<Double>

  private(set) var w = Two(repeating: 1), x = Two.zero, y = Two.zero, z = Two.zero

  /// The first becomes the second, or the second begins again.
  mutating func copySecond() { (w[0], x[0], y[0], z[0]) = (w[1], x[1], y[1], z[1]) }
  mutating func resetSecond() { (w[1], x[1], y[1], z[1]) = (1, 0, 0, 0) }

  /// One Newton step for 1/√n nearer to unit length.
  mutating func normalize() {
    let k = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
    (w, x, y, z) = (w * k, x * k, y * k, z * k)
  }

  /// Turns the device by (a, b, c), rad; `square` is the square of its length. The lengths stay within the error of the
  /// series, as those of ``Quaternion/turned(inner:)``.
  @inline(__always)
  mutating func turn(_ a: Two, _ b: Two, _ c: Two, _ square: Two) {
    var cosine: Two
    var sineOverAngle: Two
    if square.max() < 0.04 {
      let fourth = square * square
      cosine = (1 - square * (1.0 / 8)) + fourth * (1.0 / 384 - square * (1.0 / 46_080))
      sineOverAngle = (0.5 - square * (1.0 / 48)) + fourth * (1.0 / 3840 - square * (1.0 / 645_120))
    } else {
      (cosine, sineOverAngle) = (Two(repeating: 1), Two(repeating: 0.5))
      for i in 0..<2 where square[i] > 0 {
        let angle = square[i].squareRoot()
        (cosine[i], sineOverAngle[i]) = (Scalar.cos(angle / 2), Scalar.sin(angle / 2) / angle)
      }
    }
    // The products do not wait for the series.
    let pw = -x * a - y * b - z * c
    let px = w * a + y * c - z * b
    let py = w * b + z * a - x * c
    let pz = w * c + x * b - y * a
    (w, x) = (w * cosine + pw * sineOverAngle, x * cosine + px * sineOverAngle)
    (y, z) = (y * cosine + py * sineOverAngle, z * cosine + pz * sineOverAngle)
  }
}
