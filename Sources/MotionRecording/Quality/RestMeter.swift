// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// How much of a recording the device lay still, second by second, and what gravity read meanwhile.
///
/// A second counts as rest when the standard deviations of specific force and rotation rate are those of a sensor's noise, and the
/// mean rate is small. Limits: ``stillForce``, ``stillRate`` and ``slowTurn``, above the noise of the phone and controller sensors
/// of our recordings and below that of a hand that holds a device.
struct RestMeter: Sendable {
  /// m/s², of the vector.
  static let stillForce = 0.12
  /// rad/s, of the vector.
  static let stillRate = 0.025
  /// rad/s: a steady turn has no deviation either.
  static let slowTurn = 0.15

  /// Mean and sum of squared deviations of the vectors of one second (B. P. Welford, Technometrics 4, 1962).
  private struct Window: Sendable {
    var count = 0.0
    var mean = Vector3<Device>.zero
    var squares = 0.0

    mutating func add(_ value: Vector3<Device>) {
      count += 1
      let before = value - mean
      mean = mean + before * (1 / count)
      squares += before.dot(value - mean)
    }

    var deviation: Double { count > 1 ? (squares / count).squareRoot() : .infinity }
  }

  private static let length = SensorDuration.seconds(1)
  private var force = Window()
  private var rate = Window()
  private var start: SensorInstant?
  private var hasForce = false
  private var hasRate = false
  private var seconds = 0
  private var secondsAtRest = 0
  private var gravitySum = 0.0

  mutating func update(force value: Vector3<Device>, at time: SensorInstant) {
    turn(time)
    hasForce = true
    force.add(value)
  }

  mutating func update(rate value: Vector3<Device>, at time: SensorInstant) {
    turn(time)
    hasRate = true
    rate.add(value)
  }

  private mutating func turn(_ time: SensorInstant) {
    guard let begin = start else {
      start = time
      return
    }
    guard time - begin >= Self.length || time < begin else { return }
    close()
    start = time
  }

  private mutating func close() {
    defer { (force, rate) = (Window(), Window()) }
    // Below four readings a deviation says nothing.
    guard hasForce || hasRate, !hasForce || force.count >= 4, !hasRate || rate.count >= 4 else { return }
    seconds += 1
    let isForceStill = !hasForce || force.deviation < Self.stillForce
    let isRateStill = !hasRate || (rate.deviation < Self.stillRate && rate.mean.length < Self.slowTurn)
    guard isForceStill, isRateStill else { return }
    secondsAtRest += 1
    gravitySum += force.mean.length
  }

  /// 0…1; nil before the first whole second.
  var share: Double? { seconds > 0 ? Double(secondsAtRest) / Double(seconds) : nil }
  /// m/s², the mean length of the specific force at rest; nil when there was no rest, or no accelerometer.
  var gravity: Double? { hasForce && secondsAtRest > 0 ? gravitySum / Double(secondsAtRest) : nil }
}
