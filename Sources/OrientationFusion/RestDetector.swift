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
  @usableFromInline var isAtRest: Mask = false
  /// The recent mean of the gyroscope's readings, rad/s.
  var meanRate: Vector3<Device> { rate.mean }

  var rate = RecentMean()
  var force = RecentMean()
  var stillTime: Real = 0
  var isForceStill: Mask = false

  /// `smoothing`: the time constant of the mean, s; `squaredLimit`: of the distance from it, (m/s²)². Where `condition` does
  /// not hold there is no reading: the interval is zero, and nothing changes.
  @inline(__always)
  mutating func add(
    specificForce: Vector3<Device>, interval: Real, smoothing: Real, squaredLimit: Real, where condition: Mask
  ) {
    force.add(specificForce, interval: interval, smoothing: smoothing)
    let deviation = specificForce - force.mean
    isForceStill = select(condition, deviation.dot(deviation) < squaredLimit, isForceStill)
    interrupt(where: !isForceStill)
  }

  /// `bias` and `tolerance`: the mean rate of a rest lies in bias ± tolerance, rad/s, per axis. `squaredLimit`: (rad/s)².
  @inline(__always)
  mutating func add(
    angularVelocity: Vector3<Device>, interval: Real, bias: Vector3<Device>, tolerance: Vector3<Device>,
    smoothing: Real, squaredLimit: Real, duration: Real, where condition: Mask
  ) {
    rate.add(angularVelocity, interval: interval, smoothing: smoothing)
    let deviation = angularVelocity - rate.mean
    let offset = rate.mean - bias
    let isStill =
      isForceStill && deviation.dot(deviation) < squaredLimit
      && abs(offset.x) <= tolerance.x && abs(offset.y) <= tolerance.y && abs(offset.z) <= tolerance.z
    stillTime += interval
    isAtRest = isAtRest || stillTime >= duration
    interrupt(where: condition && !isStill)
  }

  @inline(__always)
  private mutating func interrupt(where condition: Mask) {
    stillTime = select(condition, 0, stillTime)
    isAtRest = isAtRest && !condition
  }
}

/// A low-pass of second order for samples at any times: a plain mean at first, then two equal poles.
struct RecentMean: Sendable {
  var mean: Vector3<Device> = .zero
  var inner: Vector3<Device> = .zero
  var age: Real = 0
  var count: Real = 0

  @inline(__always)
  mutating func add(_ value: Vector3<Device>, interval: Real, smoothing: Real) {
    guard all(age > smoothing) else {
      begin(value, interval: interval)
      return
    }
    // 0.455: two equal poles then have the same −3 dB frequency as the Butterworth filter of that time constant, √2/(2π τ).
    let gain = interval / (interval + 0.455 * smoothing)
    inner += (value - inner) * gain
    mean += (inner - mean) * gain
  }

  /// Several streams stand side by side only after their beginnings.
  private mutating func begin(_ value: Vector3<Device>, interval: Real) {
    count += 1
    age += interval
    inner += (value - inner) / count
    mean = inner
  }
}
