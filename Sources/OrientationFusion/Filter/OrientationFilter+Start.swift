// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// Initialisation: the first attitude, the first heading, the restart after a gap, and the start from what an earlier
// filter learned about the sensors. Documentation/Filter.md 8 and 10.
extension OrientationFilter {
  /// Sets the inclination from one specific force, turning the attitude by the shortest way; the azimuth stays.
  mutating func level(_ force: Vector3<Device>, atNanoseconds time: Int64) {
    // The standard value is good enough everywhere on the earth: the limits below are coarse.
    let strength = force.length / standardGravity
    guard strength > Constant.leastForce, strength < 4 else { return }
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

    // A force that is not gravity alone levels badly; its length shows that.
    let deviation = parameters.inclinationDeviation + min(Constant.largestForceError, abs(strength - 1))
    state.covariance.reset(0, variance: Real(deviation * deviation))
    state.covariance.reset(1, variance: Real(deviation * deviation))
    // Without a magnetometer the azimuth is right by definition, until a gap.
    if usesMagnetometer, !state.hasHeading { state.covariance.reset(ErrorIndex.heading, variance: 9) }
    resetVelocity()
    state.upright.restart(keeping: false)
    state.beginBlock()
    state.needsLevelling = false
  }

  mutating func resetVelocity() {
    (state.velocityEast, state.velocityNorth) = (0, 0)
    state.recentAcceleration = 0
    state.velocityDensity = 0
    state.velocityResidual = .zero
    state.lastingResidual = .zero
    state.covariance.reset(ErrorIndex.velocity, variance: Constant.startVelocityVariance)
    state.covariance.reset(ErrorIndex.velocity + 1, variance: Constant.startVelocityVariance)
  }

  /// Turns the attitude about the vertical until the field points north, and initialises the known field with it.
  ///
  /// `field` is the reading in the axes of the device at the time of the attitude.
  mutating func initialiseHeading(_ field: Vector3<Device>, hardIronDeviation: Double) {
    guard let attitude = state.attitude else { return }
    let isCalibrated = hardIronDeviation < coefficients.sharpHardIron && state.early.time > 1
    let world = isCalibrated ? Vector3<EastNorthUp>(state.early.mean) : attitude * field
    let horizontal = Scalar.hypot(world.x, world.y)
    let strength = world.length
    // Near the magnetic poles the field has no horizontal direction; nor has one below its own error (30°).
    guard strength > Constant.leastField, horizontal > Constant.leastHorizontalShare * strength,
      horizontal > Constant.leastFieldErrors * hardIronDeviation
    else { return }
    recordUnfinishedBlock()
    state.attitude = Rotation<EastNorthUp, EastNorthUp>(aboutZ: Scalar.atan2(world.x, world.y)) * attitude
    // Sums and velocity refer to the old axes; dropping a fraction of a block is no loss.
    resetVelocity()
    state.beginBlock()

    state.fieldScale = Real(1 / strength)
    state.fieldNorth = Real(horizontal / strength)
    state.fieldDown = Real(-world.z / strength)
    state.fieldAge = 0
    state.fieldMisfit = 0
    (state.consistentTime, state.disturbedTime) = (0, 0)
    state.trustedTime = 0
    state.fieldMean = .zero
    state.fieldSpread = 0
    state.hardIronDeviation = Real(hardIronDeviation)
    state.covariance.reset(ErrorIndex.heading, variance: isCalibrated ? coefficients.earlyHeadingVariance : 9)
    resetHardIron()
    // The hard iron that is left is in the field that was read.
    let left = hardIronDeviation / strength
    let variance = Real(parameters.fieldDeviation * parameters.fieldDeviation + left * left)
    state.covariance.reset(ErrorIndex.field, variance: variance)
    state.covariance.reset(ErrorIndex.field + 1, variance: variance)
    state.hasHeading = true
    state.early = EarlyField()
    state.updateReportedVariances()
  }

