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

/// The errors that a measurement leaves as they are.
enum Spared {
  case nothing
  /// Inclination and velocity.
  case inclination
  /// Scale and misalignment of the gyroscope; or these and its bias.
  case gyroscopeMatrix, gyroscope
}

/// A column of the error vector's length.
typealias ErrorVector = InlineArray<24, Double>

extension ErrorCovariance {
  /// The variance of the measurement that the errors explain: H P Hᵀ.
  mutating func explainedVariance(_ measurement: ScalarMeasurement) -> Double {
    let n = measurement.count
    let p = elements.span
    var sum = 0.0
    for a in 0..<n {
      let i = measurement.indices[a]
      var product = measurement.coefficients[a] * p[i &* (Self.stride &+ 1)]
      for b in 0..<a {
        let j = measurement.indices[b]
        product += 2 * measurement.coefficients[b] * p[min(i, j) &* Self.stride &+ max(i, j)]
      }
      sum += measurement.coefficients[a] * product
    }
    return sum
  }

  /// H P into `row`; returns H P Hᵀ.
  @inline(__always)
  private mutating func explain(_ measurement: ScalarMeasurement, row: inout ErrorVector) -> Double {
    var sum = 0.0
    for k in 0..<measurement.count { addRow(measurement.indices[k], times: measurement.coefficients[k], to: &row) }
    for k in 0..<measurement.count { sum += measurement.coefficients[k] * row[measurement.indices[k]] }
    return sum
  }

  /// The Kalman update with one number: P ← P − K H P. Returns false, and does nothing, when the variance makes no sense.
  ///
  /// `sparing`: what the measurement must not move. Its gain is zero and its own block of the covariance stays, as in a
  /// Schmidt-Kalman filter (Schmidt, "Applications of state-space methods to navigation problems", 1966).
  mutating func update(
    _ measurement: ScalarMeasurement, noise: Double, sparing: Spared, gain: inout ErrorVector
  ) -> Bool {
    var row = ErrorVector(repeating: 0)
    let variance = noise + explain(measurement, row: &row)
    guard variance > 0, variance.isFinite else { return false }

    let weight = 1 / variance
    for i in 0..<Self.stride { gain[i] = row[i] * weight }
    switch sparing {
    case .nothing:
      subtract(&gain, &row)
    case .inclination:
      let kept = inclinationBlock()
      subtract(&gain, &row)
      restoreInclinationBlock(kept)
      (gain[0], gain[1], gain[3], gain[4]) = (0, 0, 0, 0)
    case .gyroscopeMatrix, .gyroscope:
      let first = sparing == .gyroscope ? ErrorIndex.bias : ErrorIndex.matrix
      let kept = gyroscopeBlock(from: first)
      subtract(&gain, &row)
      restoreGyroscopeBlock(kept, from: first)
      for i in first..<ErrorIndex.matrix + 9 { gain[i] = 0 }
    }
    return true
  }

  private mutating func addRow(_ index: Int, times factor: Double, to row: inout ErrorVector) {
    let stride = Self.stride
    let p = elements.span
    var result = row.mutableSpan
    var element = index
    for c in 0..<index {
      result[unchecked: c] += factor * p[unchecked: element]
      element &+= stride
    }
    for c in index..<stride {
      result[unchecked: c] += factor * p[unchecked: element]
      element &+= 1
    }
  }

  /// P ← P − gain rowᵀ, right of the diagonal. Each row begins at a multiple of four: whole vectors, and what they spoil
  /// left of the diagonal is never read.
  private mutating func subtract(_ gain: inout ErrorVector, _ row: inout ErrorVector) {
    let n = order
    let gain = gain.span
    let row = row.span
    var p = elements.mutableSpan
    var base = 0
    for i in 0..<n {
      let factor = gain[unchecked: i]
      var c = i & ~3
      while c < 24 {
        let (a, b) = (row[unchecked: c], row[unchecked: c &+ 1])
        let (d, e) = (row[unchecked: c &+ 2], row[unchecked: c &+ 3])
        p[unchecked: base &+ c] -= factor * a
        p[unchecked: base &+ c &+ 1] -= factor * b
        p[unchecked: base &+ c &+ 2] -= factor * d
        p[unchecked: base &+ c &+ 3] -= factor * e
        c &+= 4
      }
      base &+= 24
    }
  }

  /// The elements among inclination and velocity: indices 0, 1, 3, 4.
  private mutating func inclinationBlock() -> InlineArray<10, Double> {
    [
      self[0, 0], self[0, 1], self[0, 3], self[0, 4], self[1, 1], self[1, 3], self[1, 4], self[3, 3], self[3, 4],
      self[4, 4],
    ]
  }

  private mutating func restoreInclinationBlock(_ block: InlineArray<10, Double>) {
    (self[0, 0], self[0, 1], self[0, 3], self[0, 4]) = (block[0], block[1], block[2], block[3])
    (self[1, 1], self[1, 3], self[1, 4]) = (block[4], block[5], block[6])
    (self[3, 3], self[3, 4], self[4, 4]) = (block[7], block[8], block[9])
  }

  /// The elements among the gyroscope's errors, from one of them on.
  private mutating func gyroscopeBlock(from first: Int) -> InlineArray<144, Double> {
    var block = InlineArray<144, Double>(repeating: 0)
    let count = ErrorIndex.matrix + 9 - first
    for i in 0..<count {
      for j in i..<count { block[12 * i + j] = self[first + i, first + j] }
    }
    return block
  }

  private mutating func restoreGyroscopeBlock(_ block: InlineArray<144, Double>, from first: Int) {
    let count = ErrorIndex.matrix + 9 - first
    for i in 0..<count {
      for j in i..<count { self[first + i, first + j] = block[12 * i + j] }
    }
  }
}
