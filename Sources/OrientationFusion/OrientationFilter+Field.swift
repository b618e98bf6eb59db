// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The field as a measurement: it corrects the heading, and itself.
//
// Indoors no magnetometer is to be trusted blindly. Three guards stand here. What no known error explains of a residual
// is its own noise, so a field that points elsewhere weighs little. A field of the wrong strength or dip opens the hard iron, which then takes the blame. And
// the field never moves inclination. The price: a heading that is truly wrong would never be mended, so a field that has
// been consistent in another direction for long enough re-opens the heading.
extension OrientationFilter {
  /// The three equations "east, north, up component of the field" of one block, in units of the field.
  private struct FieldEquations {
    var mean: Vector3<EastNorthUp>
    var rotation: DeviceAxes
    var east: ScalarMeasurement
    var north: ScalarMeasurement
    var up: ScalarMeasurement
  }

  mutating func measureField(where condition: Mask) {
    var isUsed = condition
    // No time passes where there is no field.
    let time = select(isUsed, min(state.fieldAge, 1), 0)
    state.fieldAge = select(isUsed, 0, state.fieldAge)
    var equations = fieldEquations()
    let noise = coefficients.fieldVariance / time
    let innovation = fieldInnovation(equations)
    // The disturbance is what the errors cannot explain. It has no preferred direction: what shows in strength and dip is in
    // the heading as well, so the three equations share it.
    let east = state.covariance.explainedVariance(equations.east)
    let dip =
      state.covariance.explainedVariance(equations.north) + state.covariance.explainedVariance(equations.up)
    noteMisfit(innovation, expected: 2 * noise + dip, time: time)
    var disturbance = max(0, innovation.dot(innovation) - east - dip) * coefficients.fieldResidualTime / time
    var isReopened = isHeadingDue(equations.mean, time: time) && condition
    var direction = equations.mean
    let isAdopted =
      condition && !isReopened && state.candidateTime > max(coefficients.consistencyTime, state.trustedTime)
    if any(isAdopted) {
      direction.x = select(isAdopted, state.candidateField.x, direction.x)
      direction.y = select(isAdopted, state.candidateField.y, direction.y)
      adoptCandidate(where: isAdopted)
      isReopened = isReopened || isAdopted
    }
    if any(isReopened) {
      let error = select(isReopened, Scalar.atan2(direction.x, direction.y), 0)
      reopenHeading(error, where: isReopened)
      disturbance = select(isReopened, 0, disturbance)
      let isFar = abs(error) > 0.5
      if any(isFar) {
        let turn = Vector3<EastNorthUp>(x: 0, y: 0, z: select(isFar, 0.2 * error, 0))
        state.pose.quaternion = Quaternion(turn: turn) * state.pose.quaternion
        isUsed = isUsed && !isFar
      }
    }
    guard any(isUsed) else { return }
    for row in 0..<3 {
      let residual = fieldInnovation(equations)
      let (measurement, y) =
        switch row {
        case 0: (equations.up, residual.z)
        case 1: (equations.north, residual.y)
        default: (equations.east, residual.x)
        }
      let turn = correct(measurement, innovation: y, noise: noise + disturbance, sparing: .inclination, where: isUsed)
      // The attitude has turned, and with it the field that was measured.
      equations.mean += turn.cross(equations.mean)
    }
  }

  private mutating func fieldEquations() -> FieldEquations {
    let count = max(state.sums.fieldCount, 1)
    let scale = state.fieldScale / count
    let slope = state.sums.fieldSlope * scale
    let r = state.sums.fieldRotation * (1 / count)
    // A turn θ of the attitude moves the expected field (0, north, −down) by θ × field.
    var east = ScalarMeasurement(1, state.fieldDown)
    east.append(ErrorIndex.heading, state.fieldNorth)
    Self.append(row: Vector3(x: r.x.x, y: r.y.x, z: r.z.x), slope: slope.x, to: &east)
    var north = ScalarMeasurement(0, -state.fieldDown)
    north.append(ErrorIndex.field, 1)
    Self.append(row: Vector3(x: r.x.y, y: r.y.y, z: r.z.y), slope: slope.y, to: &north)
    var up = ScalarMeasurement(0, -state.fieldNorth)
    up.append(ErrorIndex.field + 1, -1)
    Self.append(row: Vector3(x: r.x.z, y: r.y.z, z: r.z.z), slope: slope.z, to: &up)
    let mean = Vector3<EastNorthUp>(state.sums.field * scale)
    return FieldEquations(mean: mean, rotation: r, east: east, north: north, up: up)
  }

  private static func append(row: Vector3<Device>, slope: Real, to measurement: inout ScalarMeasurement) {
    measurement.append(ErrorIndex.hardIron, row.x)
    measurement.append(ErrorIndex.hardIron + 1, row.y)
    measurement.append(ErrorIndex.hardIron + 2, row.z)
    measurement.append(ErrorIndex.delay, slope)
  }

  /// Measured minus expected field, in units of the field.
  private mutating func fieldInnovation(_ equations: FieldEquations) -> Vector3<EastNorthUp> {
    let iron = Vector3<EastNorthUp>(equations.rotation * state.hardIron)
    return equations.mean - iron - Vector3(x: 0, y: state.fieldNorth, z: -state.fieldDown)
  }

