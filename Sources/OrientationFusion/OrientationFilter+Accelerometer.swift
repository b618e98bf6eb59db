// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// Takes in a reading of the accelerometer: specific force in m/s² along the device's axes, +9.81 on the axis that
  /// points up at rest.
  ///
  /// The first usable one (0.2…4 g) levels the device; the following ones correct the inclination at each block's end.
  public mutating func update(specificForce force: Vector3<Device>, atNanoseconds time: Int64) {
    guard Plausible.accepts(force, limit: Plausible.specificForce) else { return }
    guard let interval = specificForceInterval(upTo: time) else { return }
    state.specificForceTime = time
    state.rest.add(
      specificForce: force, interval: interval, smoothing: parameters.restSmoothing,
      squaredLimit: coefficients.restSquaredForceLimit)
    guard !state.needsLevelling, let age = ageOfAttitude(atNanoseconds: time) else {
      level(force, atNanoseconds: time)
      return
    }
    let seen = age == 0 ? force : Self.turned(force, by: Vector3<Device>(state.pose.rate) * age)
    state.sums.velocity += (state.axes * seen) * interval
    state.sums.velocityDuration += interval
  }

  /// The seconds that the reading at `time` stands for; nil when it is out of order.
  private mutating func specificForceInterval(upTo time: Int64) -> Double? {
    guard let previous = state.specificForceTime else { return state.specificForceInterval }
    let interval = SampleTime.seconds(from: previous, to: time)
    // After a pause the reading stands for its usual share only: what happened in the pause is unknown.
    guard interval <= Self.longestSpecificForceInterval, interval >= -1 else { return state.specificForceInterval }
    guard interval > 0 else { return nil }
    state.specificForceInterval += 0.1 * (interval - state.specificForceInterval)
    return interval
  }

  private static var longestSpecificForceInterval: Double { 0.25 }

  /// The seconds from the attitude to a reading near it; nil without attitude or gyroscope, or farther than 0.1 s off.
  @inline(__always)
  mutating func ageOfAttitude(atNanoseconds time: Int64) -> Double? {
    guard state.pose.isKnown, let latest = state.gyroscopeTime else { return nil }
    let interval = SampleTime.seconds(from: latest, to: time)
    return abs(interval) <= 0.1 ? interval : nil
  }

  /// A reading by a device that has turned on by `turn` rad, in its axes before that.
  @inline(__always)
  static func turned(_ reading: Vector3<Device>, by turn: Vector3<Device>) -> Vector3<Device> {
    guard turn.dot(turn) < 0.01 else { return Rotation<Device, Device>(rotationVector: turn) * reading }
    // Two terms of the exponential series: below 0.1 rad the next is 2e-4 of the reading at most.
    let first = turn.cross(reading)
    return reading + first + turn.cross(first) * 0.5
  }
}
