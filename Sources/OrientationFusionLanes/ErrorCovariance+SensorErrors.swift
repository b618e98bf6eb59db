// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension ErrorCovariance {
  /// θ ← θ + A e, with e the twelve errors of the gyroscope and A their sensitivities: as in `OrientationFusion`, in the
  /// order of these numbers.
  ///
  /// Each number is a whole vector here, so rows need not be contiguous. A column's three sums stay in registers.
  mutating func addSensorErrors(_ sums: inout BlockSums) {
    let (first, end, stride) = (ErrorIndex.bias, order, Self.stride)
    let a = sums.sensitivity.span
    var p = elements.mutableSpan
    // The attitude's columns left of the errors: the velocity, and the attitude itself from both sides.
    for i in 0..<3 {
      for k in 0..<2 {
        let other = (ErrorIndex.velocity + k) * stride + first
        var sum = p[unchecked: i * stride + ErrorIndex.velocity + k]
        for j in 0..<12 { sum += a[unchecked: 12 * i + j] * p[unchecked: other + j] }
        p[unchecked: i * stride + ErrorIndex.velocity + k] = sum
      }
    }
    var before = InlineArray<36, Real>(repeating: 0)
    var b = before.mutableSpan
    for i in 0..<3 {
      for j in 0..<12 { b[unchecked: 12 * i + j] = p[unchecked: i * stride + first + j] }
    }
    for c in first..<end {
      var (x, y, z) = (p[unchecked: c], p[unchecked: stride + c], p[unchecked: 2 * stride + c])
      var index = first * stride + c
      for j in 0..<12 {
        let element = p[unchecked: index]
        x += a[unchecked: j] * element
        y += a[unchecked: 12 + j] * element
        z += a[unchecked: 24 + j] * element
        // Down the column to the diagonal, then along the row: the other half is not stored.
        index &+= first &+ j < c ? stride : 1
      }
      p[unchecked: c] = x
      p[unchecked: stride + c] = y
      p[unchecked: 2 * stride + c] = z
    }
    for i in 0..<3 {
      for l in i..<3 {
        var sum = p[unchecked: i * stride + l]
        for j in 0..<12 {
          sum += a[unchecked: 12 * l + j] * p[unchecked: i * stride + first + j]
          sum += a[unchecked: 12 * i + j] * b[unchecked: 12 * l + j]
        }
        p[unchecked: i * stride + l] = sum
      }
    }
  }
}
