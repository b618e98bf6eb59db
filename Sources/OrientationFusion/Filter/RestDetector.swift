// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Detects rest: rate and specific force have stayed near their own recent mean for a while.
///
/// A mean of the recent past follows slow changes of the bias, so the limits need not know the bias. But a steady turn
/// also looks like rest to a gyroscope; therefore the mean rate must in addition lie near the known bias.
///
/// Documentation/Filter.md 7. Source: the rest detection of VQF (Laidig and Seel, Information Fusion 91, 2023, section 3.5), here for samples at any
/// times: two equal first-order low-passes in series instead of a filter designed for one sampling rate.
@usableFromInline
struct RestDetector: Sendable {
  @usableFromInline private(set) var isAtRest = false
  /// The recent mean of the gyroscope's readings, rad/s.
  var meanRate: RealVector<Device> { rate.mean }

  private var rate = RecentMean()
  private var force = RecentMean()
  private var stillTime: Real = 0
  private var isForceStill = false

  init() {}

  /// `smoothing`: the time constant of the mean, s; `squaredLimit`: of the distance from it, (m/s²)².
  @inline(__always)
  mutating func add(specificForce: RealVector<Device>, interval: Real, smoothing: Real, squaredLimit: Real) {
    force.add(specificForce, interval: interval, smoothing: smoothing)
    let deviation = specificForce - force.mean
    isForceStill = deviation.dot(deviation) < squaredLimit
    if !isForceStill { interrupt() }
  }

  /// `bias` and `tolerance`: the mean rate of a rest lies in bias ± tolerance, rad/s, per axis. `squaredLimit`: (rad/s)².
  @inline(__always)
  mutating func add(
    angularVelocity: RealVector<Device>, interval: Real, bias: RealVector<Device>, tolerance: RealVector<Device>,
    smoothing: Real, squaredLimit: Real, duration: Real
  ) {
    rate.add(angularVelocity, interval: interval, smoothing: smoothing)
    let deviation = angularVelocity - rate.mean
    let offset = rate.mean - bias
    let isStill =
      isForceStill && deviation.dot(deviation) < squaredLimit
      && abs(offset.x) <= tolerance.x && abs(offset.y) <= tolerance.y && abs(offset.z) <= tolerance.z
    guard isStill else { return interrupt() }
    stillTime += interval
    isAtRest = isAtRest || stillTime >= duration
  }

  @inline(__always)
  private mutating func interrupt() {
    stillTime = 0
    isAtRest = false
  }
}

/// A low-pass of second order for samples at any times: at first a plain mean, then two equal poles.
private struct RecentMean: Sendable {
  var mean: RealVector<Device> = .zero
  private var inner: RealVector<Device> = .zero
  private var age: Real = 0
  private var count: Real = 0

  @inline(__always)
  mutating func add(_ value: RealVector<Device>, interval: Real, smoothing: Real) {
    guard age > smoothing else { return begin(value, interval: interval) }
    // 0.455: two equal poles then have the same −3 dB frequency as the Butterworth filter of that time constant, √2/(2π τ).
    let gain = interval / (interval + 0.455 * smoothing)
    inner += (value - inner) * gain
    mean += (inner - mean) * gain
  }

  private mutating func begin(_ value: RealVector<Device>, interval: Real) {
    count += 1
    age += interval
    inner += (value - inner) / count
    mean = inner
  }
}
