// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// Initialisation: the first attitude, the first heading, the restart after a gap, and the start from what an earlier
// filter learned about the sensors. Documentation/Filter.md 9 and 11.
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
    state.bank.resetInclination(variance: Float(deviation * deviation))
    state.hand.reset()
    state.up = MeanForce()
    state.beginBlock()
    state.needsLevelling = false
  }

  /// After a pause too long to bridge: the errors of the sensors stay known, inclination and heading are initialised
  /// again.
  mutating func prepareRestart(afterGap interval: Double) {
    recordUnfinishedBlock()
    state.record.breaks += 1
    state.needsLevelling = true
    state.up = MeanForce()
    state.rest = RestOdds()
    state.isAtRest = false
    state.heading.reset()
    state.updateHeading(usesMagnetometer: usesMagnetometer)
    state.beginBlock()
    // The clock may have been set back; then the length of the pause is unknown.
    let pause = interval > 0 ? min(interval, 3600) : 3600
    // Meanwhile the device has turned as fast as before, or was picked up.
    let rate = RealVector<Device>(state.pose.rate)
    let turn = Float(max(rate.dot(rate), Constant.pickUpRate).squareRoot() * Real(pause))
    state.bank.add(turn * turn, to: ErrorIndex.azimuth, largest: Constant.unknownAzimuthVariance)
    for i in 0..<3 { state.bank.add(coefficients.biasDriftVariance * Float(pause), to: ErrorIndex.bias + i) }
  }

  // MARK: Learned sensors

  /// The sensor errors that the filter has learned so far; the delay only with a magnetometer.
  public var learned: LearnedSensor {
    var filter = self
    return filter.currentlyLearned()
  }

  private mutating func currentlyLearned() -> LearnedSensor {
    let delay = state.heading.learnedDelay()
    var learned = LearnedSensor(
      gyroscopeBias: state.gyroscopeBias, gyroscopeMatrix: state.gyroscopeMatrix,
      magnetometerDelay: Double(delay.delay), covariance: InlineArray(repeating: 0))
    for i in 0..<12 {
      for j in i..<12 { learned[i, j] = Double(state.bank.sensorCovariance(i, j)) }
    }
    learned[12, 12] = Double(delay.variance)
    return learned
  }

  /// What this and earlier runs have learned, with the share that may be believed
  /// (``LearnedSensor/credited(since:credit:)``); nil before the first attitude, and when the numbers cannot be a
  /// sensor's.
  ///
  /// - Parameter knowledge: what this filter started with.
  package mutating func learned(after knowledge: LearnedSensor?) -> LearnedSensor? {
    guard attitude != nil else { return nil }
    let start = OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer, learned: knowledge)
    let sensor = currentlyLearned().credited(since: start.learned)
    return sensor.isPlausible ? sensor : nil
  }

  /// Begins with known errors of the sensors. A variance that is larger than the usual one is reduced to it.
  mutating func start(with learned: LearnedSensor) {
    state.gyroscopeBias = learned.gyroscopeBias
    state.gyroscopeMatrix = learned.gyroscopeMatrix
    state.bank.start(with: learned)
  }
}
