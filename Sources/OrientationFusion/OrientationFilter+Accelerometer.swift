// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// Takes in a reading of the accelerometer: specific force in m/s² along the device's axes, +9.81 on the axis that
  /// points up at rest.
  ///
  /// The first usable one (0.2…4 g) levels the device; the following ones correct the inclination at each block's end.
  public mutating func update(specificForce reading: MotionMath.Vector3<Device>, atNanoseconds time: Int64) {
    guard Plausible.accepts(reading, limit: Plausible.specificForce) else { return }
    guard let interval = specificForceInterval(upTo: time) else { return }
    state.specificForceTime = time
    let force = Vector3<Device>(x: Real(reading.x), y: Real(reading.y), z: Real(reading.z))
    state.rest.add(
      specificForce: force, interval: interval, smoothing: coefficients.restSmoothing,
      squaredLimit: coefficients.restSquaredForceLimit, where: true)
    guard !state.needsLevelling, let age = ageOfAttitude(atNanoseconds: time) else {
      level(reading, atNanoseconds: time)
      return
    }
    add(specificForce: force, age: age, interval: interval)
  }

  /// The seconds that the reading at `time` stands for; nil when it is out of order.
  private mutating func specificForceInterval(upTo time: Int64) -> Real? {
    guard let previous = state.specificForceTime else { return state.specificForceInterval }
    let interval = Real(SampleTime.seconds(from: previous, to: time))
    // After a pause the reading stands for its usual share only: what happened in the pause is unknown.
    guard interval <= Self.longestSpecificForceInterval, interval >= -1 else { return state.specificForceInterval }
    guard interval > 0 else { return nil }
    state.specificForceInterval += 0.1 * (interval - state.specificForceInterval)
    return interval
  }

  static var longestSpecificForceInterval: Real { 0.25 }

  /// The seconds from the attitude to a reading near it; nil without attitude or gyroscope, or farther than 0.1 s off.
  @inline(__always)
  mutating func ageOfAttitude(atNanoseconds time: Int64) -> Real? {
    guard state.pose.isKnown, let latest = state.gyroscopeTime else { return nil }
    let interval = SampleTime.seconds(from: latest, to: time)
    return abs(interval) <= 0.1 ? Real(interval) : nil
  }
}
