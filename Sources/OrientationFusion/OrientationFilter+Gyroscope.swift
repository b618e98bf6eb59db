// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// Takes in a reading of the gyroscope: rad/s about the device's axes, right-handed, its bias still in it.
  ///
  /// The attitude moves on to `atNanoseconds`, by the mean of this and the previous reading. A block that is full is closed
  /// with a correction. A time that is not later than the latest one is ignored; one more than a second earlier means that
  /// the clock was set back and counts as a gap.
  public mutating func update(angularVelocity raw: Vector3<Device>, atNanoseconds time: Int64) {
    guard Plausible.accepts(raw, limit: Plausible.angularVelocity) else { return }
    guard let previousTime = state.gyroscopeTime else {
      take(raw, at: time)
      return
    }
    let interval = SampleTime.seconds(from: previousTime, to: time)
    if interval > parameters.longestGap || interval < -1 {
      bridgeLongGap(interval)
      take(raw, at: time)
      return
    }
    guard interval > 0 else { return }

    state.rest.add(
      angularVelocity: raw, interval: interval, bias: state.gyroscopeBias, tolerance: state.biasTolerance,
      smoothing: parameters.restSmoothing, squaredLimit: coefficients.restSquaredRateLimit,
      duration: parameters.restDuration)
    let rate = state.corrected(raw)
    if state.pose.isKnown { rotate(by: raw, corrected: rate, interval: interval) }
    state.rawRate = raw.simd
    state.pose.rate = rate.simd
    state.gyroscopeTime = time
    if state.sums.duration >= parameters.blockDuration { closeBlock() }
  }

  private mutating func take(_ raw: Vector3<Device>, at time: Int64) {
    state.rawRate = raw.simd
    state.pose.rate = state.corrected(raw).simd
    state.gyroscopeTime = time
  }

  /// Moves the attitude on by one sample and notes how the errors enter.
  @inline(__always)
  private mutating func rotate(by raw: Vector3<Device>, corrected rate: Vector3<Device>, interval: Double) {
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
    if interval > Self.ordinaryInterval { addGap(from: previous, to: raw, interval: interval) }
    let limit = coefficients.saturationThreshold
    if abs(raw.x) >= limit || abs(raw.y) >= limit || abs(raw.z) >= limit { addSaturation(raw, interval: interval) }
  }

  /// Inside a gap the rate is a guess.
  private mutating func addGap(from previous: Vector3<Device>, to raw: Vector3<Device>, interval: Double) {
    let change = (raw - previous).length
    let deviation = (interval - Self.ordinaryInterval) * (0.5 * change + Self.gapRateDeviation)
    state.sums.extraVariance += deviation * deviation
  }

  /// A longer step between two gyroscope samples, s, counts as a gap.
  private static var ordinaryInterval: Double { 0.06 }
  /// The unknown rate inside a gap, rad/s, besides the difference of its ends.
  private static var gapRateDeviation: Double { 0.2 }

  /// A saturated axis turns faster than it says.
  private mutating func addSaturation(_ raw: Vector3<Device>, interval: Double) {
    let (limit, r) = (coefficients.saturationThreshold, state.axes)
    let excess = coefficients.saturationExcess * interval
    let variance = coefficients.saturationPersistence * excess * excess
    var sum = SIMD4<Double>.zero
    if abs(raw.x) >= limit { sum += r.x * r.x }
    if abs(raw.y) >= limit { sum += r.y * r.y }
    if abs(raw.z) >= limit { sum += r.z * r.z }
    state.sums.saturationVariance += sum * variance
  }
}
