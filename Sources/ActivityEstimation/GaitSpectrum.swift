// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The power spectra of two real signals at once: one Fourier transform of 256 points, whose real part is the first
/// signal and whose imaginary part the second. The signals have 128 points at 25 Hz; zeros fill the rest, so a line is
/// 0.098 Hz wide.
struct GaitSpectrum: Sendable {
  static let points = 256
  /// Hz from one line to the next.
  static let resolution = GaitWindow.rate / Double(points)
  /// Lines that are computed: up to 8 Hz, which a sensor of 20 Hz still sees.
  static let lines = 84

  /// The first and the second signal.
  private(set) var first = Power()
  private(set) var second = Power()
  private var real = [Float](repeating: 0, count: points)
  private var imaginary = [Float](repeating: 0, count: points)
  /// The factors of each pass in a row: those of the pass over `half` begin at place `half`.
  private static let cosine = factors { Float(Scalar.cos(2 * .pi * $0)) }
  private static let sine = factors { Float(-Scalar.sin(2 * .pi * $0)) }
  /// The Hann window.
  private static let taper = (0..<GaitWindow.length).map {
    Float(0.5 - 0.5 * Scalar.cos(2 * .pi * Double($0) / Double(GaitWindow.length)))
  }
  /// The places of the first half of the points: their bits in reverse order.
  private static let places = (0..<GaitWindow.length).map { index in
    (0..<8).reduce(0) { $0 | (index >> $1 & 1) << (7 - $1) }
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

  /// Transforms both signals; they have no mean.
  mutating func transform(_ one: Span<Float>, _ other: Span<Float>) {
    let (taper, places) = (Self.taper, Self.places)
    for index in 0..<GaitWindow.length {
      let (weight, place) = (taper[index], places[index])
      let (a, b) = (one[index] * weight, other[index] * weight)
      // The other half of the points are zeros, so the first pass is a copy.
      (real[place], imaginary[place]) = (a, b)
      (real[place + 1], imaginary[place + 1]) = (a, b)
    }
    Self.butterflies(&real, &imaginary)
    for line in 1..<Self.lines {
      let (a, b) = (real[line], imaginary[line])
      let (c, d) = (real[Self.points - line], imaginary[Self.points - line])
      first.append(((a + c) * (a + c) + (b - d) * (b - d)) / 4, at: line)
      second.append(((b + d) * (b + d) + (c - a) * (c - a)) / 4, at: line)
    }
  }

  /// The transform of Cooley and Tukey, in place, without its first pass. From the third pass on, four at once.
  private static func butterflies(_ reals: inout [Float], _ imaginaries: inout [Float]) {
    var real = reals.mutableSpan
    var imaginary = imaginaries.mutableSpan
    for start in stride(from: 0, to: points, by: 4) {
      let (a, b) = (real[start + 2], imaginary[start + 2])
      (real[start + 2], imaginary[start + 2]) = (real[start] - a, imaginary[start] - b)
      (real[start], imaginary[start]) = (real[start] + a, imaginary[start] + b)
      let (c, d) = (imaginary[start + 3], -real[start + 3])
      (real[start + 3], imaginary[start + 3]) = (real[start + 1] - c, imaginary[start + 1] - d)
      (real[start + 1], imaginary[start + 1]) = (real[start + 1] + c, imaginary[start + 1] + d)
    }
    let (cosine, sine) = (cosine, sine)
    var half = 4
    while half < points {
      for start in stride(from: 0, to: points, by: 2 * half) {
        for offset in stride(from: 0, to: half, by: 4) {
          let (low, high) = (start + offset, start + offset + half)
          let (c, s) = (load(cosine.span, half + offset), load(sine.span, half + offset))
          let (x, y) = (load(real.span, high), load(imaginary.span, high))
          let (a, b) = (x * c - y * s, x * s + y * c)
          let (u, v) = (load(real.span, low), load(imaginary.span, low))
          store(u - a, &real, high)
          store(v - b, &imaginary, high)
          store(u + a, &real, low)
          store(v + b, &imaginary, low)
        }
      }
      half *= 2
    }
  }

  @inline(__always)
  static func load(_ values: Span<Float>, _ place: Int) -> SIMD4<Float> {
    // unsafe: places are below `points`, the length of all four tables; a check of each is slower.
    values.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 * place, as: SIMD4<Float>.self)
  }

  @inline(__always)
  private static func store(_ vector: SIMD4<Float>, _ values: inout MutableSpan<Float>, _ place: Int) {
    var bytes = values.mutableBytes
    bytes.storeBytes(of: vector, toByteOffset: 4 * place, as: SIMD4<Float>.self)
  }
}

extension GaitSpectrum {
  /// The power at the multiples of ``resolution``, as sums from line 1 on: the power of a band is a difference.
  struct Power: Sendable {
    fileprivate var sums = [Float](repeating: 0, count: GaitSpectrum.lines)

    fileprivate mutating func append(_ power: Float, at line: Int) { sums[line] = sums[line - 1] + power }

    /// From line 1 on.
    var lines: [Float] { zip(sums.dropFirst(), sums).map(-) }
  }

  /// The sums of both signals, to read many bands.
  var sums: (Sums, Sums) { (Sums(values: first.sums), Sums(values: second.sums)) }

  /// The power of bands.
  struct Sums {
    fileprivate let values: [Float]

    /// From a frequency in Hz to another, which is not included.
    func between(_ low: Float, _ high: Float) -> Float {
      let (first, last) = (Self.line(low), Self.line(high) - 1)
      return first <= last ? values[last] - values[first - 1] : 0
    }

    /// Within 0.2 Hz of a frequency, both ends included.
    func around(_ frequency: Float) -> Float { self[Band(frequency)] }

    @inline(__always)
    subscript(band: Band) -> Float { values[band.last] - values[band.before] }

    fileprivate static func line(_ frequency: Float) -> Int {
      // fits: a frequency in the range of the spectrum, Hz
      min(GaitSpectrum.lines - 1, max(1, Int(frequency * Float(1 / GaitSpectrum.resolution) + 0.5)))
    }
  }

  /// The lines within 0.2 Hz of a frequency.
  struct Band: Sendable {
    fileprivate let before, last: Int

    init(_ frequency: Float) { (before, last) = (Sums.line(frequency - 0.2) - 1, Sums.line(frequency + 0.2)) }
  }
}
