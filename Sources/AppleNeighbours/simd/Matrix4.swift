// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Four columns.
public struct SIMDMatrix4<Scalar: SIMDReal>: Equatable, Sendable {
  /// The columns.
  public var columns: (SIMD4<Scalar>, SIMD4<Scalar>, SIMD4<Scalar>, SIMD4<Scalar>)

  /// Sixteen zeros.
  public init() { columns = (.zero, .zero, .zero, .zero) }
  /// From its columns.
  public init(columns: (SIMD4<Scalar>, SIMD4<Scalar>, SIMD4<Scalar>, SIMD4<Scalar>)) { self.columns = columns }
  /// From its columns.
  public init(_ x: SIMD4<Scalar>, _ y: SIMD4<Scalar>, _ z: SIMD4<Scalar>, _ w: SIMD4<Scalar>) {
    columns = (x, y, z, w)
  }
  /// From its columns, of which there must be four.
  public init(_ columns: [SIMD4<Scalar>]) {
    precondition(columns.count == 4, "A 4x4 matrix has four columns.")
    self.columns = (columns[0], columns[1], columns[2], columns[3])
  }
  /// From its rows, of which there must be four.
  public init(rows: [SIMD4<Scalar>]) { self = Self(rows).transpose }
  /// A scalar on the diagonal.
  public init(_ scalar: Scalar) { self.init(diagonal: SIMD4(repeating: scalar)) }
  /// Numbers on the diagonal.
  public init(diagonal d: SIMD4<Scalar>) {
    columns = ([d.x, 0, 0, 0], [0, d.y, 0, 0], [0, 0, d.z, 0], [0, 0, 0, d.w])
  }
  /// The matrix of a rotation.
  public init(_ q: SIMDQuaternion<Scalar>) {
    let rotation = SIMDMatrix3(q)
    columns = (SIMD4(rotation[0], 0), SIMD4(rotation[1], 0), SIMD4(rotation[2], 0), [0, 0, 0, 1])
  }

  /// A column, 0…3.
  public subscript(column: Int) -> SIMD4<Scalar> {
    get { column == 0 ? columns.0 : column == 1 ? columns.1 : column == 2 ? columns.2 : columns.3 }
    set {
      switch column {
      case 0: columns.0 = newValue
      case 1: columns.1 = newValue
      case 2: columns.2 = newValue
      default: columns.3 = newValue
      }
    }
  }
  /// A number by column and row.
  public subscript(column: Int, row: Int) -> Scalar {
    get { self[column][row] }
    set { self[column][row] = newValue }
  }
  /// Columns and rows exchanged.
  public var transpose: Self {
    var result = Self()
    for column in 0..<4 {
      for row in 0..<4 { result[row, column] = self[column, row] }
    }
    return result
  }

  /// Whether all elements are equal.
  public static func == (left: Self, right: Self) -> Bool { left.columns == right.columns }
  /// A column vector multiplied.
  public static func * (left: Self, right: SIMD4<Scalar>) -> SIMD4<Scalar> {
    let upper = left[0] * right.x + left[1] * right.y
    return upper + left[2] * right.z + left[3] * right.w
  }
  /// First `right`, then `left`.
  public static func * (left: Self, right: Self) -> Self {
    Self(left * right[0], left * right[1], left * right[2], left * right[3])
  }
}

/// First `right`, then `left`.
public func simd_mul<Scalar: SIMDReal>(
  _ left: SIMDMatrix4<Scalar>, _ right: SIMDMatrix4<Scalar>
) -> SIMDMatrix4<Scalar> {
  left * right
}
/// A column vector multiplied.
public func simd_mul<Scalar: SIMDReal>(_ left: SIMDMatrix4<Scalar>, _ right: SIMD4<Scalar>) -> SIMD4<Scalar> {
  left * right
}
/// First `right`, then `left`.
public func simd_mul<Scalar: SIMDReal>(
  _ left: SIMDMatrix3<Scalar>, _ right: SIMDMatrix3<Scalar>
) -> SIMDMatrix3<Scalar> {
  left * right
}
/// A column vector multiplied.
public func simd_mul<Scalar: SIMDReal>(_ left: SIMDMatrix3<Scalar>, _ right: SIMD3<Scalar>) -> SIMD3<Scalar> {
  left * right
}
