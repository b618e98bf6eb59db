// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// As in `OrientationFusion`; but each number is a whole vector here, so nothing is gained by rows that begin together, and the
// sums of a column stay in registers.
extension ErrorCovariance {
  /// H P into `row`; returns H P Hᵀ.
  mutating func explain(_ measurement: ScalarMeasurement, row: inout ErrorVector) -> Real {
    let (n, stride) = (measurement.count, Self.stride)
    let p = elements.span
    var result = row.mutableSpan
    for c in 0..<order {
      var sum: Real = 0
      for k in 0..<n {
        let i = measurement.indices[k]
        sum += measurement.coefficients[k] * p[unchecked: i < c ? i &* stride &+ c : c &* stride &+ i]
      }
      result[unchecked: c] = sum
    }
    var variance: Real = 0
    for k in 0..<n { variance += measurement.coefficients[k] * result[unchecked: measurement.indices[k]] }
    return variance
  }

  /// P ← P − gain rowᵀ, right of the diagonal.
  mutating func subtract(_ gain: inout ErrorVector, _ row: inout ErrorVector) {
    let n = order
    let gain = gain.span
    let row = row.span
    var p = elements.mutableSpan
    for i in 0..<n {
      let factor = gain[unchecked: i]
      let base = i &* Self.stride
      for c in i..<n { p[unchecked: base &+ c] -= factor * row[unchecked: c] }
    }
  }
}
