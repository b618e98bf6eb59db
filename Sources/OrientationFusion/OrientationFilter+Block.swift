// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The correction at the end of a block: predict the covariance, then measure velocity, rest and field.
extension OrientationFilter {
  mutating func closeBlock() {
    guard any(state.sums.duration > 0), state.pose.isKnown else { return }
    state.sums.endStride(at: state.axes)
    let before = state.pose.quaternion
    predict()
    if any(state.sums.velocityDuration > 0) { measureVelocity(where: state.sums.velocityDuration > 0) }
    if any(state.rest.isAtRest) { measureRest(where: state.rest.isAtRest) }
    if state.hasHeading {
      state.fieldAge += state.sums.duration
      let isSeen = state.sums.fieldCount > 0 && state.fieldAge > 0
      if any(isSeen) { measureField(where: isSeen) }
    }
    limitBias()
    state.axes = state.pose.quaternion.axes
    state.clearSums()
    state.pose.latestCorrection = (state.pose.quaternion.turn(from: before) as Vector3<EastNorthUp>).simd
    state.pose.rate = state.corrected(Vector3(state.rawRate)).simd
    updateBiasTolerance()
  }

  /// The covariance at the block's end, before any measurement.
  private mutating func predict() {
    let time = state.sums.duration
    state.velocityEast += state.sums.velocity.x
    state.velocityNorth += state.sums.velocity.y
    state.covariance.propagate(&state.sums)

    let attitude =
      coefficients.gyroscopeVariance * time + coefficients.gyroscopeRelativeVariance * state.sums.squaredRate
      + state.sums.extraVariance
    state.covariance.add(attitude + state.sums.saturationVariance.x, to: 0)
    state.covariance.add(attitude + state.sums.saturationVariance.y, to: 1)
    state.covariance.add(attitude + state.sums.saturationVariance.z, to: 2)
    // A force that nobody measured changed the velocity by some 3 m/s² times the missing time.
    let missing = max(0, time - state.sums.velocityDuration - 2 * state.specificForceInterval)
    let velocity = coefficients.velocityDriftVariance * time + 9 * missing * missing
    for i in ErrorIndex.velocity..<ErrorIndex.velocity + 2 { state.covariance.add(velocity, to: i) }
    for i in ErrorIndex.bias..<ErrorIndex.bias + 3 {
      state.covariance.add(coefficients.biasDriftVariance * time, to: i)
    }
    guard usesMagnetometer else { return }
    let hardIron = (coefficients.hardIronDriftVariance + coefficients.hardIronExcitation * state.fieldMisfit) * time
    for i in ErrorIndex.hardIron..<ErrorIndex.hardIron + 3 { state.covariance.add(hardIron, to: i) }
    for i in ErrorIndex.field..<ErrorIndex.field + 2 {
      state.covariance.add(coefficients.fieldDriftVariance * time, to: i)
    }
  }

  /// Nothing flies away: over seconds the horizontal velocity is near zero, and more surely so when little accelerates.
  private mutating func measureVelocity(where condition: Mask) {
    let time = state.sums.duration
    var acceleration = Vector3<EastNorthUp>(state.sums.velocity / select(condition, state.sums.velocityDuration, 1))
    acceleration.z -= Real(standardGravity)
    let share = select(condition, SampleTime.share(of: time, constant: coefficients.accelerationSmoothing), 0)
    state.recentAcceleration += share * (acceleration.dot(acceleration) - state.recentAcceleration)
    let moving =
      coefficients.velocityVariance + coefficients.velocityVariancePerAcceleration * state.recentAcceleration
    var noise = select(state.rest.isAtRest, coefficients.restVelocityVariance, moving) / time
    var sparing = Spared.nothing
    let isTravelling = travels(acceleration, time: time, where: condition)
    if any(isTravelling) {
      // A vehicle accelerates for seconds, and then the statement is wrong. A gyroscope that a rest has measured carries the
      // inclination better, and nothing about it may be learned here; a bias still unknown is better learned than not.
      let carries = isTravelling && state.knowsBias
      sparing = .gyroscope(matrix: isTravelling, bias: carries)
      noise = select(carries, noise * coefficients.travelNoiseFactor, noise)
    }
    let east = ScalarMeasurement(ErrorIndex.velocity, 1)
    correct(east, innovation: -state.velocityEast, noise: noise, sparing: sparing, where: condition)
    let north = ScalarMeasurement(ErrorIndex.velocity + 1, 1)
    correct(north, innovation: -state.velocityNorth, noise: noise, sparing: sparing, where: condition)
  }

