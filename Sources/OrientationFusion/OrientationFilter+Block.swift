// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The correction at the end of a block: predict the covariance, then measure velocity, rest and field.
extension OrientationFilter {
  mutating func closeBlock() {
    let sums = state.sums
    guard sums.duration > 0, state.attitude != nil else { return }
    predict(sums)
    if sums.velocityDuration > 0 { measureVelocity(sums) }
    if state.rest.isAtRest { measureRest(sums.duration) }
    if state.hasHeading {
      state.fieldAge += sums.duration
      if sums.fieldCount > 0 { measureField(sums) }
    }
    state.covariance.symmetrize()
    limitBias()
    state.sums = BlockSums()
    state.angularVelocity = corrected(state.rawAngularVelocity)
    updateBiasTolerance()
    if !isFinite { state = State(parameters: parameters, usesMagnetometer: usesMagnetometer) }
  }

  /// The covariance at the block's end, before any measurement.
  private mutating func predict(_ sums: BlockSums) {
    let (time, c) = (sums.duration, coefficients)
    state.velocityEast += sums.velocity.x
    state.velocityNorth += sums.velocity.y
    state.covariance.propagate(sums)

    let attitude = c.gyroscopeVariance * time + c.gyroscopeRelativeVariance * sums.squaredRate
    state.covariance[0, 0] += attitude + sums.extraVariance.x
    state.covariance[1, 1] += attitude + sums.extraVariance.y
    state.covariance[2, 2] += attitude + sums.extraVariance.z
    // A force that nobody measured changed the velocity by some 3 m/s² times the missing time.
    let missing = max(0, time - sums.velocityDuration - 2 * state.specificForceInterval)
    let velocity = c.velocityDriftVariance * time + 9 * missing * missing
    for i in ErrorIndex.velocity..<ErrorIndex.velocity + 2 { state.covariance[i, i] += velocity }
    for i in ErrorIndex.bias..<ErrorIndex.bias + 3 { state.covariance[i, i] += c.biasDriftVariance * time }
    guard usesMagnetometer else { return }
    let hardIron = (c.hardIronDriftVariance + parameters.hardIronExcitation * state.fieldMisfit) * time
    for i in ErrorIndex.hardIron..<ErrorIndex.hardIron + 3 { state.covariance[i, i] += hardIron }
    for i in ErrorIndex.field..<ErrorIndex.field + 2 { state.covariance[i, i] += c.fieldDriftVariance * time }
  }

  /// Nothing flies away: over seconds the horizontal velocity is near zero, and more surely so when little accelerates.
  private mutating func measureVelocity(_ sums: BlockSums) {
    let time = sums.duration
    var acceleration = sums.velocity / sums.velocityDuration
    acceleration.z -= standardGravity
    let share = 1 - Scalar.exp(-time / parameters.accelerationSmoothing)
    state.recentAcceleration += share * (acceleration.dot(acceleration) - state.recentAcceleration)
    let moving =
      coefficients.velocityVariance + coefficients.velocityVariancePerAcceleration * state.recentAcceleration
    let noise = (state.rest.isAtRest ? coefficients.restVelocityVariance : moving) / time
    correct(ScalarMeasurement(ErrorIndex.velocity, 1), innovation: -state.velocityEast, noise: noise)
    correct(ScalarMeasurement(ErrorIndex.velocity + 1, 1), innovation: -state.velocityNorth, noise: noise)
  }

  /// At rest the gyroscope reads its bias.
  private mutating func measureRest(_ time: Double) {
    let mean = state.rest.meanRate
    state.knowsBias = true
    let noise = coefficients.restRateVariance / time
    correct(ScalarMeasurement(ErrorIndex.bias, -1), innovation: -corrected(mean).x, noise: noise)
    correct(ScalarMeasurement(ErrorIndex.bias + 1, -1), innovation: -corrected(mean).y, noise: noise)
    correct(ScalarMeasurement(ErrorIndex.bias + 2, -1), innovation: -corrected(mean).z, noise: noise)
  }

  private mutating func limitBias() {
    let largest = parameters.largestGyroscopeBias
    func limit(_ x: Double) -> Double { min(largest, max(-largest, x)) }
    let bias = state.gyroscopeBias
    state.gyroscopeBias = Vector3(x: limit(bias.x), y: limit(bias.y), z: limit(bias.z))
  }

  private var isFinite: Bool {
    state.covariance.isFinite && state.gyroscopeBias.isFinite && state.gyroscopeMatrix.isFinite
      && (state.velocityEast + state.velocityNorth + state.magnetometerDelay).isFinite
  }

  /// One scalar measurement: its gain moves every quantity that goes together with it. Returns the turn of the attitude.
  @discardableResult
  mutating func correct(
    _ measurement: ScalarMeasurement, innovation: Double, noise: Double, sparesInclination: Bool = false
  ) -> Vector3<EastNorthUp> {
    guard
      let gain = state.covariance.update(measurement, noise: noise, sparesInclination: sparesInclination),
      let attitude = state.attitude
    else { return .zero }
    let y = innovation
    let turn = Vector3<EastNorthUp>(x: gain[0] * y, y: gain[1] * y, z: gain[2] * y)
    state.attitude = Rotation<EastNorthUp, EastNorthUp>(rotationVector: turn) * attitude
    state.velocityEast += gain[ErrorIndex.velocity] * y
    state.velocityNorth += gain[ErrorIndex.velocity + 1] * y
    let bias = ErrorIndex.bias
    state.gyroscopeBias += Vector3(x: gain[bias] * y, y: gain[bias + 1] * y, z: gain[bias + 2] * y)
    let m = ErrorIndex.matrix
    state.gyroscopeMatrix =
      state.gyroscopeMatrix
      + Matrix3(
        gain[m], gain[m + 1], gain[m + 2], gain[m + 3], gain[m + 4], gain[m + 5], gain[m + 6], gain[m + 7], gain[m + 8])
      * y
    guard usesMagnetometer else { return turn }
    state.magnetometerDelay += gain[ErrorIndex.delay] * y
    let iron = ErrorIndex.hardIron
    state.hardIron += Vector3(x: gain[iron] * y, y: gain[iron + 1] * y, z: gain[iron + 2] * y)
    state.fieldNorth += gain[ErrorIndex.field] * y
    state.fieldDown += gain[ErrorIndex.field + 1] * y
    return turn
  }
}
