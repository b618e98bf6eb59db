// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// Rest, and what it says about the bias of the gyroscope. Documentation/Filter.md 6.4 and 7.
extension OrientationFilter {
  /// Decides whether stillness is rest.
  ///
  /// A steady turn looks still to a gyroscope, and about the vertical to the accelerometer, too. Only the size tells: a
  /// reading far from what is known of the bias is a turn, unless the sensor has shown by its other axes that its bias is
  /// of that size.
  mutating func updateRest() {
    guard state.rest.stillTime >= coefficients.restDuration else {
      // The settings may have changed during a rest.
      state.rest.isAtRest = false
      return
    }
    let offset = state.corrected(state.rest.meanRate)
    let force = state.rest.meanForce
    let length = force.dot(force).squareRoot()
    guard length > 0 else { return }
    let up = force / length
    let vertical = offset.dot(up)
    let horizontal = (offset - up * vertical)
    let tilting = horizontal.dot(horizontal).squareRoot()
    let turning = abs(vertical)
    let known = restTolerance
    if turning <= known, tilting <= known {
      state.rest.isAtRest = true
      state.rest.showsNewBias = false
      return
    }
    // Before the first rest the velocity may have shown a part of the bias already.
    let read = state.knowsBias ? offset : state.rest.meanRate
    let across = read - up * read.dot(up)
    let isTurnUnlikely =
      turning <= known || across.dot(across) > 0.25 * turning * turning
      || (state.rest.quietTime > Constant.longQuiet && turning < Constant.largestBiasStep)
    let largest = coefficients.largestGyroscopeBias
    // A known bias does not creep to another value: it jumps, and stays there.
    let mayBeNew = !state.knowsBias || state.rest.steadyTime >= coefficients.restDuration
    state.rest.isAtRest = mayBeNew && isTurnUnlikely && tilting <= largest && turning <= largest
    state.rest.showsNewBias = state.rest.isAtRest
  }

  /// How far the mean rate of a rest may be from the known bias, rad/s.
  private var restTolerance: Real {
    mutating get {
      guard state.knowsBias else { return Constant.largestCalibratedBias }
      var variance: Real = 0
      for i in ErrorIndex.bias..<ErrorIndex.bias + 3 { variance = max(variance, state.covariance.element(i, i)) }
      return min(Constant.largestCalibratedBias, coefficients.restBiasTolerance + 5 * variance.squareRoot())
    }
  }

  /// Of the mean rate at rest, (rad/s)²·s.
  var restRateVariance: Real { coefficients.restRateVariance + coefficients.restSpreadTime * state.rest.spread }

  /// At rest the gyroscope reads its bias: 0 = (1 + M) reading − b.
  mutating func measureRest() {
    let isNew = !state.knowsBias || state.rest.showsNewBias
    state.knowsBias = true
    let noise = restRateVariance / state.sums.duration
    // What turns more slowly than this looks like a bias: its angle grows in proportion to the time, not to the root.
    state.covariance.add(
      2 * coefficients.unseenRateVariance * state.rest.stillTime * state.sums.duration, to: ErrorIndex.heading)
    let mean = state.rest.meanRate
    for axis in 0..<3 {
      var measurement = ScalarMeasurement(ErrorIndex.bias + axis, -1)
      let row = ErrorIndex.matrix + 3 * axis
      measurement.append(from: row, mean.x, mean.y, mean.z)
      let offset = state.corrected(mean)
      let y = -(axis == 0 ? offset.x : axis == 1 ? offset.y : offset.z)
      let variance = state.covariance.element(ErrorIndex.bias + axis, ErrorIndex.bias + axis)
      if isNew, y * y > 9 * (variance + noise) {
        // It has turned the attitude meanwhile; what the velocity showed of that was no motion.
        state.covariance.add(y * y, to: ErrorIndex.bias + axis)
        let turn = (axis == 0 ? state.axes.x : axis == 1 ? state.axes.y : state.axes.z) * (y * state.rest.stillTime)
        for i in 0..<3 { state.covariance.add(turn[i] * turn[i], to: i) }
        resetVelocity()
      }
      correct(measurement, innovation: y, noise: noise)
    }
  }
}
