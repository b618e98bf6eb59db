// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The field as a measurement: it corrects the heading, and the estimate of the field itself.
//
// Indoors no magnetometer can be trusted alone. Three checks limit it. A residual that no known error explains counts
// as noise, so a field in another direction has little weight. A field of the wrong strength or dip raises the variance
// of the hard iron, which then explains it. And the field never changes the inclination. With these alone a wrong
// heading would stay: so a residual that lasts opens the variance of the heading, and a field that has pointed elsewhere
// for long enough is followed. Documentation/Filter.md 6.5 and 6.6.
extension OrientationFilter {
  /// The three equations "east, north, up component of the field" of one block, in units of the field.
  private struct FieldEquations {
    var mean: RealVector<EastNorthUp>
    var rotation: DeviceAxes
    var east: ScalarMeasurement
    var north: ScalarMeasurement
    var up: ScalarMeasurement
  }

  mutating func measureField() {
    let time = min(state.fieldAge, 1)
    state.fieldAge = 0
    fadeHeadingTurn(time: time)
    let headingVariance = state.covariance.element(ErrorIndex.heading, ErrorIndex.heading)
    let scale = state.fieldScale / state.sums.fieldCount
    var equations = fieldEquations(
      mean: RealVector(state.sums.field * scale), rotation: state.sums.fieldRotation * (1 / state.sums.fieldCount),
      slope: state.sums.fieldSlope * scale)
    let noise = coefficients.fieldVariance / time
    let innovation = fieldInnovation(equations)
    // The disturbance is what the errors do not explain. It has no preferred direction: what shows in strength and dip
    // is in the heading as well, so the three equations share it.
    let east = state.covariance.explainedVariance(equations.east)
    let dip =
      state.covariance.explainedVariance(equations.north) + state.covariance.explainedVariance(equations.up)
    updateFieldMisfit(innovation, expected: 2 * noise + dip, time: time)
    openHeading(innovation, expected: (east, dip), time: time)
    var disturbance = max(0, innovation.dot(innovation) - east - dip) * coefficients.fieldResidualTime / time
    if mustFollow(equations.mean, time: time) {
      let error = Scalar.atan2(equations.mean.x, equations.mean.y)
      resetHeadingVariance(error)
      disturbance = 0
      if abs(error) > 0.5 {
        // Too far for a linear correction: a fifth of the way now, the rest in the next blocks.
        let turn = RealVector<EastNorthUp>(x: 0, y: 0, z: Constant.firstTurnShare * error)
        state.pose.quaternion = Quaternion(turn: turn) * state.pose.quaternion
        state.headingTurn += turn.z
        return explainTurn(from: headingVariance)
      }
    }
    for row in 0..<3 {
      let residual = fieldInnovation(equations)
      let (measurement, y) =
        switch row {
        case 0: (equations.up, residual.z)
        case 1: (equations.north, residual.y)
        default: (equations.east, residual.x)
        }
      let turn = correct(measurement, innovation: y, noise: noise + disturbance, considering: .inclination)
      // The attitude has turned, and with it the field that was measured.
      equations.mean += turn.cross(equations.mean)
      state.fieldMean.x -= turn.z * state.fieldNorth
      state.headingTurn += turn.z
    }
    explainTurn(from: headingVariance)
  }

  /// A correction that lowers the variance explains so much of the turn; a variance that was opened explains nothing.
  private mutating func explainTurn(from variance: Real) {
    state.explainedTurn += variance - state.covariance.element(ErrorIndex.heading, ErrorIndex.heading)
    state.explainedTurn = min(state.explainedTurn, state.headingTurn * state.headingTurn)
  }

  /// Where the field has turned the heading, the former one may be right: until the new one has held for twice as long.
  private mutating func fadeHeadingTurn(time: Real) {
    state.headingAge += time
    let share = SampleTime.share(of: time, constant: 2 * max(coefficients.leastHeadingAge, state.headingAge))
    state.headingTurn -= state.headingTurn * share
    state.explainedTurn -= 2 * state.explainedTurn * share
  }

  /// A residual that lasts although the device moves on is an error that the variance does not contain: of the heading
  /// in the east, of the field's strength and dip in the north and upwards. Places differ, and their mean would be
  /// zero.
  private mutating func openHeading(
    _ innovation: RealVector<EastNorthUp>, expected: (east: Real, dip: Real), time: Real
  ) {
    let share = SampleTime.share(of: time, constant: coefficients.fieldSpreadSmoothing)
    let most = Real4(repeating: Constant.largestResidual)
    let limited = RealVector<EastNorthUp>(innovation.simd.clamped(lowerBound: -most, upperBound: most))
    state.fieldMean += (limited - state.fieldMean) * share
    let (east, north, up) = (state.fieldMean.x, state.fieldMean.y, state.fieldMean.z)
    if east * east > 2 * expected.east + 0.5 * state.fieldSpread {
      let variance = share * east * east / (state.fieldNorth * state.fieldNorth)
      state.covariance.add(variance, to: ErrorIndex.heading)
      // A bias that counts as known may turn it again and again.
      let rate = 0.5 * variance / (coefficients.fieldSpreadSmoothing * coefficients.fieldSpreadSmoothing)
      let (x, y, z) = (state.axes.x.z, state.axes.y.z, state.axes.z.z)
      state.covariance.add(x * x * rate, to: ErrorIndex.bias)
      state.covariance.add(y * y * rate, to: ErrorIndex.bias + 1)
      state.covariance.add(z * z * rate, to: ErrorIndex.bias + 2)
    }
    // A residual that never changes has a squared mean of twice the spread, which is per axis.
    if north * north + up * up > 2 * expected.dip + Constant.lastingDip * state.fieldSpread {
      state.covariance.add(share * north * north, to: ErrorIndex.field)
      state.covariance.add(share * up * up, to: ErrorIndex.field + 1)
    }
  }

