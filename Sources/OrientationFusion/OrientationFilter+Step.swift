// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// What an ordinary reading does: one inside a running block, by a sensor that is neither silent nor saturated.
extension OrientationFilter {
  /// Moves on by `interval` seconds to the reading `raw` of the gyroscope. Where `condition` does not hold there is no
  /// reading: the interval is zero, `raw` the one before, and nothing changes.
  @inline(__always)
  mutating func step(to raw: Vector3<Device>, interval: Real, where condition: Mask) {
    state.rest.add(
      angularVelocity: raw, interval: interval, bias: state.bias, tolerance: state.biasTolerance,
      smoothing: coefficients.restSmoothing, squaredLimit: coefficients.restSquaredRateLimit,
      duration: coefficients.restDuration, where: condition)
    let rate = state.corrected(raw)
    if state.pose.isKnown { rotate(by: raw, corrected: rate, interval: interval) }
    state.rawRate = raw.simd
    state.pose.rate = rate.simd
  }

  /// Moves the attitude on by one sample and notes how the errors enter.
  @inline(__always)
  private mutating func rotate(by raw: Vector3<Device>, corrected rate: Vector3<Device>, interval: Real) {
    let previous = Vector3<Device>(state.rawRate)
    // The correction is linear: the mean of the corrected rates is the corrected mean.
    let turn = (Vector3<Device>(state.pose.rate) + rate) * (0.5 * interval)
    let q = state.pose.quaternion * Quaternion(turn: turn)
    let axes = q.axes
    state.pose.quaternion = q
    state.axes = axes
    let mean = (previous + raw) * 0.5
    state.sums.squaredRate += mean.dot(mean) * interval
    state.sums.addRotation(axes, turn: mean * interval, time: interval)
    state.pose.blockTime = state.sums.duration

    // Between two samples the axis may have turned: the part of the rotation that the mean cannot know.
    let swing = previous.cross(raw)
    let square = interval * interval
    state.sums.extraVariance += coefficients.undersamplingVariance * swing.dot(swing) * square * square
  }

  /// Adds a specific force, m/s², that was measured `age` seconds after the attitude and stands for `interval` seconds.
  @inline(__always)
  mutating func add(specificForce force: Vector3<Device>, age: Real, interval: Real) {
    let seen = any(age != 0) ? Self.turned(force, by: Vector3<Device>(state.pose.rate) * age) : force
    state.sums.velocity += (state.axes * seen) * interval
    state.sums.velocityDuration += interval
  }

  /// A reading by a device that has turned on by `turn` rad, in its axes before that.
  @inline(__always)
  static func turned(_ reading: Vector3<Device>, by turn: Vector3<Device>) -> Vector3<Device> {
    let square = turn.dot(turn)
    guard all(square < 0.01) else { return turnedFar(reading, by: turn) }
    // Two terms of the exponential series: below 0.1 rad the next is 2e-4 of the reading at most.
    let first = turn.cross(reading)
    return reading + first + turn.cross(first) * 0.5
  }

  /// The same with Rodrigues' formula.
  @inline(never)
  private static func turnedFar(_ reading: Vector3<Device>, by turn: Vector3<Device>) -> Vector3<Device> {
    let square = turn.dot(turn)
    let isFar = square >= 0.01
    let angle = select(isFar, square, 1).squareRoot()
    let first = turn.cross(reading)
    let one = select(isFar, Scalar.sin(angle) / angle, 1)
    let two = select(isFar, (1 - Scalar.cos(angle)) / (angle * angle), 0.5)
    return reading + first * one + turn.cross(first) * two
  }

  /// Adds a reading of the field, T, that was measured `age` seconds after the attitude; `count` is 1, or 0 where there is
  /// none.
  @inline(__always)
  mutating func add(magneticField reading: Vector3<Device>, age: Real, count: Real) {
    // The reading shows the field of `delay` seconds ago, when the device was turned back by rate · delay.
    let shift = age - state.delay
    let rate = Vector3<Device>(state.pose.rate)
    let r = state.axes
    let field = reading * count
    let slope = rate.cross(field)
    let curvature = rate.cross(slope)
    let delayFree = field + slope * shift + curvature * (0.5 * shift * shift)
    state.sums.field += r * delayFree
    state.sums.fieldSlope += r * (slope + curvature * shift)
    state.sums.fieldRotation = state.sums.fieldRotation + r * count
    state.sums.fieldCount += count
  }
}
