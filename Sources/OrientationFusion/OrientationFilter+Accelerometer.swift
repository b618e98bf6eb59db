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
    state.rest.add(specificForce: force, interval: interval, parameters)
    guard let pose = pose(atNanoseconds: time), !state.needsLevelling, state.gyroscopeTime != nil else {
      level(force, atNanoseconds: time)
      return
    }
    state.sums.velocity += (pose * force) * interval
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

  /// The attitude at a time near the latest gyroscope sample, by its rate; nil without attitude or farther than 0.1 s off.
  @inline(__always)  // A call would copy the whole filter first.
  func pose(atNanoseconds time: Int64) -> Rotation<Device, EastNorthUp>? {
    guard let attitude = state.attitude else { return nil }
    guard let latest = state.gyroscopeTime else { return attitude }
    let interval = SampleTime.seconds(from: latest, to: time) + parameters.gyroscopeDelay
    guard abs(interval) <= 0.1 else { return nil }
    return attitude * Rotation<Device, Device>(rotationVector: state.angularVelocity * interval)
  }
}
