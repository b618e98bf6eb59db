// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A linear least-squares problem of a few unknowns: the normal equations AᵀA x = Aᵀb and Cholesky's decomposition.
///
/// Fit for problems whose unknowns are all of order one; the caller scales them so (Golub & Van Loan, "Matrix Computations",
/// 4th ed. 2013, ch. 5.3). It allocates: for calibration, not for every sample.
struct NormalEquations {
  let unknowns: Int
  private(set) var count = 0
  private var normal: [Double]
  private var right: [Double]

  init(unknowns: Int) {
    self.unknowns = unknowns
    normal = [Double](repeating: 0, count: unknowns * unknowns)
    right = [Double](repeating: 0, count: unknowns)
  }

  mutating func add(_ row: [Double], equals value: Double) {
    for i in 0..<unknowns {
      for j in 0..<unknowns { normal[i * unknowns + j] += row[i] * row[j] }
      right[i] += row[i] * value
    }
    count += 1
  }

  /// The unknowns; nil when the equations do not determine them. `damping` is added to the diagonal, relative to it (Levenberg and
  /// Marquardt).
  func solution(damping: Double = 0) -> [Double]? {
    factor(damping: damping).map { substitute(right, in: $0) }
  }

  /// The diagonal of (AᵀA)⁻¹: the variances of the unknowns for residuals of variance 1.
  func variances() -> [Double]? {
    guard let factor = factor(damping: 0) else { return nil }
    return (0..<unknowns).map { index in
      var unit = [Double](repeating: 0, count: unknowns)
      unit[index] = 1
      return substitute(unit, in: factor)[index]
    }
  }

  /// The lower triangle L with L Lᵀ = AᵀA.
  private func factor(damping: Double) -> [Double]? {
    var l = normal
    for i in 0..<unknowns {
      for j in 0...i {
        var sum = normal[i * unknowns + j] * (i == j ? 1 + damping : 1)
        for k in 0..<j { sum -= l[i * unknowns + k] * l[j * unknowns + k] }
        if i == j {
          // A pivot that is all rounding: a combination of unknowns that no equation sees.
          guard sum > 1e-10 * normal[i * unknowns + i], sum.isFinite else { return nil }
          l[i * unknowns + i] = sum.squareRoot()
        } else {
          l[i * unknowns + j] = sum / l[j * unknowns + j]
        }
      }
    }
    return l
  }

  private func substitute(_ value: [Double], in l: [Double]) -> [Double] {
    var x = value
    for i in 0..<unknowns {
      for k in 0..<i { x[i] -= l[i * unknowns + k] * x[k] }
      x[i] /= l[i * unknowns + i]
    }
    for i in (0..<unknowns).reversed() {
      for k in (i + 1)..<unknowns { x[i] -= l[k * unknowns + i] * x[k] }
      x[i] /= l[i * unknowns + i]
    }
    return x
  }
}
