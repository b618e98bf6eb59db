// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The end of a block: predict the covariance, then correct by velocity, rest and field (Documentation/Filter.md 5 and
// 6).
extension OrientationFilter {
  mutating func closeBlock() {
    guard state.sums.duration > 0, state.pose.isKnown else { return }
    state.sums.endSegment(at: state.axes)
    // The samples do not restore its length.
    state.pose.quaternion.normalize()
    let before = state.pose.quaternion
    if state.keepsBlocks { recordSums() }
    predict()
    checkUpright()
    if state.sums.velocityDuration > 0 { measureVelocity() }
    updateRest()
    if state.rest.isAtRest { measureRest() }
    if state.hasHeading {
      state.fieldAge += state.sums.duration
      if state.sums.fieldCount > 0 { measureField() }
    } else {
      state.early.add(&state.sums)
    }
    limitBias()
    if state.keepsBlocks { finishRecord() }
    state.axes = state.pose.quaternion.axes
    state.beginBlock()
    state.pose.latestCorrection = (state.pose.quaternion.turn(from: before) as RealVector<EastNorthUp>).simd
    state.pose.rate = state.corrected(RealVector(state.rawRate)).simd
  }

  /// The covariance at the block's end, before any measurement: P ← F P Fᵀ + Q (Documentation/Filter.md 5).
  private mutating func predict() {
    let time = state.sums.duration
    state.covariance.propagate(&state.sums)
    let kept = 1 - SampleTime.share(of: time, constant: coefficients.velocityMemory)
    state.velocityEast = kept * state.velocityEast + state.sums.velocity.x
    state.velocityNorth = kept * state.velocityNorth + state.sums.velocity.y
    for i in 0..<2 { state.covariance.scale(ErrorIndex.velocity + i, by: kept) }

    let attitude =
      coefficients.gyroscopeVariance * time + coefficients.gyroscopeRelativeVariance * state.sums.squaredRate
      + state.sums.extraVariance
    for i in 0..<3 { state.covariance.add(attitude, to: i) }
    // Without readings of the accelerometer the velocity changed unseen, by some 3 m/s² times the missing time.
    let missing = max(0, time - state.sums.velocityDuration - 2 * state.specificForceInterval)
    widenMatrix()
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

  /// A gyroscope whose bias is n times the usual one is not calibrated: its scale and its axes are as much worse.
  private mutating func widenMatrix() {
    let factor = matrixFactor
    guard factor > max(coefficients.largestUsualFactor, Constant.matrixStep * state.matrixFactor) else { return }
    for i in 0..<9 {
      state.covariance.add((factor - state.matrixFactor) * matrixVariance(i), to: ErrorIndex.matrix + i)
    }
    state.matrixFactor = factor
  }

  /// That of an element of the gyroscope's matrix before anything is learned.
  func matrixVariance(_ element: Int) -> Real {
    element % 4 == 0 ? coefficients.scaleVariance : coefficients.misalignmentVariance
  }

  /// The square of the bias over that of a usual one.
  var matrixFactor: Real { state.bias.dot(state.bias) / coefficients.usualSquaredBias }

  private mutating func limitBias() {
    let largest = coefficients.largestGyroscopeBias
    func limit(_ x: Real) -> Real { min(largest, max(-largest, x)) }
    let bias = state.bias
    state.bias = RealVector(x: limit(bias.x), y: limit(bias.y), z: limit(bias.z))
  }

  /// One number that is not finite makes the sum not finite.
  mutating func isFinite() -> Bool {
    let (b, m) = (state.bias, state.matrix)
    let sensor = (b.x + b.y + b.z) + (m.m11 + m.m12 + m.m13) + (m.m21 + m.m22 + m.m23) + (m.m31 + m.m32 + m.m33)
    return (state.covariance.trace() + sensor + (state.velocityEast + state.velocityNorth + state.delay)).isFinite
  }

  /// One scalar measurement: its gain corrects every quantity whose error correlates with it. Returns the turn of the
  /// attitude.
  @discardableResult
  mutating func correct(
    _ measurement: ScalarMeasurement, innovation y: Real, noise: Real, considering considered: ConsiderStates = [],
    withholding bias: WithheldBias? = nil
  ) -> RealVector<EastNorthUp> {
    var gain = ErrorVector(repeating: 0)
    guard let variance = state.covariance.update(measurement, noise: noise, gain: &gain) else { return .zero }
    if bias != nil || !considered.isEmpty {
      var withheld = ErrorVector(repeating: 0)
      considered.withhold(&gain, into: &withheld)
      bias?.withhold(&gain, into: &withheld)
      state.covariance.giveBack(&withheld, variance: variance)
    }
    let turn = RealVector<EastNorthUp>(x: gain[0] * y, y: gain[1] * y, z: gain[2] * y)
    state.pose.quaternion = Quaternion(turn: turn) * state.pose.quaternion
    state.velocityEast += gain[ErrorIndex.velocity] * y
    state.velocityNorth += gain[ErrorIndex.velocity + 1] * y
    let b = ErrorIndex.bias
    state.bias += RealVector(x: gain[b] * y, y: gain[b + 1] * y, z: gain[b + 2] * y)
    let m = ErrorIndex.matrix
    state.matrix =
      state.matrix
      + RealMatrix(
        gain[m], gain[m + 1], gain[m + 2], gain[m + 3], gain[m + 4], gain[m + 5], gain[m + 6], gain[m + 7], gain[m + 8])
      * y
    guard usesMagnetometer else { return turn }
    state.delay += gain[ErrorIndex.delay] * y
    let iron = ErrorIndex.hardIron
    state.hardIron += RealVector(x: gain[iron] * y, y: gain[iron + 1] * y, z: gain[iron + 2] * y)
    state.fieldNorth += gain[ErrorIndex.field] * y
    state.fieldDown += gain[ErrorIndex.field + 1] * y
    return turn
  }
}
