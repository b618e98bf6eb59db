// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The Cholesky decomposition of a symmetric positive definite matrix M = L Lᵀ of up to `capacity` rows (Golub and Van
/// Loan, "Matrix Computations", 4th ed. 2013, section 4.2).
package struct CholeskyFactor<let capacity: Int>: Sendable {
  package typealias Vector = InlineArray<capacity, Double>
  package typealias Matrix = InlineArray<capacity, Vector>

  @usableFromInline let order: Int
  @usableFromInline var l: Matrix

  /// Nil when the matrix is not positive definite: when a pivot is smaller than the share `smallestPivot` of its
  /// diagonal element, so that all of it is rounding. Only `order` rows count, and of each what is left of the
  /// diagonal.
  @inlinable
  package init?(_ matrix: Matrix, order: Int = capacity, smallestPivot: Double) {
    self.order = order
    l = matrix
    for i in 0..<order {
      for j in 0...i {
        var sum = matrix[i][j]
        for k in 0..<j { sum -= l[i][k] * l[j][k] }
        if i == j {
          // False for NaN, too.
          guard sum > smallestPivot * matrix[i][i], sum.isFinite else { return nil }
          l[i][i] = sum.squareRoot()
        } else {
          l[i][j] = sum / l[j][j]
        }
      }
    }
  }

  /// x with M x = `right`.
  @inlinable
  package func solve(_ right: Vector) -> Vector {
    var x = right
    for i in 0..<order {
      for k in 0..<i { x[i] -= l[i][k] * x[k] }
      x[i] /= l[i][i]
    }
    for i in (0..<order).reversed() {
      for k in (i + 1)..<order { x[i] -= l[k][i] * x[k] }
      x[i] /= l[i][i]
    }
    return x
  }

  /// A column of the inverse of M.
  @inlinable
  package func inverseColumn(_ index: Int) -> Vector {
    var unit = Vector(repeating: 0)
    unit[index] = 1
    return solve(unit)
  }
}

/// A linear least-squares problem of up to nine unknowns, by the normal equations AᵀA x = Aᵀb.
///
/// The unknowns are to be of order one; the caller scales them.
package struct LeastSquares: Sendable {
  package typealias Row = InlineArray<9, Double>

  private let unknowns: Int
  private let smallestPivot: Double
  /// What counts is left of the diagonal.
  private var normal = CholeskyFactor<9>.Matrix(repeating: Row(repeating: 0))
  private var right = Row(repeating: 0)
  private var squares = 0.0
  private var count = 0

  package init(unknowns: Int, smallestPivot: Double = 1e-12) {
    self.unknowns = min(9, unknowns)
    self.smallestPivot = smallestPivot
  }

  package mutating func add(_ row: Row, equals value: Double) {
    // Whole rows through spans, though half of each would do: several products at a time, a third of the time (Swift
    // 6.3).
    let cells = row.span
    var normal = normal.mutableSpan
    for i in 0..<unknowns {
      let factor = cells[i]
      for j in 0..<9 { normal[i][j] += factor * cells[j] }
    }
    for i in 0..<unknowns { right[i] += row[i] * value }
    squares += value * value
    count += 1
  }

  /// The unknowns; nil when the equations do not determine them. `damping` is added to the diagonal, relative to it, as
  /// Levenberg and Marquardt do.
  package func solution(damping: Double = 0) -> Row? { factor(damping: damping)?.solve(right) }

  /// The diagonal of (AᵀA)⁻¹: the variances of the unknowns for residuals of variance 1.
  package func unitVariances() -> Row? { factor().map(diagonal) }

  /// The solution and the variance of each unknown from the residuals; nil when the equations do not determine it.
  package func solve() -> (solution: Row, variances: Row)? {
    guard count > unknowns, let factor = factor() else { return nil }
    let solution = factor.solve(right)
    var explained = 0.0
    for i in 0..<unknowns { explained += solution[i] * right[i] }
    let residual = max(0, squares - explained) / Double(count - unknowns)
    var variances = diagonal(factor)
    for i in 0..<unknowns { variances[i] *= residual }
    return (solution, variances)
  }

  private func factor(damping: Double = 0) -> CholeskyFactor<9>? {
    var damped = normal
    for i in 0..<unknowns { damped[i][i] *= 1 + damping }
    return CholeskyFactor(damped, order: unknowns, smallestPivot: smallestPivot)
  }

  private func diagonal(_ factor: CholeskyFactor<9>) -> Row {
    var variances = Row(repeating: 0)
    for i in 0..<unknowns { variances[i] = factor.inverseColumn(i)[i] }
    return variances
  }
}
