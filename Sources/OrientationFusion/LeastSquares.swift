// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A small linear least-squares problem of up to nine unknowns, by normal equations and Cholesky's decomposition.
struct LeastSquares {
  typealias Row = InlineArray<9, Double>

  private let unknowns: Int
  private var normal = InlineArray<81, Double>(repeating: 0)
  private var right = Row(repeating: 0)
  private var squares = 0.0
  private var count = 0

  init(unknowns: Int) { self.unknowns = min(9, unknowns) }

  mutating func add(_ row: Row, equals value: Double) {
    for i in 0..<unknowns {
      for j in 0...i { normal[9 * i + j] += row[i] * row[j] }
      right[i] += row[i] * value
    }
    squares += value * value
    count += 1
  }

  /// The solution and the variance of each unknown from the residuals; nil when the equations do not determine it.
  func solve() -> (solution: Row, variances: Row)? {
    guard count > unknowns, let factor = cholesky() else { return nil }
    let solution = substitute(right, in: factor)
    var explained = 0.0
    for i in 0..<unknowns { explained += solution[i] * right[i] }
    let residual = max(0, squares - explained) / Double(count - unknowns)
    var variances = Row(repeating: 0)
    for i in 0..<unknowns {
      var unit = Row(repeating: 0)
      unit[i] = 1
      variances[i] = residual * substitute(unit, in: factor)[i]
    }
    return (solution, variances)
  }

  /// The lower triangle L with L Lᵀ = normal.
  private func cholesky() -> InlineArray<81, Double>? {
    var l = normal
    for i in 0..<unknowns {
      for j in 0...i {
        var sum = normal[9 * i + j]
        for k in 0..<j { sum -= l[9 * i + k] * l[9 * j + k] }
        if i == j {
          // A pivot that is all rounding means a direction without information.
          guard sum > 1e-12 * normal[10 * i], sum.isFinite else { return nil }
          l[10 * i] = sum.squareRoot()
        } else {
          l[9 * i + j] = sum / l[10 * j]
        }
      }
    }
    return l
  }

  private func substitute(_ value: Row, in l: InlineArray<81, Double>) -> Row {
    var x = value
    for i in 0..<unknowns {
      for k in 0..<i { x[i] -= l[9 * i + k] * x[k] }
      x[i] /= l[10 * i]
    }
    for i in (0..<unknowns).reversed() {
      for k in (i + 1)..<unknowns { x[i] -= l[9 * k + i] * x[k] }
      x[i] /= l[10 * i]
    }
    return x
  }
}
