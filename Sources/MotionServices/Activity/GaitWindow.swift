// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The last 5.12 s of the device at 50 Hz. Each value is stored twice, 256 places apart, so that any span is in one piece.
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

  /// The highest local maximum of the autocorrelation of the norms between 0.25 s and 1.25 s, and its delay in seconds; 0 where there
  /// is none. Both parts that are compared are brought to the same size, so that a walk that becomes faster still agrees with itself.
  func autocorrelation(over range: Range<Int>, mean: Float) -> (peak: Double, delay: Double) {
    norms.withUnsafeBufferPointer { norms in
      let (count, shortest, longest) = (range.count, 12, min(63, range.count / 2))
      var (best, bestDelay) = (Float(0), 0)
      var (before, current) = (Float(1), Float(1))
      // Sums of squares of the head and the tail, without the part that the delay cuts off.
      var (head, tail) = (Float(0), Float(0))
      for index in range { head += (norms[index] - mean) * (norms[index] - mean) }
      tail = head
      for delay in 1..<longest {
        let (last, first) = (norms[range.upperBound - delay] - mean, norms[range.lowerBound + delay - 1] - mean)
        head -= last * last
        tail -= first * first
        guard delay >= shortest - 2 else { continue }
        var sums = SIMD8<Float>.zero
        let length = count - delay
        var index = 0
        let base = norms.baseAddress.map { UnsafeRawPointer($0 + range.lowerBound) }
        while index + 8 <= length, let base {
          let a = base.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self) - mean
          let b = base.loadUnaligned(fromByteOffset: (index + delay) * 4, as: SIMD8<Float>.self) - mean
          sums += a * b
          index += 8
        }
        var sum = sums.sum()
        while index < length {
          sum += (norms[range.lowerBound + index] - mean) * (norms[range.lowerBound + index + delay] - mean)
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
}
