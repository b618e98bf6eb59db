// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The covariance matrix of the error vector: how unsure each component is, and which errors go together.
///
/// That errors go together is the whole trick: a wrong bias makes a wrong attitude in a known way, so a measurement of the
/// attitude mends the bias too. Fixed storage of 23 rows with a stride of 24; only the first `order` rows are in use.
///
/// The loops go through spans without checks: their bounds are the constants of ``ErrorIndex`` and `order`, and a check in
/// the innermost loop would cost its vector form.
struct ErrorCovariance: Sendable {
  static let stride = 24
  var order: Int
  var elements = InlineArray<552, Double>(repeating: 0)

  init(order: Int) { self.order = order }

  subscript(row: Int, column: Int) -> Double {
    get { elements.span[row * Self.stride + column] }
    set {
      var p = elements.mutableSpan
      p[row * Self.stride + column] = newValue
    }
  }

  /// Makes a component independent of all others and sets its variance.
  mutating func isolate(_ index: Int, variance: Double) {
    var p = elements.mutableSpan
    for i in 0..<order {
      p[index * Self.stride + i] = 0
      p[i * Self.stride + index] = 0
    }
    p[index * Self.stride + index] = variance
  }

  /// P ← F P Fᵀ for one block: the attitude takes in the gyroscope's errors, and a tilted gravity enters the velocity.
  mutating func propagate(_ sums: BlockSums) {
    for i in 0..<3 { addSensorErrors(sums.sensitivity(i), toRow: i) }
    // The rows hold F P by now, in the columns of bias and matrix too, so the same sums over columns finish F P Fᵀ.
    for i in 0..<3 { addSensorErrors(sums.sensitivity(i), toColumn: i) }
    tiltVelocity(lift: sums.velocity.z)
  }

  private mutating func addSensorErrors(_ sensitivity: InlineArray<12, Double>, toRow row: Int) {
    let n = order
    var p = elements.mutableSpan
    for j in 0..<12 {
      let factor = sensitivity[j]
      let source = (ErrorIndex.bias + j) * Self.stride
      for c in 0..<n { p[unchecked: row * Self.stride + c] += factor * p[unchecked: source + c] }
    }
  }

  private mutating func addSensorErrors(_ sensitivity: InlineArray<12, Double>, toColumn column: Int) {
    let n = order
    var p = elements.mutableSpan
    for r in 0..<n {
      let row = r * Self.stride
      var sum = p[unchecked: row + column]
      for j in 0..<12 { sum += p[unchecked: row + ErrorIndex.bias + j] * sensitivity[j] }
      p[unchecked: row + column] = sum
    }
  }

  /// u_x += V_z θ_y, u_y −= V_z θ_x. The heading is left out on purpose: horizontal motion must not turn the azimuth.
  private mutating func tiltVelocity(lift: Double) {
    let n = order
    let east = ErrorIndex.velocity
    let north = east + 1
    var p = elements.mutableSpan
    for c in 0..<n {
      p[unchecked: east * Self.stride + c] += lift * p[unchecked: Self.stride + c]
      p[unchecked: north * Self.stride + c] -= lift * p[unchecked: c]
    }
    for r in 0..<n {
      let row = r * Self.stride
      p[unchecked: row + east] += lift * p[unchecked: row + 1]
      p[unchecked: row + north] -= lift * p[unchecked: row]
    }
  }

  /// Rounding makes the halves differ; the mean of both is the matrix meant.
  mutating func symmetrize() {
    let n = order
    var p = elements.mutableSpan
    for i in 1..<n {
      for j in 0..<i {
        let mean = 0.5 * (p[unchecked: i * Self.stride + j] + p[unchecked: j * Self.stride + i])
        p[unchecked: i * Self.stride + j] = mean
        p[unchecked: j * Self.stride + i] = mean
      }
    }
  }

  var isFinite: Bool {
    var trace = 0.0
    for i in 0..<order { trace += self[i, i] }
    return trace.isFinite
  }
}
