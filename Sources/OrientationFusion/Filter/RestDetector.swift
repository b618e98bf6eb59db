// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Detects stillness: rate and specific force have stayed near their own recent mean for a while.
///
/// A mean of the recent past follows slow changes of the bias, so the limits need not know the bias. But a steady turn
/// also looks still to a gyroscope. Whether stillness is rest, the filter decides (``OrientationFilter/updateRest()``).
///
/// Documentation/Filter.md 7. Source: the rest detection of VQF (Laidig and Seel, Information Fusion 91, 2023, section
/// 3.5), here for samples at any times: two equal first-order low-passes in series instead of a filter designed for one
/// sampling rate.
@usableFromInline
struct RestDetector: Sendable {
  /// Set by the filter while still, cleared by the first movement.
  @usableFromInline var isAtRest = false
  /// Set by the filter when the readings at rest are far from the known bias.
  var showsNewBias = false
  /// The recent mean of the gyroscope's readings, rad/s, and of the accelerometer's, m/s².
  var meanRate: RealVector<Device> { rate.mean }
  var meanForce: RealVector<Device> { force.mean }
  /// Seconds of stillness, and of the stillness of a device that is not held.
  private(set) var stillTime: Real = 0
  private(set) var quietTime: Real = 0
  /// Seconds for which the mean rate has stayed where it is: a bias does, the slow onset of a turn does not.
  private(set) var steadyTime: Real = 0
  private var steadyRate: RealVector<Device> = .zero
  /// How far the mean rate wanders, (rad/s)²: the mean square, over a second, of the distance of a shorter mean from it.
  private(set) var spread: Real = 0

  private var rate = RecentMean()
  private var force = RecentMean()
  private var isForceStill = false
  /// Seconds since the latest specific force.
  private var silentTime: Real = 0

  init() {}

  /// `smoothing`: the time constant of the mean, s; `squaredLimit`: of the distance from it, (m/s²)².
  @inline(__always)
  mutating func add(specificForce: RealVector<Device>, interval: Real, smoothing: Real, squaredLimit: Real) {
    force.add(specificForce, interval: interval, smoothing: smoothing)
    let deviation = specificForce - force.mean
    let square = deviation.dot(deviation)
    isForceStill = square < squaredLimit
    silentTime = 0
    if square > Constant.quietShare * squaredLimit { quietTime = 0 }
    if !isForceStill { interrupt() }
  }

  /// `squaredLimit`: (rad/s)².
  @inline(__always)
  mutating func add(angularVelocity: RealVector<Device>, interval: Real, smoothing: Real, squaredLimit: Real) {
    rate.add(angularVelocity, interval: interval, smoothing: smoothing)
    let deviation = angularVelocity - rate.mean
    let square = deviation.dot(deviation)
    let wander = rate.inner - rate.mean
    spread += (wander.dot(wander) - spread) * min(1, interval)
    silentTime += interval
    guard isForceStill, square < squaredLimit, silentTime < Self.longestSilence else { return interrupt() }
    stillTime += interval
    let change = rate.mean - steadyRate
    steadyTime += interval
    if change.dot(change) > Constant.squaredSteadiness { (steadyRate, steadyTime) = (rate.mean, 0) }
    quietTime = square < Constant.quietShare * squaredLimit ? quietTime + interval : 0
  }

  /// Without an accelerometer for so long, s, a steady turn about a horizontal axis would look still.
  private static var longestSilence: Real { 1 }

  @inline(__always)
  private mutating func interrupt() {
    stillTime = 0
    quietTime = 0
    isAtRest = false
  }
}

/// A low-pass of second order for samples at any times: at first a plain mean, then two equal poles.
private struct RecentMean: Sendable {
  var mean: RealVector<Device> = .zero
  private(set) var inner: RealVector<Device> = .zero
  private var age: Real = 0
  private var count: Real = 0
  private var latestInterval: Real = 0, gain: Real = 0

  @inline(__always)
  mutating func add(_ value: RealVector<Device>, interval: Real, smoothing: Real) {
    guard age > smoothing else { return begin(value, interval: interval) }
    // Intervals repeat themselves, and a division costs as much as the rest of this.
    if interval != latestInterval {
      (latestInterval, gain) = (interval, interval / (interval + Constant.poleShare * smoothing))
    }
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
