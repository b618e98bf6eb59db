// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A quaternion of `Float`s.
public typealias simd_quatf = SIMDQuaternion<Float>
/// A quaternion of `Double`s.
public typealias simd_quatd = SIMDQuaternion<Double>

/// A quaternion; of unit length, a rotation. Apple's two types are one generic type here.
public struct SIMDQuaternion<Scalar: SIMDReal>: Equatable, Sendable, CustomStringConvertible {
  /// Imaginary parts x, y, z and the real part.
  public var vector: SIMD4<Scalar>

  /// Four zeros.
  public init() {
    vector = .zero
  }
  /// Imaginary parts and the real part.
  public init(vector: SIMD4<Scalar>) {
    self.vector = vector
  }
  /// Imaginary parts and the real part.
  public init(_ vector: SIMD4<Scalar>) {
    self.vector = vector
  }
  /// From its four numbers.
  public init(ix: Scalar, iy: Scalar, iz: Scalar, r: Scalar) {
    vector = SIMD4(ix, iy, iz, r)
  }
  /// From its parts.
  public init(real: Scalar, imag: SIMD3<Scalar>) {
    vector = SIMD4(imag, real)
  }
  /// The rotation by an angle in radians about an axis of length 1.
  public init(angle: Scalar, axis: SIMD3<Scalar>) {
    self.init(real: .cosine(angle / 2), imag: axis * .sine(angle / 2))
  }
  /// The shortest rotation from one direction of length 1 to another.
  public init(from: SIMD3<Scalar>, to: SIMD3<Scalar>) {
    let sum = from + to
    guard simd_length(sum) > Scalar.ulpOfOne * 16 else {
      // Opposite: half a turn about any axis at right angles.
      let helper: SIMD3<Scalar> = abs(from.x) < abs(from.y) ? [1, 0, 0] : [0, 1, 0]
      self.init(real: 0, imag: simd_normalize(simd_cross(from, helper)))
      return
    }
    let half = simd_normalize(sum)
    self.init(real: simd_dot(from, half), imag: simd_cross(from, half))
  }
  /// The rotation of a matrix.
  public init(_ matrix: SIMDMatrix3<Scalar>) {
    let m = matrix
    let squares = SIMD4(
      1 + m[0].x - m[1].y - m[2].z, 1 - m[0].x + m[1].y - m[2].z, 1 - m[0].x - m[1].y + m[2].z,
      1 + m[0].x + m[1].y + m[2].z)
    let (x, y, z) = (m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x)
    let (xy, xz, yz) = (m[0].y + m[1].x, m[0].z + m[2].x, m[1].z + m[2].y)
    // The row of the greatest square, for the least loss of digits.
    let row: SIMD4<Scalar> =
      switch squares.max() {
      case squares.w: [x, y, z, squares.w]
      case squares.x: [squares.x, xy, xz, x]
      case squares.y: [xy, squares.y, yz, y]
      default: [xz, yz, squares.z, z]
      }
    vector = simd_normalize(row)
  }
  /// The rotation of the upper left of a matrix.
  public init(_ matrix: SIMDMatrix4<Scalar>) {
    self.init(SIMDMatrix3(columns: (matrix[0].xyz, matrix[1].xyz, matrix[2].xyz)))
  }

  /// The real part.
  public var real: Scalar {
    get { vector.w }
    set { vector.w = newValue }
  }
  /// The imaginary parts.
  public var imag: SIMD3<Scalar> {
    get { vector.xyz }
    set { vector = SIMD4(newValue, vector.w) }
  }
  /// Radians, 0 up to 2π.
  public var angle: Scalar { 2 * .arcTangent(y: simd_length(imag), x: real) }
  /// The axis with length 1; not a number without a rotation.
  public var axis: SIMD3<Scalar> { simd_normalize(imag) }
  /// The length of the four numbers.
  public var length: Scalar { simd_length(vector) }
  /// The same direction with length 1.
  public var normalized: Self { Self(vector: simd_normalize(vector)) }
  /// The imaginary parts with the other sign.
  public var conjugate: Self { Self(real: real, imag: -imag) }
  /// The quaternion whose product with this one is 1.
  public var inverse: Self { Self(vector: conjugate.vector / simd_length_squared(vector)) }
  /// A vector turned by this rotation.
  public func act(_ x: SIMD3<Scalar>) -> SIMD3<Scalar> {
    let t = simd_cross(imag, x) * 2
    return x + t * real + simd_cross(imag, t)
  }
  /// The four numbers by name.
  public var description: String { "(real: \(real), imag: \(imag))" }

  /// First `right`, then `left`.
  public static func * (left: Self, right: Self) -> Self {
    Self(
      real: left.real * right.real - simd_dot(left.imag, right.imag),
      imag: right.imag * left.real + left.imag * right.real + simd_cross(left.imag, right.imag))
  }
  /// Each number times a scalar.
  public static func * (left: Self, right: Scalar) -> Self { Self(vector: left.vector * right) }
  /// Each number times a scalar.
  public static func * (left: Scalar, right: Self) -> Self { Self(vector: right.vector * left) }
  /// Each number by a scalar.
  public static func / (left: Self, right: Scalar) -> Self { Self(vector: left.vector / right) }
  /// The sum of each number.
  public static func + (left: Self, right: Self) -> Self { Self(vector: left.vector + right.vector) }
  /// The difference of each number.
  public static func - (left: Self, right: Self) -> Self { Self(vector: left.vector - right.vector) }
  /// Each number with the other sign: the same rotation.
  public static prefix func - (right: Self) -> Self { Self(vector: -right.vector) }
  /// First `right`, then `left`.
  public static func *= (left: inout Self, right: Self) { left = left * right }
}

extension SIMD4 where Scalar: SIMDReal {
  var xyz: SIMD3<Scalar> { SIMD3(x, y, z) }
}
