// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// One stream on its way into a lane among others, and back. Only the modules of the lanes use this.
extension OrientationFilter {
  /// The times of the latest samples, in nanoseconds.
  package struct SampleTimes: Sendable {
    package var gyroscope: Int64
    package var specificForce: Int64
    package var magneticField: Int64

    package init(gyroscope: Int64, specificForce: Int64, magneticField: Int64) {
      self.gyroscope = gyroscope
      self.specificForce = specificForce
      self.magneticField = magneticField
    }
  }

  /// The longest step of the gyroscope, s, that a lane takes: one that is no gap and is bridged by its rates.
  package static var longestOrdinaryInterval: Double { Double(ordinaryInterval) }

  /// The times, when the stream may move into a lane: a block has just begun, and what all streams in lanes have in common
  /// is there, an attitude, means of more than their beginning, and with a magnetometer the heading.
  package var timesForLane: SampleTimes? {
    guard state.pose.isKnown, !state.needsLevelling, state.hasHeading == usesMagnetometer, state.sums.duration == 0,
      state.rest.rate.age > coefficients.restSmoothing, state.rest.force.age > coefficients.restSmoothing,
      let gyroscope = state.gyroscopeTime, let specificForce = state.specificForceTime
    else { return nil }
    guard let magneticField = usesMagnetometer ? state.magneticFieldTime : gyroscope else { return nil }
    return SampleTimes(gyroscope: gyroscope, specificForce: specificForce, magneticField: magneticField)
  }

  /// Takes the times of a stream that comes back from a lane.
  package mutating func take(_ times: SampleTimes) {
    state.gyroscopeTime = times.gyroscope
    state.specificForceTime = times.specificForce
    if usesMagnetometer { state.magneticFieldTime = times.magneticField }
  }

  /// ``State/visit(number:mask:)`` of the state.
  package mutating func visit(number: (inout Real) -> Void, mask: (inout Mask) -> Void) {
    state.visit(number: number, mask: mask)
  }

  /// Takes over what the readable properties are made of.
  package mutating func show(
    quaternion: (w: Real, x: Real, y: Real, z: Real), rate: SIMD4<Real>, latestCorrection: SIMD4<Real>,
    blockTime: Real, inclinationVariance: Real, headingVariance: Real, isAtRest: Bool
  ) {
    state.pose.quaternion = Quaternion(w: quaternion.w, x: quaternion.x, y: quaternion.y, z: quaternion.z)
    state.pose.rate = Real3(rate.x, rate.y, rate.z)
    state.pose.latestCorrection = Real3(latestCorrection.x, latestCorrection.y, latestCorrection.z)
    state.pose.blockTime = blockTime
    state.inclinationVariance = inclinationVariance
    state.headingVariance = headingVariance
    state.rest.isAtRest = isAtRest
  }

  /// Forgets everything when a number has ceased to be one.
  package mutating func mendNumbers() {
    if !isFinite() { state = State(parameters: parameters, usesMagnetometer: usesMagnetometer) }
  }
}
