// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Tells whether the device lies still: rate and specific force have stayed near their own recent mean for a while.
///
/// A mean of the recent past follows slow changes of the bias, so the limits need not know the bias. But a steady turn
/// also looks still to a gyroscope; therefore the mean rate must in addition lie near the bias already known.
///
/// Source: the rest detection of VQF (Laidig and Seel, Information Fusion 91, 2023, section 3.5), here for samples at any
/// times: two equal first-order low-passes in a row instead of a filter designed for one sampling rate.
@usableFromInline
struct RestDetector: Sendable {
  @usableFromInline private(set) var isAtRest = false
  /// The recent mean of the gyroscope's readings, rad/s.
  var meanRate: Vector3<Device> { rate.mean }

  private var rate = RecentMean()
  private var force = RecentMean()
  private var stillTime = 0.0
  private var isForceStill = false

  /// `smoothing`: the time constant of the mean, s; `squaredLimit`: of the distance from it, (m/s²)².
  @inline(__always)
  mutating func add(specificForce: Vector3<Device>, interval: Double, smoothing: Double, squaredLimit: Double) {
    force.add(specificForce, interval: interval, smoothing: smoothing)
    let deviation = specificForce - force.mean
    isForceStill = deviation.dot(deviation) < squaredLimit
    if !isForceStill { interrupt() }
  }

  /// `bias` and `tolerance`: the mean rate of a rest lies in bias ± tolerance, rad/s, per axis. `squaredLimit`: (rad/s)².
  @inline(__always)
  mutating func add(
    angularVelocity: Vector3<Device>, interval: Double, bias: Vector3<Device>, tolerance: Vector3<Device>,
    smoothing: Double, squaredLimit: Double, duration: Double
  ) {
    rate.add(angularVelocity, interval: interval, smoothing: smoothing)
    let deviation = angularVelocity - rate.mean
    let offset = rate.mean - bias
    guard isForceStill, deviation.dot(deviation) < squaredLimit,
      abs(offset.x) <= tolerance.x, abs(offset.y) <= tolerance.y, abs(offset.z) <= tolerance.z
    else {
      interrupt()
      return
    }
    stillTime += interval
    if stillTime >= duration { isAtRest = true }
  }

  mutating func interrupt() {
    stillTime = 0
    isAtRest = false
  }
}

/// A low-pass of second order for samples at any times: a plain mean at first, then two equal poles.
struct RecentMean: Sendable {
  private(set) var mean: Vector3<Device> = .zero
  private var inner: Vector3<Device> = .zero
  private var age = 0.0
  private var count = 0.0

  @inline(__always)
  mutating func add(_ value: Vector3<Device>, interval: Double, smoothing: Double) {
    guard age > smoothing else {
      begin(value, interval: interval)
      return
    }
    // 0.455: two equal poles then have the same −3 dB frequency as the Butterworth filter of that time constant, √2/(2π τ).
    let gain = interval / (interval + 0.455 * smoothing)
    inner += (value - inner) * gain
    mean += (inner - mean) * gain
  }

  private mutating func begin(_ value: Vector3<Device>, interval: Double) {
    count += 1
    age += interval
    inner += (value - inner) / count
    mean = inner
  }
}
