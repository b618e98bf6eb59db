// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// Takes in a reading of the gyroscope: rad/s about the device's axes, right-handed, its bias still in it.
  ///
  /// The attitude moves on to `atNanoseconds`, by the mean of this and the previous reading. A block that is full is closed
  /// with a correction. A time that is not later than the latest one is ignored; one more than a second earlier means that
  /// the clock was set back and counts as a gap.
  public mutating func update(angularVelocity reading: MotionMath.Vector3<Device>, atNanoseconds time: Int64) {
    guard Plausible.accepts(reading, limit: Plausible.angularVelocity) else { return }
    let raw = Vector3<Device>(x: Real(reading.x), y: Real(reading.y), z: Real(reading.z))
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

    let previousRate = Vector3<Device>(state.rawRate)
    step(to: raw, interval: Real(interval), where: true)
    if state.pose.isKnown { addDoubt(from: previousRate, to: raw, interval: Real(interval)) }
    state.gyroscopeTime = time
    guard state.sums.duration >= coefficients.blockDuration else { return }
    closeBlock()
    mendNumbers()
  }

  /// Resets the filter when a number is no longer finite.
  private mutating func mendNumbers() {
    if !isFinite() { state = State(parameters: parameters, usesMagnetometer: usesMagnetometer) }
  }

  private mutating func take(_ raw: Vector3<Device>, at time: Int64) {
    state.rawRate = raw.simd
    state.pose.rate = state.corrected(raw).simd
    state.gyroscopeTime = time
  }

  /// What a step leaves uncertain when it was long or the gyroscope at its range.
  @inline(__always)
  private mutating func addDoubt(from previous: Vector3<Device>, to raw: Vector3<Device>, interval: Real) {
    if interval > Self.ordinaryInterval { addGap(from: previous, to: raw, interval: interval) }
    let limit = coefficients.saturationThreshold
    if abs(raw.x) >= limit || abs(raw.y) >= limit || abs(raw.z) >= limit { addSaturation(raw, interval: interval) }
  }

  /// Inside a gap the rate is a guess.
  private mutating func addGap(from previous: Vector3<Device>, to raw: Vector3<Device>, interval: Real) {
    let difference = raw - previous
    let change = difference.dot(difference).squareRoot()
    let deviation = (interval - Self.ordinaryInterval) * (0.5 * change + Self.gapRateDeviation)
    state.sums.extraVariance += deviation * deviation
  }

  /// A longer step between two gyroscope samples, s, counts as a gap.
  static var ordinaryInterval: Real { 0.06 }
  /// The unknown rate inside a gap, rad/s, besides the difference of its ends.
  private static var gapRateDeviation: Real { 0.2 }

  /// A saturated axis turns faster than it says.
  private mutating func addSaturation(_ raw: Vector3<Device>, interval: Real) {
    let (limit, r) = (coefficients.saturationThreshold, state.axes)
    let excess = coefficients.saturationExcess * interval
    let variance = coefficients.saturationPersistence * excess * excess
    var sum = Real3.zero
    if abs(raw.x) >= limit { sum += r.x * r.x }
    if abs(raw.y) >= limit { sum += r.y * r.y }
    if abs(raw.z) >= limit { sum += r.z * r.z }
    state.sums.saturationVariance += sum * variance
  }
}