  /// True while the acceleration has a mean over seconds.
  ///
  /// The filter soon takes a long horizontal acceleration for tilt; what is left of it then is that the specific force is
  /// too strong, which looks like an acceleration upwards.
  private mutating func travels(
    _ acceleration: Vector3<EastNorthUp>, time: Real, where condition: Mask
  ) -> Mask {
    let share = select(condition, SampleTime.share(of: time, constant: coefficients.travelSmoothing), 0)
    state.meanAcceleration += (acceleration - state.meanAcceleration) * share
    let mean = state.meanAcceleration
    let limit = coefficients.travelAcceleration
    return condition && (mean.x * mean.x + mean.y * mean.y > limit * limit || mean.z > 0.25 * limit)
  }

  /// At rest the gyroscope reads its bias.
  private mutating func measureRest(where condition: Mask) {
    state.knowsBias = state.knowsBias || condition
    let noise = coefficients.restRateVariance / state.sums.duration
    let mean = state.rest.meanRate
    correct(
      ScalarMeasurement(ErrorIndex.bias, -1), innovation: -state.corrected(mean).x, noise: noise, where: condition)
    correct(
      ScalarMeasurement(ErrorIndex.bias + 1, -1), innovation: -state.corrected(mean).y, noise: noise, where: condition)
    correct(
      ScalarMeasurement(ErrorIndex.bias + 2, -1), innovation: -state.corrected(mean).z, noise: noise, where: condition)
  }

  private mutating func limitBias() {
    let largest = coefficients.largestGyroscopeBias
    func limit(_ x: Real) -> Real { min(largest, max(-largest, x)) }
    let bias = state.bias
    state.bias = Vector3(x: limit(bias.x), y: limit(bias.y), z: limit(bias.z))
  }

  /// What the mean rate of a rest may be: wide before the first one, afterwards as narrow as the bias is known.
  mutating func updateBiasTolerance() {
    guard any(state.knowsBias) else { return }
    func tolerance(_ axis: Int, _ before: Real) -> Real {
      let variance = state.covariance.element(ErrorIndex.bias + axis, ErrorIndex.bias + axis)
      return select(state.knowsBias, coefficients.restBiasTolerance + 5 * variance.squareRoot(), before)
    }
    let before = state.biasTolerance
    state.biasTolerance = Vector3(x: tolerance(0, before.x), y: tolerance(1, before.y), z: tolerance(2, before.z))
  }

  /// Numbers that are not finite never heal. One such number in a sum spoils it.
  mutating func isFinite() -> Mask {
    let (b, m) = (state.bias, state.matrix)
    let sensor = (b.x + b.y + b.z) + (m.m11 + m.m12 + m.m13) + (m.m21 + m.m22 + m.m23) + (m.m31 + m.m32 + m.m33)
    return (state.covariance.trace() + sensor + (state.velocityEast + state.velocityNorth + state.delay)).isFinite
  }

  /// One scalar measurement: its gain moves every quantity that goes together with it. Returns the turn of the attitude.
  @discardableResult
  mutating func correct(
    _ measurement: ScalarMeasurement, innovation: Real, noise: Real, sparing: Spared = .nothing, where condition: Mask
  ) -> Vector3<EastNorthUp> {
    var gain = ErrorVector(repeating: 0)
    state.covariance.update(measurement, noise: noise, sparing: sparing, where: condition, gain: &gain)
    let y = select(condition, innovation, 0)
    let turn = Vector3<EastNorthUp>(x: gain[0] * y, y: gain[1] * y, z: gain[2] * y)
    state.pose.quaternion = Quaternion(turn: turn) * state.pose.quaternion
    state.velocityEast += gain[ErrorIndex.velocity] * y
    state.velocityNorth += gain[ErrorIndex.velocity + 1] * y
    let bias = ErrorIndex.bias
    state.bias += Vector3(x: gain[bias] * y, y: gain[bias + 1] * y, z: gain[bias + 2] * y)
    let m = ErrorIndex.matrix
    state.matrix =
      state.matrix
      + Matrix3(
        gain[m], gain[m + 1], gain[m + 2], gain[m + 3], gain[m + 4], gain[m + 5], gain[m + 6], gain[m + 7], gain[m + 8])
      * y
    guard usesMagnetometer else { return turn }
    state.delay += gain[ErrorIndex.delay] * y
    let iron = ErrorIndex.hardIron
    state.hardIron += Vector3(x: gain[iron] * y, y: gain[iron + 1] * y, z: gain[iron + 2] * y)
    state.fieldNorth += gain[ErrorIndex.field] * y
    state.fieldDown += gain[ErrorIndex.field + 1] * y
    return turn
  }
}
