// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What a block of samples leaves behind for the correction at its end.
///
/// Between two corrections only sums grow: the rotation, the velocity, the field in the world frame, and how the attitude
/// at the end depends on the errors of the gyroscope. Those dependencies are plain integrals, because the attitude error
/// lives in the world frame: dθ/dbias = −∫R dt and dθ/dmatrix[a, j] = ∫R[:, a] ω_j dt. They need one digit or two, so
/// they move in strides of several samples, each with the mean of R at its ends.
struct BlockSums: Sendable {
  /// Seconds of gyroscope time.
  var duration: Real = 0
  /// Three rows of twelve, one per world axis: the dependence on bias (3) and matrix (9), row by row.
  var sensitivity = InlineArray<36, Real>(repeating: 0)
  /// ∫|ω|² dt, rad²/s.
  var squaredRate: Real = 0
  /// Attitude variance, rad², from under-sampling and gaps; from saturation, per world axis.
  var extraVariance: Real = 0
  var saturationVariance: Real3 = .zero

  /// The stride under way: R at its start, its seconds, and the integral of the gyroscope's readings, rad.
  var strideStart: DeviceAxes
  var strideTime: Real = 0
  var strideTurn: Vector3<Device> = .zero

  /// ∫R f dt, m/s: east, north, up, 0; and the seconds that it covers.
  var velocity: Real3 = .zero
  var velocityDuration: Real = 0

  /// Sums over the readings of the field, T: in the world, corrected for the delay; its slope against the delay, T/s; R.
  var field: Real3 = .zero
  var fieldSlope: Real3 = .zero
  var fieldRotation: DeviceAxes = .zero
  /// A count, as a number.
  var fieldCount: Real = 0

  init(start: DeviceAxes) { strideStart = start }

  mutating func clearField() {
    field = .zero
    fieldSlope = .zero
    fieldRotation = .zero
    fieldCount = 0
  }

  /// Adds a step of `time` seconds that ends at the rotation `r`, with the integral `turn` of the reading.
  @inline(__always)
  mutating func addRotation(_ r: DeviceAxes, turn: Vector3<Device>, time: Real) {
    duration += time
    strideTime += time
    strideTurn += turn
    let isLong = strideTime > Self.longestStride || strideTurn.dot(strideTurn) > Self.largestSquaredTurn
    guard any(isLong) else { return }
    // Streams that go in step need no choice.
    if all(isLong) { endStride(at: r) } else { endStride(at: r, where: isLong) }
  }

  /// 0.012 s and 0.15 rad: over such an arc the mean of R at the ends is wrong by 0.2 %.
  private static var longestStride: Real { 0.012 }
  private static var largestSquaredTurn: Real { 0.0225 }

  /// Ends the stride of all streams.
  @inline(__always)
  mutating func endStride(at r: DeviceAxes) {
    addStride(to: r, turn: strideTurn, time: strideTime)
    strideStart = r
    strideTime = 0
    strideTurn = .zero
  }

  /// Ends the stride of the streams for which `condition` holds.
  @inline(__always)
  private mutating func endStride(at r: DeviceAxes, where condition: Mask) {
    let time = select(condition, strideTime, 0)
    let turn = Vector3<Device>(
      x: select(condition, strideTurn.x, 0), y: select(condition, strideTurn.y, 0),
      z: select(condition, strideTurn.z, 0))
    addStride(to: r, turn: turn, time: time)
    strideStart = select(condition, r, strideStart)
    strideTime -= time
    strideTurn -= turn
  }

  @inline(__always)
  private mutating func addStride(to r: DeviceAxes, turn: Vector3<Device>, time: Real) {
    let middle = (strideStart + r) * 0.5
    addStride(row: 0, middle.x.x, middle.y.x, middle.z.x, turn: turn, time: time)
    addStride(row: 12, middle.x.y, middle.y.y, middle.z.y, turn: turn, time: time)
    addStride(row: 24, middle.x.z, middle.y.z, middle.z.z, turn: turn, time: time)
  }

  @inline(__always)
  private mutating func addStride(
    row: Int, _ x: Real, _ y: Real, _ z: Real, turn: Vector3<Device>, time: Real
  ) {
    var s = sensitivity.mutableSpan
    s[unchecked: row] -= x * time
    s[unchecked: row + 1] -= y * time
    s[unchecked: row + 2] -= z * time
    s[unchecked: row + 3] += x * turn.x
    s[unchecked: row + 4] += x * turn.y
    s[unchecked: row + 5] += x * turn.z
    s[unchecked: row + 6] += y * turn.x
    s[unchecked: row + 7] += y * turn.y
    s[unchecked: row + 8] += y * turn.z
    s[unchecked: row + 9] += z * turn.x
    s[unchecked: row + 10] += z * turn.y
    s[unchecked: row + 11] += z * turn.z
  }
}
