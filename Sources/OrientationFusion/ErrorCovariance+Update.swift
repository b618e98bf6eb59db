// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One number that depends on a few components of the error: innovation = Σ coefficient · error + noise.
struct ScalarMeasurement {
  private(set) var count = 0
  private(set) var indices = InlineArray<6, Int>(repeating: 0)
  private(set) var coefficients = InlineArray<6, Real>(repeating: 0)

  init() {}

  init(_ index: Int, _ coefficient: Real) { append(index, coefficient) }

  mutating func append(_ index: Int, _ coefficient: Real) {
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
  /// Scale and misalignment of the gyroscope, and its bias, each where its mask says so.
  case gyroscope(matrix: Mask, bias: Mask)
}

/// A column of the error vector's length.
typealias ErrorVector = InlineArray<24, Real>

extension ErrorCovariance {
  /// The variance of the measurement that the errors explain: H P Hᵀ.
  mutating func explainedVariance(_ measurement: ScalarMeasurement) -> Real {
    let n = measurement.count
    let (indices, coefficients) = (measurement.indices.span, measurement.coefficients.span)
    let p = elements.span
    var sum: Real = 0
    for a in 0..<n {
      let i = indices[a]
      var product = coefficients[a] * p[i &* (Self.stride &+ 1)]
      for b in 0..<a {
        let j = indices[b]
        product += 2 * coefficients[b] * p[min(i, j) &* Self.stride &+ max(i, j)]
      }
      sum += coefficients[a] * product
    }
    return sum
  }

  /// The Kalman update with one number: P ← P − K H P. The gain is zero, and nothing changes, where `condition` does not
  /// hold or the variance makes no sense.
  ///
  /// `sparing`: what the measurement must not move. Its gain is zero and its own block of the covariance stays, as in a
  /// Schmidt-Kalman filter (Schmidt, "Applications of state-space methods to navigation problems", 1966).
  mutating func update(
    _ measurement: ScalarMeasurement, noise: Real, sparing: Spared, where condition: Mask, gain: inout ErrorVector
  ) {
    var row = ErrorVector(repeating: 0)
    let variance = noise + explain(measurement, row: &row)
    let weight = select(condition && variance > 0 && variance < .greatestFiniteMagnitude, 1 / variance, 0)
    for i in 0..<Self.stride { gain[i] = row[i] * weight }
    switch sparing {
    case .nothing:
      subtract(&gain, &row)
    case .inclination:
      let kept = inclinationBlock()
      subtract(&gain, &row)
      restoreInclinationBlock(kept)
      (gain[0], gain[1], gain[3], gain[4]) = (0, 0, 0, 0)
    case .gyroscope(let matrix, let bias):
      subtractBesideGyroscope(&gain, &row, matrix: matrix, bias: bias)
      for i in ErrorIndex.bias..<ErrorIndex.matrix { gain[i] = select(bias, 0, gain[i]) }
      for i in ErrorIndex.matrix..<ErrorIndex.matrix + 9 { gain[i] = select(matrix, 0, gain[i]) }
    }
  }

  /// The elements among inclination and velocity: indices 0, 1, 3, 4.
  private mutating func inclinationBlock() -> InlineArray<10, Real> {
    [
      element(0, 0), element(0, 1), element(0, 3), element(0, 4), element(1, 1), element(1, 3), element(1, 4),
      element(3, 3), element(3, 4),
      element(4, 4),
    ]
  }

  private mutating func restoreInclinationBlock(_ block: InlineArray<10, Real>) {
    (self[0, 0], self[0, 1], self[0, 3], self[0, 4]) = (block[0], block[1], block[2], block[3])
    (self[1, 1], self[1, 3], self[1, 4]) = (block[4], block[5], block[6])
    (self[3, 3], self[3, 4], self[4, 4]) = (block[7], block[8], block[9])
  }

  /// P ← P − gain rowᵀ but for the elements among the gyroscope's errors where the masks hold.
  private mutating func subtractBesideGyroscope(
    _ gain: inout ErrorVector, _ row: inout ErrorVector, matrix: Mask, bias: Mask
  ) {
    let gain = gain.span
    let row = row.span
    var p = elements.mutableSpan
    for i in 0..<order {
      let factor = gain[unchecked: i]
      let inside =
        i < ErrorIndex.bias ? factor : select(i < ErrorIndex.matrix ? bias : matrix, 0, factor)
      let base = i &* Self.stride
      let end = max(i, ErrorIndex.matrix + 9)
      for c in i..<end { p[unchecked: base &+ c] -= inside * row[unchecked: c] }
      for c in end..<Self.stride { p[unchecked: base &+ c] -= factor * row[unchecked: c] }
    }
  }
}
