// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension SIMDMatrix4 {
  /// The matrix whose product with this one is 1; not a number for determinant 0.
  public var inverse: Self { eliminated.inverse }
  /// The determinant.
  public var determinant: Scalar { eliminated.determinant }

  /// Gauss and Jordan's elimination by columns, each time with the greatest pivot: what turns this matrix into 1 turns
  /// 1 into the inverse.
  private var eliminated: (inverse: Self, determinant: Scalar) {
    var (rest, inverse, determinant) = (self, Self(1), Scalar(1))
    for step in 0..<4 {
      let pivot = (step..<4).max { Swift.abs(rest[$0, step]) < Swift.abs(rest[$1, step]) } ?? step
      if pivot != step {
        (rest[pivot], rest[step]) = (rest[step], rest[pivot])
        (inverse[pivot], inverse[step]) = (inverse[step], inverse[pivot])
        determinant = -determinant
      }
      guard rest[step, step] != 0 else { return (Self(diagonal: SIMD4(repeating: .nan)), 0) }
      determinant *= rest[step, step]
      let scale = 1 / rest[step, step]
      rest[step] *= scale
      inverse[step] *= scale
      for column in 0..<4 where column != step {
        let factor = rest[column, step]
        rest[column] -= rest[step] * factor
        inverse[column] -= inverse[step] * factor
      }
    }
    return (inverse, determinant)
  }
}

/// As `SIMDMatrix4.inverse`.
public func simd_inverse<Scalar: SIMDReal>(_ matrix: SIMDMatrix4<Scalar>) -> SIMDMatrix4<Scalar> { matrix.inverse }
/// As `SIMDMatrix3.inverse`.
public func simd_inverse<Scalar: SIMDReal>(_ matrix: SIMDMatrix3<Scalar>) -> SIMDMatrix3<Scalar> { matrix.inverse }
/// Columns and rows exchanged.
public func simd_transpose<Scalar: SIMDReal>(_ matrix: SIMDMatrix4<Scalar>) -> SIMDMatrix4<Scalar> {
  matrix.transpose
}
/// Columns and rows exchanged.
public func simd_transpose<Scalar: SIMDReal>(_ matrix: SIMDMatrix3<Scalar>) -> SIMDMatrix3<Scalar> {
  matrix.transpose
}
