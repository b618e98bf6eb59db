// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// The quaternion that the filter turns on with every sample.
///
/// ``Rotation`` restores unit length exactly at each step, with a square root and a division. The filter makes hundreds
/// of tiny steps between two outputs; one Newton step at the end of each block is enough for them. The length is
/// restored where the quaternion leaves the filter.
///
/// The four numbers are one vector, written and read as a whole: a read that spans two recent writes makes the
/// processor wait until both have left its store buffer, which costs more than the arithmetic.
@usableFromInline
package struct Quaternion: Sendable, BitwiseCopyable {
  private var numbers: Real4
  var w: Real { numbers.w }
  var x: Real { numbers.x }
  var y: Real { numbers.y }
  var z: Real { numbers.z }

  @inline(__always)
  package init(w: Real, x: Real, y: Real, z: Real) { numbers = Real4(x, y, z, w) }

  @inline(__always)
  private init(numbers: Real4) { self.numbers = numbers }

  /// The exponential map: the rotation about the direction of `turn` by its length in radians.
  @inline(__always)
  init<F>(turn: RealVector<F>) {
    let s = turn.dot(turn)
    let (cosine, sineOverAngle) = s < Self.smallSquare ? Self.series(s) : Self.exact(s)
    self.init(w: cosine, x: turn.x * sineOverAngle, y: turn.y * sineOverAngle, z: turn.z * sineOverAngle)
  }

  /// Below 0.2 rad the series are exact to 3e-13.
  private static var smallSquare: Real { 0.04 }

  /// cos(a/2) and sin(a/2)/a by their Maclaurin series in s = a².
  @inline(__always)
  private static func series(_ s: Real) -> (Real, Real) {
    // Two short sums are done sooner than a nested one.
    let square = s * s
    let cosine = (1 - s * (1.0 / 8)) + square * (1.0 / 384 - s * (1.0 / 46_080))
    let sineOverAngle = (0.5 - s * (1.0 / 48)) + square * (1.0 / 3840 - s * (1.0 / 645_120))
    return (cosine, sineOverAngle)
  }

  @inline(never)
  private static func exact(_ s: Real) -> (Real, Real) {
    // A turn that is not finite is no turn.
    guard s < .greatestFiniteMagnitude else { return (1, 0) }
    let angle = s.squareRoot()
    return (Scalar.cos(angle / 2), Scalar.sin(angle / 2) / angle)
  }

  /// The product, one Newton step for 1/√n nearer to unit length.
  @inline(__always)
  package static func * (q: Self, p: Self) -> Self {
    let w = q.w * p.w - q.x * p.x - q.y * p.y - q.z * p.z
    let x = q.w * p.x + q.x * p.w + q.y * p.z - q.z * p.y
    let y = q.w * p.y - q.x * p.z + q.y * p.w + q.z * p.x
    let z = q.w * p.z + q.x * p.y - q.y * p.x + q.z * p.w
    var product = Self(w: w, x: x, y: y, z: z)
    product.normalize()
    return product
  }

  /// This rotation after a turn of the device by `turn`, in rad. The length stays within the error of the series.
  ///
  /// What takes time is the chain of operations, not their number: q ⊗ exp(turn) = cos(a/2) q + sin(a/2)/a (q ⊗ turn),
  /// so the products do not wait for the series.
  @inline(__always)
  func turned<F>(inner turn: RealVector<F>) -> Self {
    let s = turn.dot(turn)
    let (cosine, sineOverAngle) = s < Self.smallSquare ? Self.series(s) : Self.exact(s)
    let product = Real4(
      w * turn.x + y * turn.z - z * turn.y, w * turn.y + z * turn.x - x * turn.z, w * turn.z + x * turn.y - y * turn.x,
      -x * turn.x - y * turn.y - z * turn.z)
    return Self(numbers: numbers * cosine + product * sineOverAngle)
  }

  /// One Newton step for 1/√n nearer to unit length.
  @inline(__always)
  mutating func normalize() {
    let k = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
    numbers *= k
  }

  /// The device's axes in the world, if this leads from the device to the world.
  @inline(__always)
  var axes: DeviceAxes {
    let (x2, y2, z2) = (x + x, y + y, z + z)
    let (xx, yy, zz) = (x * x2, y * y2, z * z2)
    let (xy, xz, yz) = (x * y2, x * z2, y * z2)
    let (wx, wy, wz) = (w * x2, w * y2, w * z2)
    return DeviceAxes(
      x: Real4(1 - (yy + zz), xy + wz, xz - wy),
      y: Real4(xy - wz, 1 - (xx + zz), yz + wx),
      z: Real4(xz + wy, yz - wx, 1 - (xx + yy)))
  }

  /// This rotation before a turn of the world by `outer`, in rad.
  @inline(__always)
  func turned<F>(outer t: RealVector<F>) -> Self {
    let s = t.dot(t)
    guard s < Self.smallSquare else { return Quaternion(turn: t) * self }
    // The products do not wait for the series; the length stays within their error.
    let (cosine, sineOverAngle) = Self.series(s)
    let product = Real4(
      t.x * w + (t.y * z - t.z * y), t.y * w + (t.z * x - t.x * z), t.z * w + (t.x * y - t.y * x),
      -t.x * x - t.y * y - t.z * z)
    return Self(numbers: numbers * cosine + product * sineOverAngle)
  }

  /// This rotation after a turn of the device by `inner` and before one of the world by `outer`, both in rad.
  @inline(__always)
  package func turned<F, A>(outer t: RealVector<F>, inner d: RealVector<A>) -> Self {
    turned(outer: t).turned(inner: d)
  }

  /// A vector in the axes that this rotation leads to.
  func turned<F>(_ v: RealVector<F>) -> RealVector<F> { RealVector(axes * RealVector<Device>(v.simd)) }

  /// The rotation vector of the way from `start` to here, in rad.
  func turn<F>(from start: Self) -> RealVector<F> {
    let w = self.w * start.w + self.x * start.x + self.y * start.y + self.z * start.z
    let x = -self.w * start.x + self.x * start.w - self.y * start.z + self.z * start.y
    let y = -self.w * start.y + self.x * start.z + self.y * start.w - self.z * start.x
    let z = -self.w * start.z - self.x * start.y + self.y * start.x + self.z * start.w
    let s = x * x + y * y + z * z
    var factor: Real
    if s > 1e-3 {
      let sine = s.squareRoot()
      factor = 2 * Scalar.atan2(sine, abs(w)) / sine
    } else {
      // a = 2 asin(√s) by its series.
      factor = 2 * (1 + s * (1.0 / 6 + s * (3.0 / 40)))
    }
    if w < 0 { factor = -factor }
    return RealVector(x: x * factor, y: y * factor, z: z * factor)
  }

  package init<A, B>(_ rotation: Rotation<A, B>) {
    self.init(w: Real(rotation.w), x: Real(rotation.x), y: Real(rotation.y), z: Real(rotation.z))
  }

  /// The same with its frames, and of unit length; the identity when the numbers are not finite or far too small.
  @inline(__always)
  package func rotation<A, B>() -> Rotation<A, B> {
    Rotation(nearUnitW: Double(w), x: Double(x), y: Double(y), z: Double(z))
  }
}

/// The axes of the device in the world: the columns of the rotation matrix, each with a fourth number that is zero.
///
/// A reading in the world is the sum of the axes, each times a component: operations on whole vectors, which are fast.
package struct DeviceAxes: Sendable, BitwiseCopyable {
  package var x: Real4
  package var y: Real4
  package var z: Real4

  static var zero: Self { Self(x: .zero, y: .zero, z: .zero) }

  /// The components of `v` in the world: east, north, up, 0.
  @inline(__always)
  static func * (axes: Self, v: RealVector<Device>) -> Real4 {
    axes.x * v.x + axes.y * v.y + axes.z * v.z
  }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }

  @inline(__always)
  static func * (a: Self, k: Real) -> Self { Self(x: a.x * k, y: a.y * k, z: a.z * k) }
}
