// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The quaternion that the filter turns on with every sample.
///
/// ``Rotation`` keeps the promise of unit length at each step, at the price of a square root and a division. Between two
/// outputs the filter makes hundreds of tiny steps, for which one Newton step after the product is enough; the promise is
/// renewed where the number leaves the filter.
///
/// The four numbers are one vector, so that they are written and read as a whole: a read that spans two recent writes makes
/// a processor wait until both have left its store buffer, which costs more than the arithmetic.
@usableFromInline
struct Quaternion: Sendable, BitwiseCopyable {
  private var numbers: Real4
  var w: Real { numbers.w }
  var x: Real { numbers.x }
  var y: Real { numbers.y }
  var z: Real { numbers.z }

  @inline(__always)
  init(w: Real, x: Real, y: Real, z: Real) { numbers = Real4(x, y, z, w) }

  /// The exponential map: the rotation about the direction of `turn` by its length in radians.
  @inline(__always)
  init<F>(turn: Vector3<F>) {
    let s = turn.dot(turn)
    let (cosine, sineOverAngle) = all(s < Self.smallSquare) ? Self.series(s) : Self.exact(s)
    self.init(w: cosine, x: turn.x * sineOverAngle, y: turn.y * sineOverAngle, z: turn.z * sineOverAngle)
  }

  /// Below 0.2 rad the series are exact to 3e-13.
  private static var smallSquare: Real { 0.04 }

  /// cos(a/2) and sin(a/2)/a by their Maclaurin series in s = a².
  @inline(__always)
  private static func series(_ s: Real) -> (Real, Real) {
    let cosine = 1 - s * (1.0 / 8 - s * (1.0 / 384 - s * (1.0 / 46_080)))
    let sineOverAngle = 0.5 - s * (1.0 / 48 - s * (1.0 / 3840 - s * (1.0 / 645_120)))
    return (cosine, sineOverAngle)
  }

  @inline(never)
  private static func exact(_ s: Real) -> (Real, Real) {
    let (cosine, sineOverAngle) = series(s)
    let isLarge = s >= smallSquare && s < .greatestFiniteMagnitude
    let angle = select(isLarge, s, 1).squareRoot()
    // What is not finite turns nothing.
    let isSmall = s < smallSquare
    return (
      select(isLarge, Scalar.cos(angle / 2), select(isSmall, cosine, 1)),
      select(isLarge, Scalar.sin(angle / 2) / angle, select(isSmall, sineOverAngle, 0))
    )
  }

  /// The product, one Newton step for 1/√n nearer to unit length.
  @inline(__always)
  static func * (q: Self, p: Self) -> Self {
    let w = q.w * p.w - q.x * p.x - q.y * p.y - q.z * p.z
    let x = q.w * p.x + q.x * p.w + q.y * p.z - q.z * p.y
    let y = q.w * p.y - q.x * p.z + q.y * p.w + q.z * p.x
    let z = q.w * p.z + q.x * p.y - q.y * p.x + q.z * p.w
    let k = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
    return Self(w: w * k, x: x * k, y: y * k, z: z * k)
  }

  /// The device's axes in the world, if this leads from the device to the world.
  @inline(__always)
  var axes: DeviceAxes {
    let (x2, y2, z2) = (x + x, y + y, z + z)
    let (xx, yy, zz) = (x * x2, y * y2, z * z2)
    let (xy, xz, yz) = (x * y2, x * z2, y * z2)
    let (wx, wy, wz) = (w * x2, w * y2, w * z2)
    return DeviceAxes(
      x: Real3(1 - (yy + zz), xy + wz, xz - wy),
      y: Real3(xy - wz, 1 - (xx + zz), yz + wx),
      z: Real3(xz + wy, yz - wx, 1 - (xx + yy)))
  }

  /// This rotation before a turn of the world by `outer`, in rad.
  @inline(__always)
  func turned<F>(outer t: Vector3<F>) -> Self {
    let s = t.dot(t)
    guard all(s < Self.smallSquare) else { return Quaternion(turn: t) * self }
    // (1, tan(a/2) n) is the rotation in all but its length, which is mended where the number leaves the filter.
    let t = t * Self.halfTangent(s)
    return Quaternion(
      w: w - t.x * x - t.y * y - t.z * z,
      x: x + t.x * w + (t.y * z - t.z * y),
      y: y + t.y * w + (t.z * x - t.x * z),
      z: z + t.z * w + (t.x * y - t.y * x)
    )
  }

  /// This rotation after a turn of the device by `inner` and before one of the world by `outer`, both in rad.
  @inline(__always)
  func turned<F, A>(outer t: Vector3<F>, inner d: Vector3<A>) -> Self {
    let (s, r) = (t.dot(t), d.dot(d))
    guard all(s < Self.smallSquare && r < Self.smallSquare) else {
      return (Quaternion(turn: t) * self * Quaternion(turn: d))
    }
    // As above, twice.
    let (t, d) = (t * Self.halfTangent(s), d * Self.halfTangent(r))
    let w1 = w - t.x * x - t.y * y - t.z * z
    let x1 = x + t.x * w + (t.y * z - t.z * y)
    let y1 = y + t.y * w + (t.z * x - t.x * z)
    let z1 = z + t.z * w + (t.x * y - t.y * x)
    return Quaternion(
      w: w1 - x1 * d.x - y1 * d.y - z1 * d.z,
      x: x1 + w1 * d.x + (y1 * d.z - z1 * d.y),
      y: y1 + w1 * d.y + (z1 * d.x - x1 * d.z),
      z: z1 + w1 * d.z + (x1 * d.y - y1 * d.x)
    )
  }

  /// tan(a/2)/a by its Maclaurin series in s = a².
  @inline(__always)
  private static func halfTangent(_ s: Real) -> Real {
    0.5 + s * (1.0 / 24 + s * (1.0 / 240 + s * (17.0 / 40_320)))
  }

  /// The rotation vector of the way from `start` to here, in rad.
  func turn<F>(from start: Self) -> Vector3<F> {
    let w = self.w * start.w + self.x * start.x + self.y * start.y + self.z * start.z
    let x = -self.w * start.x + self.x * start.w - self.y * start.z + self.z * start.y
    let y = -self.w * start.y + self.x * start.z + self.y * start.w - self.z * start.x
    let z = -self.w * start.z - self.x * start.y + self.y * start.x + self.z * start.w
    let s = x * x + y * y + z * z
    // a = 2 asin(√s) by its series, if it is small.
    var factor = 2 * (1 + s * (1.0 / 6 + s * (3.0 / 40)))
    let isLarge = s > 1e-3
    if any(isLarge) {
      let sine = select(isLarge, s, 1).squareRoot()
      factor = select(isLarge, 2 * Scalar.atan2(sine, abs(w)) / sine, factor)
    }
    factor = select(w < 0, -factor, factor)
    return Vector3(x: x * factor, y: y * factor, z: z * factor)
  }
}
