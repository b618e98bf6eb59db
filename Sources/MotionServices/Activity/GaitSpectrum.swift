// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The power spectra of two real signals at once: one Fourier transform of 512 points, whose real part is the first
/// signal and whose imaginary part the second. The signals have up to 256 points at 50 Hz; zeros fill the rest, so a
/// line is 0.098 Hz wide.
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
  /// The factors of each pass in a row: those of the pass over `half` begin at place `half`.
  private static let cosine = factors { Float(Scalar.cos(2 * .pi * $0)) }
  private static let sine = factors { Float(-Scalar.sin(2 * .pi * $0)) }
  /// The Hann window of 256 points.
  private static let taper = (0..<256).map { Float(0.5 - 0.5 * Scalar.cos(2 * .pi * Double($0) / 256)) }
  /// The places of the first 256 points: their bits in reverse order.
  private static let places = (0..<256).map { index in
    (0..<9).reduce(0) { $0 | (index >> $1 & 1) << (8 - $1) }
  }

  private static func factors(_ value: (Double) -> Float) -> [Float] {
    var table = [Float](repeating: 0, count: points)
    var half = 1
    while half < points {
      for offset in 0..<half { table[half + offset] = value(Double(offset) / Double(2 * half)) }
      half *= 2
    }
    return table
  }

  /// Transforms `count` points; `value` gives both signals, without their means.
  mutating func transform(count: Int, _ value: (Int) -> (Float, Float)) {
    let stride = 256 / count
    let (taper, places) = (Self.taper, Self.places)
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        if count < 256 {
          real.update(repeating: 0)
          imaginary.update(repeating: 0)
        }
        for index in 0..<count {
          let (a, b) = value(index)
          let weight = taper[index * stride]
          let place = places[index]
          // The other half of the points are zeros, so the first pass is a copy.
          (real[place], imaginary[place]) = (a * weight, b * weight)
          (real[place + 1], imaginary[place + 1]) = (a * weight, b * weight)
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

  /// The transform of Cooley and Tukey, in place, without its first pass. From the third pass on, four at once.
  private static func butterflies(
    _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>
  ) {
    for start in stride(from: 0, to: points, by: 4) {
      let (a, b) = (real[start + 2], imaginary[start + 2])
      (real[start + 2], imaginary[start + 2]) = (real[start] - a, imaginary[start] - b)
      (real[start], imaginary[start]) = (real[start] + a, imaginary[start] + b)
      let (c, d) = (imaginary[start + 3], -real[start + 3])
      (real[start + 3], imaginary[start + 3]) = (real[start + 1] - c, imaginary[start + 1] - d)
      (real[start + 1], imaginary[start + 1]) = (real[start + 1] + c, imaginary[start + 1] + d)
    }
    guard let re = real.baseAddress, let im = imaginary.baseAddress else { return }
    cosine.withUnsafeBufferPointer { cosine in
      sine.withUnsafeBufferPointer { sine in
        guard let cosine = cosine.baseAddress, let sine = sine.baseAddress else { return }
        var half = 4
        while half < points {
          for start in stride(from: 0, to: points, by: 2 * half) {
            for offset in stride(from: 0, to: half, by: 4) {
              let (low, high) = (start + offset, start + offset + half)
              let (c, s) = (load(cosine, half + offset), load(sine, half + offset))
              let (x, y) = (load(re, high), load(im, high))
              let (a, b) = (x * c - y * s, x * s + y * c)
              let (u, v) = (load(re, low), load(im, low))
              store(u - a, re, high)
              store(v - b, im, high)
              store(u + a, re, low)
              store(v + b, im, low)
            }
          }
          half *= 2
        }
      }
    }
  }

  @inline(__always)
  private static func load(_ values: UnsafePointer<Float>, _ place: Int) -> SIMD4<Float> {
    UnsafeRawPointer(values + place).loadUnaligned(as: SIMD4<Float>.self)
  }

  @inline(__always)
  private static func store(_ vector: SIMD4<Float>, _ values: UnsafeMutablePointer<Float>, _ place: Int) {
    UnsafeMutableRawPointer(values + place).storeBytes(of: vector, as: SIMD4<Float>.self)
  }

  /// The sum of the first (or second: sideways) spectrum over a band in Hz, the upper end not included.
  func power(_ band: Range<Double>, sideways: Bool = false) -> Double {
    let values = sideways ? second : first
    let low = max(1, Int((band.lowerBound / Self.resolution).rounded()))
    let high = min(Self.lines, Int((band.upperBound / Self.resolution).rounded()))
    guard low < high else { return 0 }
    return Double(values[low..<high].reduce(0, +))
  }

  /// The strongest line of a spectrum in a band: its frequency in Hz between the lines, and its power.
  func peak(
    in band: ClosedRange<Double>, sideways: Bool = false
  ) -> (frequency: Double, power: Double) {
    let values = sideways ? second : first
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