  private mutating func fieldEquations(
    mean: RealVector<EastNorthUp>, rotation r: DeviceAxes, slope: Real4
  ) -> FieldEquations {
    // A turn θ of the attitude moves the expected field (0, north, −down) by θ × field.
    var east = ScalarMeasurement(1, state.fieldDown)
    east.append(ErrorIndex.heading, state.fieldNorth)
    Self.append(row: RealVector(x: r.x.x, y: r.y.x, z: r.z.x), slope: slope.x, to: &east)
    var north = ScalarMeasurement(0, -state.fieldDown)
    north.append(ErrorIndex.field, 1)
    Self.append(row: RealVector(x: r.x.y, y: r.y.y, z: r.z.y), slope: slope.y, to: &north)
    var up = ScalarMeasurement(0, -state.fieldNorth)
    up.append(ErrorIndex.field + 1, -1)
    Self.append(row: RealVector(x: r.x.z, y: r.y.z, z: r.z.z), slope: slope.z, to: &up)
    return FieldEquations(mean: mean, rotation: r, east: east, north: north, up: up)
  }

  private static func append(row: RealVector<Device>, slope: Real, to measurement: inout ScalarMeasurement) {
    measurement.append(from: ErrorIndex.delay, slope, row.x, row.y, row.z)
  }

  /// Measured minus expected field, in units of the field.
  private mutating func fieldInnovation(_ equations: FieldEquations) -> RealVector<EastNorthUp> {
    let iron = RealVector<EastNorthUp>(equations.rotation * state.hardIron)
    return equations.mean - iron - RealVector(x: 0, y: state.fieldNorth, z: -state.fieldDown)
  }

  /// Strength and dip do not depend on the heading: a misfit there beyond the expected one is a sign of a changed hard
  /// iron.
  private mutating func updateFieldMisfit(
    _ innovation: RealVector<EastNorthUp>, expected: Real, time: Real
  ) {
    let unexplained = max(0, innovation.y * innovation.y + innovation.z * innovation.z - expected)
    let share = SampleTime.share(of: time, constant: coefficients.hardIronExcitationSmoothing)
    state.fieldMisfit += share * (unexplained - state.fieldMisfit)
    // The same in the east is an error of the heading, and no residual shows it while the device stays where it is.
    // What is stronger is not followed.
    let square = min(Constant.largestSpread, (innovation.y * innovation.y + innovation.z * innovation.z) / 2)
    let slow = SampleTime.share(of: time, constant: coefficients.fieldSpreadSmoothing)
    state.fieldSpread += slow * (square - state.fieldSpread)
  }

  // MARK: A heading that is wrong

  /// Whether the heading has to follow the field `mean` from now on.
  ///
  /// A field in another direction that has the known strength and dip is the earth's, and the heading is wrong: it is
  /// followed soon, unless the heading was earned over a long time. One that has not may be a place, or the first field
  /// was one: it is followed, and becomes the known field, when it has pointed elsewhere for longer than the known one
  /// agreed.
  private mutating func mustFollow(_ mean: RealVector<EastNorthUp>, time: Real) -> Bool {
    // |atan2(x, y)| beyond the angle, without the arc tangent.
    guard abs(mean.x) > coefficients.disturbanceTangent * mean.y else {
      state.trustedTime += time
      state.consistentTime = max(0, state.consistentTime - 2 * time)
      state.disturbedTime = max(0, state.disturbedTime - 2 * time)
      return false
    }
    let horizontal = (mean.x * mean.x + mean.y * mean.y).squareRoot()
    let (strength, dip) = (horizontal - state.fieldNorth, mean.z + state.fieldDown)
    let known = state.fieldNorth * state.fieldNorth + state.fieldDown * state.fieldDown
    let limit = coefficients.fieldConsistency * coefficients.fieldConsistency * known
    let isConsistent = strength * strength + dip * dip < limit
    state.consistentTime = isConsistent ? state.consistentTime + time : max(0, state.consistentTime - time)
    state.disturbedTime += time
    let patience = min(max(1, state.trustedTime / coefficients.earningTime), coefficients.largestPatience)
    let isSameField = isConsistent && state.consistentTime > patience * coefficients.consistencyTime
    let isElsewhereForLong = state.disturbedTime > 2 * coefficients.consistencyTime + state.trustedTime
    guard isSameField || isElsewhereForLong else { return false }
    if !isSameField {
      (state.fieldNorth, state.fieldDown) = (horizontal, -mean.z)
      let variance = coefficients.fieldDeviation * coefficients.fieldDeviation
      for i in 0..<2 { state.covariance.reset(ErrorIndex.field + i, variance: variance) }
    }
    (state.trustedTime, state.consistentTime, state.disturbedTime) = (0, 0, 0)
    return true
  }

  /// The heading may be wrong by `error`, and the hard iron was estimated to explain that.
  private mutating func resetHeadingVariance(_ error: Real) {
    let variance = max(state.covariance[ErrorIndex.heading, ErrorIndex.heading], error * error)
    state.covariance.reset(ErrorIndex.heading, variance: variance)
    resetHardIron()
    state.fieldMisfit = 0
  }
}
