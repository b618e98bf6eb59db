// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// What the sensors said in one block of ``OrientationFilter``, without what the filter concluded from it: the input of
/// ``OrientationSmoother``.
///
/// It is a preintegration (Forster et al., "On-manifold preintegration for real-time visual-inertial odometry", IEEE
/// Trans. Robotics 33(1), 2017) in the world frame of the filter at the block's start: how the device turned, and how
/// that turn, the velocity and the field depend on the errors of the sensors. So the smoother can correct them without
/// the readings.
package struct BlockRecord: Sendable {
  /// Counts the blocks; 0 before the first.
  package var number = 0
  /// Counts the pauses too long to bridge, each of which dropped the attitude.
  package var breaks = 0
  /// The attitude at the start and, before any correction, at the end.
  package var start = Quaternion(w: 1, x: 0, y: 0, z: 0), end = Quaternion(w: 1, x: 0, y: 0, z: 0)
  package var sums = BlockSums(start: .zero)
  /// The errors of the sensors that the sums were made with.
  package var bias: RealVector<Device> = .zero
  package var matrix: RealMatrix = .zero
  /// Variance that the gyroscope added to the attitude, rad² per axis.
  package var attitudeVariance: Real = 0
  /// The spectral density of the hand's velocity, (m/s)²·s.
  package var velocityDensity: Real = 0
  package var isAtRest = false
  /// The gyroscope's mean reading at rest, rad/s.
  package var restRate: RealVector<Device> = .zero
  /// Its variance, (rad/s)²·s.
  package var restRateVariance: Real = 0
  /// The variance of the accelerometer's offset, (m/s²)².
  package var offsetVariance: Real = 0
  /// Whether the heading is known, and how the attitude's world turns to north, rad.
  package var hasHeading = false
  package var turnToNorth: Real = 0
  /// The hard iron in the readings, T in the device, its variance before anything was read, T², and how fast it may change,
  /// T²/s.
  package var hardIron: RealVector<Device> = .zero
  package var hardIronPrior: Real = 0, hardIronDrift: Real = 0
  /// What the filter says of inclination, heading, and azimuth since the start, rad².
  package var inclinationVariance: Real = 0, headingVariance: Real = 0, azimuthVariance: Real = 0
}

extension OrientationFilter {
  /// Whether each block is kept for an ``OrientationSmoother`` until the next one ends. Default false.
  package var keepsBlocks: Bool {
    get { state.keepsBlocks }
    set { state.keepsBlocks = newValue }
  }

  /// Keeps what the block has gathered, before any correction changes the errors that it was made with.
  @inline(never)
  mutating func recordSums() {
    let sums = state.sums
    state.record.sums = sums
    state.record.start = state.blockStart
    state.record.end = state.pose.quaternion
    state.record.bias = state.bias
    state.record.matrix = state.matrix
    state.record.attitudeVariance =
      coefficients.gyroscopeVariance * sums.duration + coefficients.gyroscopeRelativeVariance * sums.squaredRate
      + sums.extraVariance + sums.lossVariance
  }

  /// The block's record is complete.
  mutating func finishRecord() {
    state.record.velocityDensity =
      2 * Real(Constant.Hand.time * state.hand.variance(coefficients))
    state.record.isAtRest = state.isAtRest
    state.record.restRate = state.rest.rate
    state.record.restRateVariance = Real(coefficients.restRateVariance)
    state.record.offsetVariance = Real(max(state.offsetVariance, state.usualOffsetVariance))
    state.record.hasHeading = state.pose.hasHeading
    state.record.turnToNorth = state.pose.turnToNorth
    let unit = Real(Constant.Field.unit)
    let iron = state.heading.iron()
    state.record.hardIron = RealVector(iron.value) * unit
    state.record.hardIronPrior = Real(iron.prior) * unit * unit
    state.record.hardIronDrift = Real(iron.drift) * unit * unit
    state.record.inclinationVariance = state.inclinationVariance
    state.record.headingVariance = state.headingVariance
    state.record.azimuthVariance = state.azimuthVariance
    state.record.number += 1
  }

  /// The block ends early, because the attitude is about to be initialised again.
  package mutating func recordUnfinishedBlock() {
    guard state.keepsBlocks, state.pose.isKnown, state.sums.duration > 0 else { return }
    state.sums.endSegment(at: state.axes)
    recordSums()
    finishRecord()
  }
}
