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

  mutating func measureField() {
    let time = min(state.fieldAge, 1)
    state.fieldAge = 0
    guard time > 0 else { return }
    var equations = fieldEquations()
    let noise = coefficients.fieldVariance / time
    let innovation = fieldInnovation(equations)
    // The disturbance is what the errors cannot explain. It has no preferred direction: what shows in strength and dip is in
    // the heading as well, so the three equations share it.
    let east = state.covariance.explainedVariance(equations.east)
    let dip =
      state.covariance.explainedVariance(equations.north) + state.covariance.explainedVariance(equations.up)
    noteMisfit(innovation, expected: 2 * noise + dip, time: time)
    var disturbance = max(0, innovation.dot(innovation) - east - dip) * parameters.fieldResidualTime / time
    if let error = headingToReopen(equations.mean, time: time) {
      reopenHeading(error)
      disturbance = 0
      if abs(error) > 0.5 {
        state.pose.quaternion =
          Quaternion(turn: Vector3<EastNorthUp>(x: 0, y: 0, z: 0.2 * error)) * state.pose.quaternion
        return
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
      let turn = correct(measurement, innovation: y, noise: noise + disturbance, sparing: .inclination)
      // The attitude has turned, and with it the field that was measured.
      equations.mean += turn.cross(equations.mean)
    }
  }

  private mutating func fieldEquations() -> FieldEquations {
    let count = Double(state.sums.fieldCount)
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

  private static func append(row: Vector3<Device>, slope: Double, to measurement: inout ScalarMeasurement) {
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
  private mutating func noteMisfit(_ innovation: Vector3<EastNorthUp>, expected: Double, time: Double) {
    let unexplained = max(0, innovation.y * innovation.y + innovation.z * innovation.z - expected)
    let share = SampleTime.share(of: time, constant: parameters.hardIronExcitationSmoothing)
    state.fieldMisfit += share * (unexplained - state.fieldMisfit)
  }

  /// The heading error in rad when the field has pointed elsewhere for long enough, else nil.
  private mutating func headingToReopen(_ mean: Vector3<EastNorthUp>, time: Double) -> Double? {
    let strength = (mean.x * mean.x + mean.y * mean.y).squareRoot() - state.fieldNorth
    let dip = mean.z + state.fieldDown
    let known = state.fieldNorth * state.fieldNorth + state.fieldDown * state.fieldDown
    let limit = parameters.fieldConsistency * parameters.fieldConsistency
    let isConsistent = strength * strength + dip * dip < limit * known
    // |atan2(x, y)| beyond the angle, without the arc tangent.
    let isElsewhere = abs(mean.x) > coefficients.disturbanceTangent * mean.y

    if isElsewhere && isConsistent {
      state.consistentTime += time
    } else {
      state.consistentTime = max(0, state.consistentTime - (isElsewhere ? time : 3 * time))
    }
    state.disturbedTime = isElsewhere ? state.disturbedTime + time : max(0, state.disturbedTime - 2 * time)
    weighCandidate(mean, isElsewhere: isElsewhere, limit: limit, time: time)
    guard isElsewhere else { return nil }
    let isDue =
      (isConsistent && state.consistentTime > parameters.consistencyTime)
      || state.disturbedTime > parameters.disturbanceTime
    if isDue { return Scalar.atan2(mean.x, mean.y) }
    guard state.candidateTime > max(parameters.consistencyTime, state.trustedTime) else { return nil }
    return adoptCandidate()
  }

  /// The first field of all may be the disturbed one: near iron at the start, strength and dip are known wrongly too, and the
  /// true field then looks inconsistent. So a field in another direction is a candidate of its own: it has to stay the same
  /// vector in the world while the device turns, and for longer than the known one did.
  private mutating func weighCandidate(
    _ mean: Vector3<EastNorthUp>, isElsewhere: Bool, limit: Double, time: Double
  ) {
    guard isElsewhere else {
      state.trustedTime += time
      state.candidateTime = max(0, state.candidateTime - 3 * time)
      return
    }
    let difference = mean - state.candidateField
    guard difference.dot(difference) < limit * state.candidateField.dot(state.candidateField) else {
      state.candidateTime -= 3 * time
      if state.candidateTime <= 0 { (state.candidateField, state.candidateTime) = (mean, 0) }
      return
    }
    state.candidateField += difference * SampleTime.share(of: time, constant: parameters.candidateSmoothing)
    // A device that lies still sees the same field also beside a magnet.
    let rate = Vector3<Device>(state.pose.rate)
    if rate.dot(rate) > Self.candidateSquaredRate { state.candidateTime += time }
  }

  /// (20 °/s)², as VQF demands before it takes a field for that of the earth.
  private static var candidateSquaredRate: Double { 0.122 }

  /// The candidate becomes the known field; returns the heading error that it shows.
  private mutating func adoptCandidate() -> Double {
    let field = state.candidateField
    state.fieldNorth = Scalar.hypot(field.x, field.y)
    state.fieldDown = -field.z
    let variance = parameters.fieldDeviation * parameters.fieldDeviation
    state.covariance.isolate(ErrorIndex.field, variance: variance)
    state.covariance.isolate(ErrorIndex.field + 1, variance: variance)
    (state.candidateTime, state.trustedTime) = (0, 0)
    return Scalar.atan2(field.x, field.y)
  }

  /// Admits that the heading may be wrong by `error`, and that the hard iron was made up to explain it.
  private mutating func reopenHeading(_ error: Double) {
    let variance = max(state.covariance[ErrorIndex.heading, ErrorIndex.heading], error * error)
    state.covariance.isolate(ErrorIndex.heading, variance: variance)
    resetHardIron()
    state.fieldMisfit = 0
  }
}
