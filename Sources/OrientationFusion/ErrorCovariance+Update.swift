// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One number that depends on a few components of the error: innovation = Σ coefficient · error + noise.
struct ScalarMeasurement {
  private(set) var count = 0
  private(set) var indices = InlineArray<6, Int>(repeating: 0)
  private(set) var coefficients = InlineArray<6, Double>(repeating: 0)

  init() {}

  init(_ index: Int, _ coefficient: Double) { append(index, coefficient) }

  mutating func append(_ index: Int, _ coefficient: Double) {
    indices[count] = index
    coefficients[count] = coefficient
    count += 1
  }
}

/// A column of the error vector's length.
typealias ErrorVector = InlineArray<24, Double>

// Methods that only read are `mutating` too where they run in every block: a read through a borrowed `self` copies the
// whole matrix (Swift 6.3), a read through exclusive access does not.

extension ErrorCovariance {
  /// The variance of the measurement that the errors explain: H P Hᵀ.
  mutating func explainedVariance(_ measurement: ScalarMeasurement) -> Double {
    var sum = 0.0
    for a in 0..<measurement.count {
      let row = measurement.indices[a] * Self.stride
      for b in 0..<measurement.count {
        sum += measurement.coefficients[a] * measurement.coefficients[b] * elements[row + measurement.indices[b]]
      }
    }
    return sum
  }

  /// The Kalman update with one number: P ← P − K H P. Returns the gain K, or nil when the variance makes no sense.
  ///
  /// `sparesInclination`: the measurement must not move inclination and velocity. Their gain is zero and their own 4 × 4
  /// block of the covariance stays, as in a Schmidt-Kalman filter.
  mutating func update(
    _ measurement: ScalarMeasurement, noise: Double, sparesInclination: Bool = false
  ) -> ErrorVector? {
    let n = order
    var row = ErrorVector(repeating: 0)
    for k in 0..<measurement.count {
      let (start, factor) = (measurement.indices[k] * Self.stride, measurement.coefficients[k])
      for c in 0..<n { row[c] += factor * elements[start + c] }
    }
    var variance = noise
    for k in 0..<measurement.count { variance += measurement.coefficients[k] * row[measurement.indices[k]] }
    guard variance > 0, variance.isFinite else { return nil }

    var gain = row
    for i in 0..<n { gain[i] /= variance }
    let kept = sparesInclination ? inclinationBlock() : nil
    subtract(gain, row)
    if let kept {
      restoreInclinationBlock(kept)
      for k in 0..<4 { gain[Self.inclinationIndices[k]] = 0 }
    }
    return gain
  }

  /// P ← P − gain rowᵀ.
  private mutating func subtract(_ gain: ErrorVector, _ row: ErrorVector) {
    let n = order
    let (gain, row) = (gain.span, row.span)
    var p = elements.mutableSpan
    for i in 0..<n {
      let factor = gain[unchecked: i]
      for c in 0..<n { p[unchecked: i * Self.stride + c] -= factor * row[unchecked: c] }
    }
  }

  private static var inclinationIndices: InlineArray<4, Int> { [0, 1, 3, 4] }

  private mutating func inclinationBlock() -> InlineArray<16, Double> {
    let indices = Self.inclinationIndices
    var block = InlineArray<16, Double>(repeating: 0)
    for a in 0..<4 {
      for b in 0..<4 { block[4 * a + b] = elements[indices[a] * Self.stride + indices[b]] }
    }
    return block
  }

  private mutating func restoreInclinationBlock(_ block: InlineArray<16, Double>) {
    var p = elements.mutableSpan
    let indices = Self.inclinationIndices
    for a in 0..<4 {
      for b in 0..<4 { p[indices[a] * Self.stride + indices[b]] = block[4 * a + b] }
    }
  }
}
