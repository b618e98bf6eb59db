// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The field as a measurement: it corrects the heading, and itself.
//
// Indoors no magnetometer is to be trusted blindly. Three guards stand here. A residual is its own noise, so a field that
// points elsewhere weighs little. A field of the wrong strength or dip opens the hard iron, which then takes the blame. And
// the field never moves inclination. The price: a heading that is truly wrong would never be mended, so a field that has
// been consistent in another direction for long enough re-opens the heading.
extension OrientationFilter {
  /// The three equations "east, north, up component of the field" of one block, in units of the field.
  private struct FieldEquations {
    var mean: Vector3<EastNorthUp>
    var rotation: Matrix3
    var east: ScalarMeasurement
    var north: ScalarMeasurement
    var up: ScalarMeasurement
  }

  mutating func measureField(_ sums: BlockSums) {
    let time = min(state.fieldAge, 1)
    state.fieldAge = 0
    guard time > 0 else { return }
    var equations = fieldEquations(sums)
    let noise = coefficients.fieldVariance / time
    let innovation = fieldInnovation(equations)
    noteMisfit(innovation, equations, noise: noise, time: time)

    var ownNoise = parameters.fieldResidualTime / time
    if let error = headingToReopen(equations.mean, time: time) {
      reopenHeading(error)
      ownNoise = 0
      if abs(error) > 0.5 {
        state.attitude = state.attitude.map { Rotation<EastNorthUp, EastNorthUp>(aboutZ: 0.2 * error) * $0 }
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
      let turn = correct(measurement, innovation: y, noise: noise + ownNoise * y * y, sparesInclination: true)
      // The attitude has turned, and with it the field that was measured.
      equations.mean += turn.cross(equations.mean)
    }
  }

  private func fieldEquations(_ sums: BlockSums) -> FieldEquations {
    let count = Double(sums.fieldCount)
    let scale = state.fieldScale / count
    let slope = sums.fieldSlope * scale
    let r = sums.fieldRotation * (1 / count)
    // A turn θ of the attitude moves the expected field (0, north, −down) by θ × field.
    var east = ScalarMeasurement(1, state.fieldDown)
    east.append(ErrorIndex.heading, state.fieldNorth)
    append(row: Vector3(x: r.m11, y: r.m12, z: r.m13), slope: slope.x, to: &east)
    var north = ScalarMeasurement(0, -state.fieldDown)
    north.append(ErrorIndex.field, 1)
    append(row: Vector3(x: r.m21, y: r.m22, z: r.m23), slope: slope.y, to: &north)
    var up = ScalarMeasurement(0, -state.fieldNorth)
    up.append(ErrorIndex.field + 1, -1)
    append(row: Vector3(x: r.m31, y: r.m32, z: r.m33), slope: slope.z, to: &up)
    return FieldEquations(mean: sums.field * scale, rotation: r, east: east, north: north, up: up)
  }

  private func append(row: Vector3<Device>, slope: Double, to measurement: inout ScalarMeasurement) {
    measurement.append(ErrorIndex.hardIron, row.x)
    measurement.append(ErrorIndex.hardIron + 1, row.y)
    measurement.append(ErrorIndex.hardIron + 2, row.z)
    measurement.append(ErrorIndex.delay, slope)
  }

  /// Measured minus expected field, in units of the field.
  private func fieldInnovation(_ equations: FieldEquations) -> Vector3<EastNorthUp> {
    let iron = (equations.rotation * state.hardIron).relabeled(to: EastNorthUp.self)
    return equations.mean - iron - Vector3(x: 0, y: state.fieldNorth, z: -state.fieldDown)
  }

  /// Strength and dip do not depend on the heading: a misfit there beyond the expected one tells of new iron.
  private mutating func noteMisfit(
    _ innovation: Vector3<EastNorthUp>, _ equations: FieldEquations, noise: Double, time: Double
  ) {
    let expected =
      2 * noise + state.covariance.explainedVariance(equations.north)
      + state.covariance.explainedVariance(equations.up)
    let unexplained = max(0, innovation.y * innovation.y + innovation.z * innovation.z - expected)
    let share = 1 - Scalar.exp(-time / parameters.hardIronExcitationSmoothing)
    state.fieldMisfit += share * (unexplained - state.fieldMisfit)
  }

  /// The heading error in rad when the field has pointed elsewhere for long enough, else nil.
  private mutating func headingToReopen(_ mean: Vector3<EastNorthUp>, time: Double) -> Double? {
    let error = Scalar.atan2(mean.x, mean.y)
    let strength = Scalar.hypot(mean.x, mean.y) - state.fieldNorth
    let dip = mean.z + state.fieldDown
    let known = state.fieldNorth * state.fieldNorth + state.fieldDown * state.fieldDown
    let limit = parameters.fieldConsistency * parameters.fieldConsistency * known
    let isConsistent = strength * strength + dip * dip < limit
    let isElsewhere = abs(error) > parameters.disturbanceAngle

    if isElsewhere && isConsistent {
      state.consistentTime += time
    } else {
      state.consistentTime = max(0, state.consistentTime - (isElsewhere ? time : 3 * time))
    }
    state.disturbedTime = isElsewhere ? state.disturbedTime + time : max(0, state.disturbedTime - 2 * time)
    let isDue =
      (isConsistent && state.consistentTime > parameters.consistencyTime)
      || state.disturbedTime > parameters.disturbanceTime
    return isElsewhere && isDue ? error : nil
  }

  /// Admits that the heading may be wrong by `error`, and that the hard iron was made up to explain it.
  private mutating func reopenHeading(_ error: Double) {
    let variance = max(state.covariance[ErrorIndex.heading, ErrorIndex.heading], error * error)
    state.covariance.isolate(ErrorIndex.heading, variance: variance)
    resetHardIron()
    state.fieldMisfit = 0
  }
}
