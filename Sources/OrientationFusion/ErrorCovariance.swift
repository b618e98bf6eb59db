// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The covariance matrix of the error vector: how unsure each component is, and which errors go together.
///
/// That errors go together is the whole trick: a wrong bias makes a wrong attitude in a known way, so a measurement of the
/// attitude mends the bias too. Fixed storage of 23 rows with a stride of 24; only the first `order` rows are in use.
struct ErrorCovariance: Sendable {
  static let stride = 24
  var order: Int
  private var elements = InlineArray<552, Double>(repeating: 0)

  init(order: Int) { self.order = order }

  subscript(row: Int, column: Int) -> Double {
    get { elements[row * Self.stride + column] }
    set { elements[row * Self.stride + column] = newValue }
  }

  mutating func clear() {
    for i in elements.indices { elements[i] = 0 }
  }

  /// Makes a component independent of all others and sets its variance.
  mutating func isolate(_ index: Int, variance: Double) {
    for i in 0..<order {
      self[index, i] = 0
      self[i, index] = 0
    }
    self[index, index] = variance
  }

  /// Sets the variance of a component to at least `variance`, without touching what goes together.
  mutating func raise(_ index: Int, to variance: Double) { self[index, index] = max(self[index, index], variance) }

  /// P ← F P Fᵀ for one block: the attitude takes in the gyroscope's errors, and a tilted gravity enters the velocity.
  mutating func propagate(_ sums: BlockSums) {
    let n = order
    let (x, y, z) = (sums.sensitivity(0), sums.sensitivity(1), sums.sensitivity(2))
    // Rows of the attitude: θ + J δ. Then its columns; those of bias and matrix are already new in the rows.
    addSensorErrors(x, to: 0)
    addSensorErrors(y, to: 1)
    addSensorErrors(z, to: 2)
    for i in 0..<3 {
      let sensitivity = i == 0 ? x : i == 1 ? y : z
      for row in 0..<n {
        var sum = self[row, i]
        for j in 0..<12 { sum += self[row, ErrorIndex.bias + j] * sensitivity[j] }
        self[row, i] = sum
      }
    }
    // u_x += V_z θ_y, u_y −= V_z θ_x. The heading is left out on purpose: horizontal motion must not turn the azimuth.
    let (east, north) = (ErrorIndex.velocity, ErrorIndex.velocity + 1)
    let lift = sums.velocity.z
    for c in 0..<n {
      self[east, c] += lift * self[1, c]
      self[north, c] -= lift * self[0, c]
    }
    for r in 0..<n {
      self[r, east] += lift * self[r, 1]
      self[r, north] -= lift * self[r, 0]
    }
  }

  private mutating func addSensorErrors(_ sensitivity: InlineArray<12, Double>, to row: Int) {
    for j in 0..<12 {
      let factor = sensitivity[j]
      for c in 0..<order { self[row, c] += factor * self[ErrorIndex.bias + j, c] }
    }
  }

  /// Rounding makes the halves differ; the mean of both is the matrix meant.
  mutating func symmetrize() {
    for i in 1..<order {
      for j in 0..<i {
        let mean = 0.5 * (self[i, j] + self[j, i])
        self[i, j] = mean
        self[j, i] = mean
      }
    }
  }

  var isFinite: Bool {
    var trace = 0.0
    for i in 0..<order { trace += self[i, i] }
    return trace.isFinite
  }
}
