// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The sums over the samples of a block, for the correction at its end.
///
/// Between two corrections only sums grow: the rotation, the velocity, the field in the world frame, and the
/// sensitivity of the attitude at the end to the errors of the gyroscope. The sensitivities are plain integrals,
/// because the attitude error is defined in the world frame: dθ/dbias = −∫R dt and dθ/dmatrix[a, j] = ∫R[:, a] ω_j dt.
/// They need one or two digits, so they are integrated over segments of several samples, each with the mean of R at its
/// ends. Documentation/Filter.md 2.
package struct BlockSums: Sendable {
  /// Seconds of gyroscope time.
  package var duration: Real = 0
  /// Three rows of twelve, one per world axis: the dependence on bias (3) and matrix (9), row by row.
  package var sensitivity = InlineArray<36, Real>(repeating: 0)
  /// ∫|ω|² dt, rad²/s.
  var squaredRate: Real = 0
  /// Attitude variance, rad², from under-sampling and gaps.
  var extraVariance: Real = 0
  /// That of turns which the gyroscope's range has hidden, rad²; the covariance knows their direction.
  var lossVariance: Real = 0

  /// The current segment: R at its start, its seconds, and the integral of the gyroscope's readings, rad.
  private var segmentStart: DeviceAxes
  private var segmentTime: Real = 0
  private var segmentTurn: RealVector<Device> = .zero

  /// ∫R f dt, m/s: east, north, up, 0; and the seconds that it covers.
  package var velocity: Real4 = .zero
  package var velocityDuration: Real = 0

  /// Sums over the readings, for the odds of rest: of each and of its square.
  private var rate = Real4.zero, force = Real4.zero
  private var squaredRates: Real = 0, squaredForces: Real = 0
  private var rateCount: Real = 0, forceCount: Real = 0

  /// Sums over the readings of the field: T in the world; the rate, rad/s in the world; R.
  package var field: Real4 = .zero
  package var fieldRate: Real4 = .zero
  package var fieldRotation: DeviceAxes = .zero
  /// The number of readings.
  package var fieldCount: Real = 0

  init(start: DeviceAxes) { segmentStart = start }

  @inline(__always)
  mutating func add(rate reading: RealVector<Device>) {
    rate += reading.simd
    squaredRates += reading.dot(reading)
    rateCount += 1
  }

  @inline(__always)
  mutating func add(force reading: RealVector<Device>) {
    force += reading.simd
    squaredForces += reading.dot(reading)
    forceCount += 1
  }

  @inline(__always)
  mutating func add(
    field reading: RealVector<Device>, rate: RealVector<Device>, at r: DeviceAxes
  ) {
    field += r * reading
    fieldRate += r * rate
    fieldRotation = fieldRotation + r
    fieldCount += 1
  }

  /// What the readings say about rest; nil where a sensor is missing.
  func still() -> RestOdds.Block? {
    guard rateCount > 0, forceCount > 0 else { return nil }
    let (r, f) = (RealVector<Device>(rate / rateCount), RealVector<Device>(force / forceCount))
    return RestOdds.Block(
      rate: r, rateSpread: max(0, squaredRates / rateCount - r.dot(r)),
      force: f, time: duration)
  }

  /// Whether a single step of the gyroscope fills the block: no other sample is in it.
  var isOneStep: Bool { rateCount == 1 }

  /// The variance of the mean force, (m/s²)² per axis, if its readings differ at random; a single one shows nothing of the
  /// acceleration before and after, whose square is given.
  func meanForceVariance(squaredAcceleration: Real) -> Real {
    guard forceCount > 0 else { return 0 }
    guard forceCount > 1 else { return squaredAcceleration / 3 }
    let mean = RealVector<Device>(force / forceCount)
    return max(0, squaredForces / forceCount - mean.dot(mean)) / (3 * forceCount)
  }

  /// Adds a step of `time` seconds that ends at the rotation `r`, with the integral `turn` of the reading.
  @inline(__always)
  mutating func addRotation(_ r: DeviceAxes, turn: RealVector<Device>, time: Real) {
    duration += time
    segmentTime += time
    segmentTurn += turn
    if segmentTime > Constant.longestSegment || segmentTurn.dot(segmentTurn) > Constant.largestSquaredTurn {
      endSegment(at: r)
    }
  }

  @inline(__always)
  mutating func endSegment(at r: DeviceAxes) {
    let middle = (segmentStart + r) * 0.5
    addSegment(row: 0, middle.x.x, middle.y.x, middle.z.x)
    addSegment(row: 12, middle.x.y, middle.y.y, middle.z.y)
    addSegment(row: 24, middle.x.z, middle.y.z, middle.z.z)
    segmentStart = r
    segmentTime = 0
    segmentTurn = .zero
  }

  @inline(__always)
  private mutating func addSegment(row: Int, _ x: Real, _ y: Real, _ z: Real) {
    let (time, turn) = (segmentTime, segmentTurn)
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
