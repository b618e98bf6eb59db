// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// How the filter comes to its first attitude and its first heading, and how it starts again after a gap.
extension OrientationFilter {
  /// Sets the inclination from one specific force, turning the attitude by the shortest way; the azimuth stays.
  mutating func level(_ force: MotionMath.Vector3<Device>, atNanoseconds time: Int64) {
    // The standard value serves everywhere on the earth: only ratios and differences of tenths matter.
    let strength = force.length / standardGravity
    guard strength > 0.2, strength < 4 else { return }
    guard state.needsLevelling || state.gyroscopeTime == nil else { return }
    // Level at the force's time, then turn back or forth to the gyroscope's.
    var turn = Rotation<Device, Device>.identity
    if let latest = state.gyroscopeTime {
      let interval = SampleTime.seconds(from: latest, to: time)
      guard abs(interval) <= parameters.longestGap else { return }
      turn = Rotation(rotationVector: angularVelocity * interval)
    }
    let pose = (state.attitude ?? .identity) * turn
    guard let correction = Rotation<EastNorthUp, EastNorthUp>(levelling: pose * force) else { return }
    state.attitude = correction * pose * turn.inverse

    // A force that is not gravity alone levels badly; its length gives that away.
    let deviation = parameters.inclinationDeviation + min(0.6, abs(strength - 1))
    state.covariance.isolate(0, variance: Real(deviation * deviation))
    state.covariance.isolate(1, variance: Real(deviation * deviation))
    // Without a magnetometer the azimuth is right by definition.
    if !state.hasHeading { state.covariance.isolate(ErrorIndex.heading, variance: usesMagnetometer ? 9 : 0) }
    resetVelocity()
    state.clearSums()
    state.needsLevelling = false
  }

  private mutating func resetVelocity() {
    (state.velocityEast, state.velocityNorth) = (0, 0)
    state.recentAcceleration = 0
    state.meanAcceleration = .zero
    state.covariance.isolate(ErrorIndex.velocity, variance: 0.01)
    state.covariance.isolate(ErrorIndex.velocity + 1, variance: 0.01)
  }

  /// Turns the attitude about the vertical until the field lies in the north, and takes the field as the known one.
  ///
  /// `field` is the reading in the axes of the device at the time of the attitude.
  mutating func fixHeading(_ field: MotionMath.Vector3<Device>, hardIronDeviation: Double) {
    guard let attitude = state.attitude else { return }
    let world = attitude * field
    let horizontal = Scalar.hypot(world.x, world.y)
    let strength = field.length
    // Near the magnetic poles the field has no horizontal direction.
    guard strength > 1e-6, horizontal > 0.03 * strength else { return }
    state.attitude = Rotation<EastNorthUp, EastNorthUp>(aboutZ: Scalar.atan2(world.x, world.y)) * attitude
    // Sums and velocity speak of the old axes; a fraction of a block is no loss.
    resetVelocity()
    state.clearSums()

    state.fieldScale = Real(1 / strength)
    state.fieldNorth = Real(horizontal / strength)
    state.fieldDown = Real(-world.z / strength)
    state.fieldAge = 0
    state.fieldMisfit = 0
    (state.consistentTime, state.disturbedTime) = (0, 0)
    (state.candidateTime, state.trustedTime) = (0, 0)
    state.hardIronDeviation = Real(hardIronDeviation)
    state.covariance.isolate(ErrorIndex.heading, variance: 9)
    resetHardIron(where: true)
    let variance = Real(parameters.fieldDeviation * parameters.fieldDeviation)
    state.covariance.isolate(ErrorIndex.field, variance: variance)
    state.covariance.isolate(ErrorIndex.field + 1, variance: variance)
    state.hasHeading = true
    state.noteDoubt()
  }

  /// After a pause too long to bridge: what is known of the sensors stays, where up and north are is found anew.
  mutating func bridgeLongGap(_ interval: Double) {
    state.needsLevelling = true
    state.hasHeading = false
    state.rest = RestDetector()
    state.clearSums()
    // The clock may have been set back; then the length of the pause is unknown.
    let pause = interval > 0 ? min(interval, 3600) : 3600
    for i in ErrorIndex.bias..<ErrorIndex.bias + 3 {
      state.covariance[i, i] += coefficients.biasDriftVariance * Real(pause)
    }
    updateBiasTolerance()
  }
}
