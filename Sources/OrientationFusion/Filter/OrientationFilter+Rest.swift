// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// Rest, and what it says about the bias of the gyroscope. Documentation/Filter.md 6.4 and 7.
extension OrientationFilter {
  /// Decides whether stillness is rest.
  ///
  /// A steady turn looks still to a gyroscope. About a horizontal axis gravity would turn with it; about the vertical
  /// only the size tells: a reading far from what is known of the bias is a turn, unless the sensor has shown by its
  /// other axes that its bias is of that size.
  mutating func updateRest() {
    guard state.rest.stillTime >= coefficients.restDuration else { return }
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
    // Gravity has stayed where it was, which a turn about a horizontal axis would have moved.
    let expected = tilting * state.rest.timeSinceFirstForce
    let drift = (force - state.rest.firstForce) / length
    let isTiltingDenied = expected > Self.deniableTurn && drift.dot(drift) < 0.09 * expected * expected
    let isTurnUnlikely =
      turning <= known || tilting > 0.5 * turning
      || (state.rest.quietTime > Self.longQuiet && turning < Self.largestBiasStep)
    let largest = coefficients.largestGyroscopeBias
    state.rest.isAtRest =
      (isTiltingDenied || tilting <= known) && isTurnUnlikely && tilting <= largest && turning <= largest
    state.rest.showsNewBias = state.rest.isAtRest
  }

  /// How far the mean rate of a rest may be from the known bias, rad/s.
  private var restTolerance: Real {
    mutating get {
      guard state.knowsBias else { return Self.largestCalibratedBias }
      var variance: Real = 0
      for i in ErrorIndex.bias..<ErrorIndex.bias + 3 { variance = max(variance, state.covariance.element(i, i)) }
      return min(Self.largestCalibratedBias, coefficients.restBiasTolerance + 5 * variance.squareRoot())
    }
  }

  /// 1.5 °/s: more than the bias of a phone's gyroscope that its maker calibrates.
  private static var largestCalibratedBias: Real { 0.0262 }
  /// 2°: a turn that the accelerometer would have shown.
  private static var deniableTurn: Real { 0.035 }
  /// A device that lies for so long, s, does not turn: its bias has moved, by 2.5 °/s at most.
  private static var longQuiet: Real { 30 }
  private static var largestBiasStep: Real { 0.0436 }

  /// At rest the gyroscope reads its bias: 0 = (1 + M) reading − b.
  mutating func measureRest() {
    let isNew = !state.knowsBias || state.rest.showsNewBias
    state.knowsBias = true
    let noise = coefficients.restRateVariance / state.sums.duration
    let mean = state.rest.meanRate
    for axis in 0..<3 {
      var measurement = ScalarMeasurement(ErrorIndex.bias + axis, -1)
      let row = ErrorIndex.matrix + 3 * axis
      measurement.append(from: row, mean.x, mean.y, mean.z)
      let offset = state.corrected(mean)
      let y = -(axis == 0 ? offset.x : axis == 1 ? offset.y : offset.z)
      let variance = state.covariance.element(ErrorIndex.bias + axis, ErrorIndex.bias + axis)
      if isNew, y * y > 9 * (variance + noise) {
        // It has turned the azimuth meanwhile.
        state.covariance.add(y * y, to: ErrorIndex.bias + axis)
        let turn = y * (axis == 0 ? state.axes.x.z : axis == 1 ? state.axes.y.z : state.axes.z.z) * state.rest.stillTime
        state.covariance.add(turn * turn, to: ErrorIndex.heading)
      }
      correct(measurement, innovation: y, noise: noise)
    }
  }
}
