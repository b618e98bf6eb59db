// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Three columns of three `Float`s.
public typealias simd_float3x3 = SIMDMatrix3<Float>
/// Three columns of three `Double`s.
public typealias simd_double3x3 = SIMDMatrix3<Double>
/// Four columns of four `Float`s.
public typealias simd_float4x4 = SIMDMatrix4<Float>
/// Four columns of four `Double`s.
public typealias simd_double4x4 = SIMDMatrix4<Double>
/// Three columns of three `Float`s.
public typealias float3x3 = SIMDMatrix3<Float>
/// Three columns of three `Double`s.
public typealias double3x3 = SIMDMatrix3<Double>
/// Four columns of four `Float`s.
public typealias float4x4 = SIMDMatrix4<Float>
/// Four columns of four `Double`s.
public typealias double4x4 = SIMDMatrix4<Double>
/// Three columns of three `Float`s.
public typealias matrix_float3x3 = SIMDMatrix3<Float>
/// Four columns of four `Float`s.
public typealias matrix_float4x4 = SIMDMatrix4<Float>

/// Three columns.
public struct SIMDMatrix3<Scalar: SIMDReal>: Equatable, Sendable {
  /// The columns.
  public var columns: (SIMD3<Scalar>, SIMD3<Scalar>, SIMD3<Scalar>)

  /// Nine zeros.
  public init() { columns = (.zero, .zero, .zero) }
  /// From its columns.
  public init(columns: (SIMD3<Scalar>, SIMD3<Scalar>, SIMD3<Scalar>)) { self.columns = columns }
  /// From its columns.
  public init(_ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>, _ z: SIMD3<Scalar>) { columns = (x, y, z) }
  /// From its columns, of which there must be three.
  public init(_ columns: [SIMD3<Scalar>]) {
    precondition(columns.count == 3, "A 3x3 matrix has three columns.")
    self.columns = (columns[0], columns[1], columns[2])
  }
  /// From its rows, of which there must be three.
  public init(rows: [SIMD3<Scalar>]) { self = Self(rows).transpose }
  /// A scalar on the diagonal.
  public init(_ scalar: Scalar) { self.init(diagonal: SIMD3(repeating: scalar)) }
  /// Numbers on the diagonal.
  public init(diagonal d: SIMD3<Scalar>) { columns = ([d.x, 0, 0], [0, d.y, 0], [0, 0, d.z]) }
  /// The matrix of a rotation.
  public init(_ q: SIMDQuaternion<Scalar>) { columns = (q.act([1, 0, 0]), q.act([0, 1, 0]), q.act([0, 0, 1])) }

  /// A column, 0…2.
  public subscript(column: Int) -> SIMD3<Scalar> {
    get { column == 0 ? columns.0 : column == 1 ? columns.1 : columns.2 }
    set {
      if column == 0 { columns.0 = newValue } else if column == 1 { columns.1 = newValue } else { columns.2 = newValue }
    }
  }
  /// A number by column and row.
  public subscript(column: Int, row: Int) -> Scalar {
    get { self[column][row] }
    set { self[column][row] = newValue }
  }
  /// Columns and rows exchanged.
  public var transpose: Self {
    Self(
      [self[0].x, self[1].x, self[2].x], [self[0].y, self[1].y, self[2].y], [self[0].z, self[1].z, self[2].z])
  }
  /// The determinant.
  public var determinant: Scalar { simd_dot(self[0], simd_cross(self[1], self[2])) }
  /// The matrix whose product with this one is 1; not finite for determinant 0.
  public var inverse: Self {
    let scale = 1 / determinant
    return Self(
      simd_cross(self[1], self[2]) * scale, simd_cross(self[2], self[0]) * scale, simd_cross(self[0], self[1]) * scale
    ).transpose
  }

  /// Whether all elements are equal.
  public static func == (left: Self, right: Self) -> Bool { left.columns == right.columns }
  /// A column vector multiplied.
  public static func * (left: Self, right: SIMD3<Scalar>) -> SIMD3<Scalar> {
    left[0] * right.x + left[1] * right.y + left[2] * right.z
  }
  /// First `right`, then `left`.
  public static func * (left: Self, right: Self) -> Self { Self(left * right[0], left * right[1], left * right[2]) }
}

/// The unit matrix.
public var matrix_identity_float3x3: simd_float3x3 { simd_float3x3(1) }
/// The unit matrix.
public var matrix_identity_float4x4: simd_float4x4 { simd_float4x4(1) }
