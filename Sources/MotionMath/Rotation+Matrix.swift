// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension Rotation {
  /// The rotation matrix R with `v_To = R v_From`. Its columns are the axes of `From` seen in `To`.
  @inlinable
  public var matrix: Matrix3 {
    Matrix3(
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
  }

  /// The rotation of a matrix R with `v_To = R v_From`, or nil when R is not a rotation.
  ///
  /// `tolerance` bounds every element of RᵀR − 1; a reflection (determinant −1) is refused. The largest of the four
  /// components is found first, so that no digit is lost at any angle (Shepperd, J. Guid. Control 1(3), 1978).
  @inlinable
  public init?(matrix r: Matrix3, tolerance: Double = 1e-6) {
    let error = r.transpose * r - .identity
    let elements = [error.m11, error.m12, error.m13, error.m22, error.m23, error.m33]
    guard r.isFinite, r.determinant > 0, elements.allSatisfy({ abs($0) <= tolerance }) else { return nil }
    let trace = r.trace
    let largest = max(trace, r.m11, r.m22, r.m33)
    if largest == trace {
      self.init(w: 1 + trace, x: r.m32 - r.m23, y: r.m13 - r.m31, z: r.m21 - r.m12)
    } else if largest == r.m11 {
      self.init(w: r.m32 - r.m23, x: 1 + 2 * r.m11 - trace, y: r.m12 + r.m21, z: r.m13 + r.m31)
    } else if largest == r.m22 {
      self.init(w: r.m13 - r.m31, x: r.m12 + r.m21, y: 1 + 2 * r.m22 - trace, z: r.m23 + r.m32)
    } else {
      self.init(w: r.m21 - r.m12, x: r.m13 + r.m31, y: r.m23 + r.m32, z: 1 + 2 * r.m33 - trace)
    }
  }

  /// The shortest rotation that takes `direction` to the +z axis of `To`; nil when the direction is zero or not finite.
  ///
  /// This levels a device: `direction` is the measured up direction (specific force at rest).
  @inlinable
  public init?(levelling direction: Vector3<From>) {
    guard let up = direction.normalized else { return nil }
    if up.z < -1 + 1e-12 {
      self.init(unitW: 0, x: 1, y: 0, z: 0)
    } else {
      self.init(w: 1 + up.z, x: up.y, y: -up.x, z: 0)
    }
  }
}