  /// After a pause too long to bridge: the errors of the sensors stay known, inclination and heading are initialised
  /// again.
  mutating func prepareRestart(afterGap interval: Double) {
    recordUnfinishedBlock()
    state.record.breaks += 1
    state.needsLevelling = true
    state.upright.restart(keeping: false)
    state.hasHeading = false
    state.rest = RestDetector()
    state.early = EarlyField()
    state.beginBlock()
    // The clock may have been set back; then the length of the pause is unknown.
    let pause = interval > 0 ? min(interval, 3600) : 3600
    // Meanwhile the device has turned as fast as before, or was picked up.
    let rate = RealVector<Device>(state.pose.rate)
    let turn = max(rate.dot(rate), Constant.pickUpRate).squareRoot() * Real(pause)
    let heading = state.covariance.element(ErrorIndex.heading, ErrorIndex.heading)
    state.covariance.reset(ErrorIndex.heading, variance: min(Constant.unknownAzimuthVariance, heading + turn * turn))
    for i in ErrorIndex.bias..<ErrorIndex.bias + 3 {
      state.covariance[i, i] += coefficients.biasDriftVariance * Real(pause)
    }
  }

  // MARK: Learned sensors

  /// The sensor errors that the filter has learned so far.
  ///
  /// Without a magnetometer the delay is its initial value, with the default variance.
  public var learned: LearnedSensor {
    var learned = LearnedSensor(
      gyroscopeBias: state.gyroscopeBias, gyroscopeMatrix: state.gyroscopeMatrix,
      magnetometerDelay: state.magnetometerDelay, covariance: InlineArray(repeating: 0))
    let known = usesMagnetometer ? LearnedSensor.count : LearnedSensor.count - 1
    for i in 0..<known {
      for j in i..<known { learned[i, j] = Double(state.covariance[ErrorIndex.bias + i, ErrorIndex.bias + j]) }
    }
    if !usesMagnetometer { learned[12, 12] = Self.priorVariance(12, parameters) }
    return learned
  }

  /// A filter that starts with known errors of its sensors; nil when the numbers cannot be those of a sensor
  /// (``LearnedSensor/isPlausible``, ``Parameters/largestGyroscopeBias``).
  ///
  /// A variance that is larger than the default is reduced to it. Pass a `learned` that is
  /// ``LearnedSensor/widened(elapsed:temperatureChange:)``: the variances of an earlier day are too small for today.
  public init?(parameters: Parameters = Parameters(), usesMagnetometer: Bool, learned: LearnedSensor) {
    let bias = learned.gyroscopeBias
    let largest = parameters.largestGyroscopeBias
    guard learned.isPlausible, abs(bias.x) <= largest, abs(bias.y) <= largest, abs(bias.z) <= largest
    else { return nil }
    self.init(parameters: parameters, usesMagnetometer: usesMagnetometer)
    state.gyroscopeBias = bias
    state.matrixFactor = max(1, matrixFactor)
    state.gyroscopeMatrix = learned.gyroscopeMatrix
    if usesMagnetometer { state.magnetometerDelay = learned.magnetometerDelay }
    // Scaling a row and its column by one factor keeps the matrix positive definite.
    var factors = InlineArray<13, Double>(repeating: 1)
    for i in 0..<LearnedSensor.count {
      factors[i] = min(1, (Self.priorVariance(i, parameters) / learned[i, i]).squareRoot())
    }
    let known = usesMagnetometer ? LearnedSensor.count : LearnedSensor.count - 1
    for i in 0..<known {
      for j in i..<known {
        state.covariance[ErrorIndex.bias + i, ErrorIndex.bias + j] = Real(learned[i, j] * factors[i] * factors[j])
      }
    }
  }

  /// The variance of a filter without this knowledge, in the order of ``LearnedSensor/count``.
  private static func priorVariance(_ index: Int, _ p: Parameters) -> Double {
    let deviation =
      switch index {
      case ..<3: p.gyroscopeBiasDeviation
      case 12: p.magnetometerDelayDeviation
      default: (index - 3) % 4 == 0 ? p.gyroscopeScaleDeviation : p.gyroscopeMisalignmentDeviation
      }
    return deviation * deviation
  }
}
