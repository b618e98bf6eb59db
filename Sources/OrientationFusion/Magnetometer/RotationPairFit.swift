// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The device's own magnetism from pairs of readings with a known rotation between them, by recursive least squares.
///
/// With h the hard iron, S the soft iron's correction and T the rotation from the second to the first pose, S (m₁ − h)
/// = T S (m₂ − h), so S m₁ − T S m₂ = (1 − T) c with c = S h: three equations, linear in S and c. A turn about one axis
/// leaves c along that axis open; the normal matrix knows it, and the deviation stays large until another axis has been
/// turned about. Old pairs fade, so that the sum follows a device whose magnetism changes.
///
/// It is the integrated form of ṁ = −ω × (m − h), which needs no derivative of a noisy reading. The pairs answer for a
/// given S only: they are independent evidence, from the gyroscope, to check a soft iron that was found by the strength
/// alone.
struct RotationPairFit: Sendable {
  /// Pairs before there is a solution.
  private static var fewestPairs: Double { 6 }

  /// Sums of products of the equations' coefficients: of S (xx, yy, zz, xy, xz, yz) in six columns, of c in three.
  private var normal = InlineArray<81, Double>(repeating: 0)
  private var weight = 0.0

  mutating func add(first: Vector3<Device>, second: Vector3<Device>, turn: Rotation<Device, Device>) {
    let t = turn.matrix
    let (a, b) = (first, second)
    // What each element of S makes of the first reading, less what the turn makes of that with the second.
    let x = Vector3<Device>(x: t.m11, y: t.m21, z: t.m31)
    let y = Vector3<Device>(x: t.m12, y: t.m22, z: t.m32)
    let z = Vector3<Device>(x: t.m13, y: t.m23, z: t.m33)
    let columns: InlineArray<9, Vector3<Device>> = [
      Vector3(x: a.x, y: 0, z: 0) - x * b.x, Vector3(x: 0, y: a.y, z: 0) - y * b.y,
      Vector3(x: 0, y: 0, z: a.z) - z * b.z, Vector3(x: a.y, y: a.x, z: 0) - (x * b.y + y * b.x),
      Vector3(x: a.z, y: 0, z: a.x) - (x * b.z + z * b.x), Vector3(x: 0, y: a.z, z: a.y) - (y * b.z + z * b.y),
      Vector3(x: x.x - 1, y: x.y, z: x.z), Vector3(x: y.x, y: y.y - 1, z: y.z), Vector3(x: z.x, y: z.y, z: z.z - 1),
    ]
    let c = columns.span
    var n = normal.mutableSpan
    for i in 0..<9 {
      let column = c[unchecked: i]
      for j in 0...i {
        let faded = n[unchecked: 9 &* i &+ j] * Constant.pairFading
        n[unchecked: 9 &* i &+ j] = faded + column.dot(c[unchecked: j])
      }
    }
    weight = weight * Constant.pairFading + 1
  }

  /// The best c for a soft iron, the inverse of its normal matrix, and the sum of the squared residuals, T².
  private mutating func best(_ softIron: Matrix3) -> (c: Vector3<Device>, inverse: Matrix3, squares: Double)? {
    guard weight >= Self.fewestPairs else { return nil }
    let s: InlineArray<6, Double> = [
      softIron.m11, softIron.m22, softIron.m33, softIron.m12, softIron.m13, softIron.m23,
    ]
    let n = Matrix3(
      normal[60], normal[69], normal[78], normal[69], normal[70], normal[79], normal[78], normal[79], normal[80])
    guard let inverse = n.inverse else { return nil }
    var right = Vector3<Device>.zero
    var squares = 0.0
    for i in 0..<6 {
      right -= Vector3(x: normal[54 + i], y: normal[63 + i], z: normal[72 + i]) * s[i]
      for j in 0...i { squares += (i == j ? 1 : 2) * normal[9 * i + j] * s[i] * s[j] }
    }
    let c = inverse * right
    return (c, inverse, max(0, squares - c.dot(right)))
  }

  /// By how much the pairs prefer one soft iron to another: twice the logarithm of the likelihoods' ratio, for the
  /// noise that the first leaves. Zero while they cannot decide.
  mutating func preference(for softIron: Matrix3, over other: Matrix3) -> Double {
    guard let one = best(softIron), let two = best(other) else { return 0 }
    return (two.squares - one.squares) / variance(one.squares)
  }

  /// Whether ``preference(for:over:)`` of any soft iron over the identity may reach `least`. Where not, none has to be
  /// looked for, which costs far more.
  ///
  /// The elements s of a soft iron have a trace of at least 3, as its eigenvalues are positive and their product is 1. With
  /// the best c its squares are sᵀ A s, A⁻¹ being the corner of the inverse of the normal matrix N. So they are 9 / eᵀ N⁻¹ e
  /// at least, e the coefficients of the trace. The preference falls with the squares.
  mutating func mayPrefer(by least: Double) -> Bool {
    guard let identity = best(.identity) else { return least <= 0 }
    var matrix = CholeskyFactor<9>.Matrix(repeating: LeastSquares.Row(repeating: 0))
    for i in 0..<9 {
      for j in 0...i { matrix[i][j] = normal[9 * i + j] }
    }
    guard let factor = CholeskyFactor(matrix, smallestPivot: Constant.smallestPivot) else { return true }
    let x = factor.solve([1, 1, 1, 0, 0, 0, 0, 0, 0])
    let fewest = 9 / (x[0] + x[1] + x[2])
    // False for NaN, too.
    return !((identity.squares - fewest) / variance(fewest) < least)
  }

  /// Of an equation, T², when all leave these squares.
  private func variance(_ squares: Double) -> Double {
    max(squares / (3 * weight - 3), Constant.smallestPairNoise * Constant.smallestPairNoise)
  }
}
