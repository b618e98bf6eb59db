// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension ErrorCovariance {
  /// H P into `row`; returns H P Hᵀ.
  mutating func explain(_ measurement: ScalarMeasurement, row: inout ErrorVector) -> Real {
    var sum: Real = 0
    for k in 0..<measurement.count { addRow(measurement.indices[k], times: measurement.coefficients[k], to: &row) }
    for k in 0..<measurement.count { sum += measurement.coefficients[k] * row[measurement.indices[k]] }
    return sum
  }

  private mutating func addRow(_ index: Int, times factor: Real, to row: inout ErrorVector) {
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
  mutating func subtract(_ gain: inout ErrorVector, _ row: inout ErrorVector) {
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
}