  /// Strength and dip do not depend on the heading: a misfit there beyond the expected one tells of new iron.
  private mutating func noteMisfit(_ innovation: Vector3<EastNorthUp>, expected: Real, time: Real) {
    let unexplained = max(0, innovation.y * innovation.y + innovation.z * innovation.z - expected)
    let share = SampleTime.share(of: time, constant: coefficients.hardIronExcitationSmoothing)
    state.fieldMisfit += share * (unexplained - state.fieldMisfit)
  }

  /// Whether the field has pointed elsewhere for long enough.
  private mutating func isHeadingDue(_ mean: Vector3<EastNorthUp>, time: Real) -> Mask {
    let strength = (mean.x * mean.x + mean.y * mean.y).squareRoot() - state.fieldNorth
    let dip = mean.z + state.fieldDown
    let known = state.fieldNorth * state.fieldNorth + state.fieldDown * state.fieldDown
    let limit = coefficients.fieldConsistency * coefficients.fieldConsistency * known
    let isConsistent = strength * strength + dip * dip < limit
    // |atan2(x, y)| beyond the angle, without the arc tangent.
    let isElsewhere = abs(mean.x) > coefficients.disturbanceTangent * mean.y

    state.consistentTime = select(
      isElsewhere && isConsistent, state.consistentTime + time,
      max(0, state.consistentTime - select(isElsewhere, time, 3 * time)))
    state.disturbedTime = select(isElsewhere, state.disturbedTime + time, max(0, state.disturbedTime - 2 * time))
    weighCandidate(mean, isElsewhere: isElsewhere, time: time)
    let isDue =
      (isConsistent && state.consistentTime > coefficients.consistencyTime)
      || state.disturbedTime > coefficients.disturbanceTime
    return isElsewhere && isDue
  }

  /// The first field of all may be the disturbed one: near iron at the start, strength and dip are known wrongly too, and the
  /// true field then looks inconsistent. So a field in another direction is a candidate of its own: it has to stay the same
  /// vector in the world while the device turns, and for longer than the known one did.
  private mutating func weighCandidate(_ mean: Vector3<EastNorthUp>, isElsewhere: Mask, time: Real) {
    let candidate = state.candidateField
    let difference = mean - candidate
    let limit = coefficients.fieldConsistency * coefficients.fieldConsistency
    let isSame = isElsewhere && difference.dot(difference) < limit * candidate.dot(candidate)
    // A device that lies still sees the same field also beside a magnet.
    let rate = Vector3<Device>(state.pose.rate)
    let turnedTime = select(rate.dot(rate) > Self.candidateSquaredRate, time, 0)
    let share = select(isSame, SampleTime.share(of: time, constant: coefficients.candidateSmoothing), 0)
    state.candidateField += difference * share
    state.trustedTime = select(isElsewhere, state.trustedTime, state.trustedTime + time)
    state.candidateTime = select(
      isSame, state.candidateTime + turnedTime, max(0, state.candidateTime - 3 * time))
    let isNew = isElsewhere && !isSame && time > 0 && state.candidateTime <= 0
    state.candidateField.x = select(isNew, mean.x, state.candidateField.x)
    state.candidateField.y = select(isNew, mean.y, state.candidateField.y)
    state.candidateField.z = select(isNew, mean.z, state.candidateField.z)
  }

  /// (20 °/s)², as VQF demands before it takes a field for that of the earth.
  private static var candidateSquaredRate: Real { 0.122 }

  /// The candidate becomes the known field.
  private mutating func adoptCandidate(where condition: Mask) {
    let field = state.candidateField
    state.fieldNorth = select(condition, (field.x * field.x + field.y * field.y).squareRoot(), state.fieldNorth)
    state.fieldDown = select(condition, -field.z, state.fieldDown)
    let variance = coefficients.fieldDeviation * coefficients.fieldDeviation
    state.covariance.isolate(ErrorIndex.field, variance: variance, where: condition)
    state.covariance.isolate(ErrorIndex.field + 1, variance: variance, where: condition)
    state.candidateTime = select(condition, 0, state.candidateTime)
    state.trustedTime = select(condition, 0, state.trustedTime)
  }

  /// Admits that the heading may be wrong by `error`, and that the hard iron was made up to explain it.
  private mutating func reopenHeading(_ error: Real, where condition: Mask) {
    let variance = max(state.covariance[ErrorIndex.heading, ErrorIndex.heading], error * error)
    state.covariance.isolate(ErrorIndex.heading, variance: variance, where: condition)
    resetHardIron(where: condition)
    state.fieldMisfit = select(condition, 0, state.fieldMisfit)
  }

  mutating func resetHardIron(where condition: Mask) {
    func kept(_ x: Real) -> Real { select(condition, 0, x) }
    let iron = state.hardIron
    state.hardIron = Vector3(x: kept(iron.x), y: kept(iron.y), z: kept(iron.z))
    let deviation = max(coefficients.hardIronDeviation, state.hardIronDeviation * state.fieldScale)
    for i in 0..<3 {
      state.covariance.isolate(ErrorIndex.hardIron + i, variance: deviation * deviation, where: condition)
    }
  }
}
