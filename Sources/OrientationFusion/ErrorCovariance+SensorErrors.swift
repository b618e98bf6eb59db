// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension ErrorCovariance {
  /// θ ← θ + A e, with e the twelve errors of the gyroscope and A their sensitivities.
  ///
  /// Row i of F P right of the sensors' columns is P[i] + A[i] P[e]; the 3 × 3 corner needs the same from the other side.
  mutating func addSensorErrors(_ sums: inout BlockSums) {
    let (first, width) = (ErrorIndex.bias, 20)
    // The rows of e as a full block, so that the loops below are plain.
    var block = InlineArray<240, Real>(repeating: 0)
    let a = sums.sensitivity.span
    var b = block.mutableSpan
    var p = elements.mutableSpan
    for j in 0..<12 {
      let row = (first + j) * Self.stride + first
      for c in j..<19 { b[unchecked: j * width + c] = p[unchecked: row + c] }
      for c in 0..<j { b[unchecked: j * width + c] = p[unchecked: (first + c) * Self.stride + first + j] }
    }
    var sumsOfRows = InlineArray<60, Real>(repeating: 0)
    var g = sumsOfRows.mutableSpan
    for i in 0..<3 {
      let row = i * Self.stride + first
      for c in 0..<19 { g[unchecked: i * width + c] = p[unchecked: row + c] }
      for j in 0..<12 {
        let factor = a[unchecked: 12 * i + j]
        for c in 0..<width { g[unchecked: i * width + c] += factor * b[unchecked: j * width + c] }
      }
    }
    for i in 0..<3 {
      for k in 0..<2 {
        var sum = p[unchecked: i * Self.stride + ErrorIndex.velocity + k]
        let other = (ErrorIndex.velocity + k) * Self.stride + first
        for j in 0..<12 { sum += a[unchecked: 12 * i + j] * p[unchecked: other + j] }
        p[unchecked: i * Self.stride + ErrorIndex.velocity + k] = sum
      }
      for l in i..<3 {
        var sum = p[unchecked: i * Self.stride + l]
        let other = l * Self.stride + first
        for j in 0..<12 {
          sum += a[unchecked: 12 * l + j] * g[unchecked: i * width + j]
          sum += a[unchecked: 12 * i + j] * p[unchecked: other + j]
        }
        p[unchecked: i * Self.stride + l] = sum
      }
    }
    for i in 0..<3 {
      let row = i * Self.stride + first
      for c in 0..<19 { p[unchecked: row + c] = g[unchecked: i * width + c] }
    }
  }
}
