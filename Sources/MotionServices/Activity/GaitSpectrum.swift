// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The power spectra of two real signals at once: one Fourier transform of 512 points, whose real part is the first signal and
/// whose imaginary part the second. The signals have up to 256 points at 50 Hz; zeros fill the rest, so a line is 0.098 Hz wide.
struct GaitSpectrum: Sendable {
  static let points = 512
  /// Hz from one line to the next.
  static let resolution = 50.0 / Double(points)
  /// Lines that are computed: up to 10 Hz, the limit of a sensor of 20 Hz.
  static let lines = 104

  /// Power of the first and the second signal at the multiples of ``resolution``.
  private(set) var first = [Float](repeating: 0, count: lines)
  private(set) var second = [Float](repeating: 0, count: lines)
  private var real = [Float](repeating: 0, count: points)
  private var imaginary = [Float](repeating: 0, count: points)
  private static let cosine = (0..<points / 2).map { Float(Scalar.cos(2 * .pi * Double($0) / Double(points))) }
  private static let sine = (0..<points / 2).map { Float(-Scalar.sin(2 * .pi * Double($0) / Double(points))) }
  /// The Hann window of 256 points.
  private static let taper = (0..<256).map { Float(0.5 - 0.5 * Scalar.cos(2 * .pi * Double($0) / 256)) }

  /// Transforms `count` points; `value` gives both signals, without their means.
  mutating func transform(count: Int, _ value: (Int) -> (Float, Float)) {
    let stride = 256 / count
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        real.update(repeating: 0)
        imaginary.update(repeating: 0)
        var reversed = 0
        for index in 0..<count {
          let (a, b) = value(index)
          let weight = Self.taper[index * stride]
          (real[reversed], imaginary[reversed]) = (a * weight, b * weight)
          // Counts up with the bits in reverse order.
          var bit = Self.points / 2
          while reversed & bit != 0 {
            reversed ^= bit
            bit >>= 1
          }
          reversed |= bit
        }
        Self.butterflies(real, imaginary)
      }
    }
    for line in 1..<Self.lines {
      let (a, b) = (real[line], imaginary[line])
      let (c, d) = (real[Self.points - line], imaginary[Self.points - line])
      first[line] = ((a + c) * (a + c) + (b - d) * (b - d)) / 4
      second[line] = ((b + d) * (b + d) + (c - a) * (c - a)) / 4
    }
  }

  /// The transform of Cooley and Tukey, in place.
  private static func butterflies(
    _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>
  ) {
    cosine.withUnsafeBufferPointer { cosine in
      sine.withUnsafeBufferPointer { sine in
        var half = 1
        while half < points {
          let step = points / (2 * half)
          var start = 0
          while start < points {
            for offset in 0..<half {
              let (low, high) = (start + offset, start + offset + half)
              let (c, s) = (cosine[offset * step], sine[offset * step])
              let a = real[high] * c - imaginary[high] * s
              let b = real[high] * s + imaginary[high] * c
              (real[high], imaginary[high]) = (real[low] - a, imaginary[low] - b)
              (real[low], imaginary[low]) = (real[low] + a, imaginary[low] + b)
            }
            start += 2 * half
          }
          half *= 2
        }
      }
    }
  }

  /// The sum of the first spectrum over a band in Hz, the upper end not included.
  func power(_ band: Range<Double>, of spectrum: KeyPath<GaitSpectrum, [Float]> = \.first) -> Double {
    let values = self[keyPath: spectrum]
    let low = max(1, Int((band.lowerBound / Self.resolution).rounded()))
    let high = min(Self.lines, Int((band.upperBound / Self.resolution).rounded()))
    guard low < high else { return 0 }
    return Double(values[low..<high].reduce(0, +))
  }

  /// The strongest line of a spectrum in a band: its frequency in Hz between the lines, and its power.
  func peak(
    in band: ClosedRange<Double>, of spectrum: KeyPath<GaitSpectrum, [Float]> = \.first
  ) -> (frequency: Double, power: Double) {
    let values = self[keyPath: spectrum]
    let low = max(2, Int((band.lowerBound / Self.resolution).rounded(.up)))
    let high = min(Self.lines - 2, Int(band.upperBound / Self.resolution))
    var best = low
    for line in low...max(low, high) where values[line] > values[best] { best = line }
    // The parabola through the line and its neighbours.
    let (before, middle, after) = (Double(values[best - 1]), Double(values[best]), Double(values[best + 1]))
    let curvature = before - 2 * middle + after
    let shift = curvature < 0 ? max(-0.5, min(0.5, (before - after) / (2 * curvature))) : 0
    return ((Double(best) + shift) * Self.resolution, middle)
  }
}
