// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The last 5.12 s of the device at 50 Hz. Each value is stored twice, 256 places apart, so that a span is one piece.
struct GaitWindow: Sendable {
  static let length = 256

  /// g: the length of the acceleration, and its components.
  private(set) var norms = [Float](repeating: 0, count: 2 * length)
  private(set) var vectors = [SIMD3<Float>](repeating: .zero, count: 2 * length)
  /// Squared rates of rotation, (rad/s)²; NaN where there is no gyroscope.
  private(set) var rotations = [Float](repeating: .nan, count: 2 * length)
  /// Cells since the line of cells began, at most the length.
  private(set) var count = 0
  private var place = 0

  mutating func removeAll() { (count, place) = (0, 0) }

  mutating func append(_ vector: SIMD3<Float>, norm: Float, rotation: Float) {
    for index in [place, place + Self.length] {
      (norms[index], vectors[index], rotations[index]) = (norm, vector, rotation)
    }
    place = place + 1 == Self.length ? 0 : place + 1
    count = min(count + 1, Self.length)
  }

  /// The places of the latest cells, oldest first.
  func latest(_ wanted: Int) -> Range<Int> {
    let end = place + Self.length
    return end - min(wanted, count)..<end
  }

  /// The highest local maximum of the autocorrelation of the norms between 0.25 s and 1.25 s, and its delay in seconds;
  /// 0 where there is none. Both parts that are compared are brought to the same size, so that a walk that becomes
  /// faster still agrees with itself.
  func autocorrelation(over range: Range<Int>, mean: Float) -> (peak: Double, delay: Double) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.length) { values in
      let count = range.count
      for index in 0..<count { values.initializeElement(at: index, to: norms[range.lowerBound + index] - mean) }
      return Self.autocorrelation(UnsafeBufferPointer(rebasing: values[..<count]))
    }
  }

  private static func autocorrelation(_ values: UnsafeBufferPointer<Float>) -> (peak: Double, delay: Double) {
    let (count, shortest, longest) = (values.count, 12, min(63, values.count / 2))
    var (best, bestDelay) = (Float(0), 0)
    var (before, current) = (Float(1), Float(1))
    // Sums of squares of the head and the tail, without the part that the delay cuts off.
    var (head, tail) = (Float(0), Float(0))
    for value in values { head += value * value }
    tail = head
    for delay in 1..<longest {
      let (last, first) = (values[count - delay], values[delay - 1])
      head -= last * last
      tail -= first * first
      guard delay >= shortest - 2, let base = values.baseAddress else { continue }
      var sums = SIMD8<Float>.zero
      let length = count - delay
      let raw = UnsafeRawPointer(base)
      var index = 0
      while index + 8 <= length {
        sums +=
          raw.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
          * raw.loadUnaligned(fromByteOffset: (index + delay) * 4, as: SIMD8<Float>.self)
        index += 8
      }
      var sum = sums.sum()
      while index < length {
        sum += values[index] * values[index + delay]
        index += 1
      }
      let next = head > 0 && tail > 0 ? sum / (head * tail).squareRoot() : 0
      if delay > shortest, current > before, current >= next, current > best {
        (best, bestDelay) = (current, delay - 1)
      }
      (before, current) = (current, next)
    }
    return (Double(best), Double(bestDelay) * GaitResampler.seconds)
  }
}
