// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

// What the calibration of the magnetometer says to the filter. Documentation/Filter.md 6.7.
extension OrientationFilter {
  /// The calibration has changed by `change`, T: so much more of the readings is hard iron. `deviation` is its own, T.
  ///
  /// It has seen the same readings as the filter, and those of the time before. So each of its steps weighs little, and
  /// all of them together keep the filter's remainder near zero.
  package mutating func moveHardIron(by change: Vector3<Device>, deviation: Double) {
    state.calibrationChange += RealVector<Device>(change)
    guard state.hasHeading, change != .zero, deviation <= Plausible.magneticField else { return }
    state.hardIron += RealVector<Device>(change) * state.fieldScale
    let relative = max(coefficients.hardIronDeviation, Real(deviation) * state.fieldScale)
    measureHardIron(deviation: relative * coefficients.calibrationStepFactor)
  }

  /// The gyroscope's bias, rad/s, and whether a rest has shown it.
  ///
  /// Mutating, though nothing changes: a getter that another module calls is handed a copy of the filter, seven
  /// kilobytes.
  package mutating func knownGyroscopeBias() -> (bias: Vector3<Device>, isKnown: Bool) {
    (state.gyroscopeBias, state.knowsBias)
  }

  /// The calibration found another bias of the gyroscope, rad/s, from the turning of the field. Where the two
  /// contradict each other, this filter took a turn or an acceleration for a bias, or does not know the bias yet.
  package mutating func compareBias(with bias: Vector3<Device>, deviation: Double) {
    let error = RealVector<Device>(bias) - state.bias
    // A room and the gyroscope's scale pass for a bias of some tenths of a degree per second.
    let noise = max(Real(deviation * deviation), coefficients.fieldBiasVariance)
    let errors: InlineArray<3, Real> = [error.x, error.y, error.z]
    var contradicts = false
    for i in 0..<3 {
      let variance = state.covariance.element(ErrorIndex.bias + i, ErrorIndex.bias + i) + noise
      if errors[i] * errors[i] > coefficients.contradiction * variance { contradicts = true }
    }
    guard contradicts else { return }
    for i in 0..<3 {
      let index = ErrorIndex.bias + i
      state.covariance.add(errors[i] * errors[i], to: index)
      correct(ScalarMeasurement(index, 1), innovation: errors[i], noise: noise, considering: .inclination)
    }
  }

  /// The calibration says that no hard iron is left, within `deviation` (relative), where that is more than the filter
  /// knows.
  mutating func measureHardIron(deviation: Real) {
    let noise = deviation * deviation
    for (i, error) in [state.hardIron.x, state.hardIron.y, state.hardIron.z].enumerated() {
      let index = ErrorIndex.hardIron + i
      let variance = state.covariance.element(index, index)
      // A contradiction: what the filter took for iron and heading came from something else.
      if error * error > 9 * (variance + noise) {
        let turn = min(3, abs(error) / max(state.fieldNorth, 0.03))
        state.covariance.add(error * error, to: index)
        state.covariance.add(turn * turn, to: ErrorIndex.heading)
      }
    }
    for i in 0..<3 {
      let error = i == 0 ? state.hardIron.x : i == 1 ? state.hardIron.y : state.hardIron.z
      let index = ErrorIndex.hardIron + i
      guard state.covariance.element(index, index) > noise else { continue }
      correct(ScalarMeasurement(index, 1), innovation: -error, noise: noise, considering: .inclination)
    }
    state.updateReportedVariances()
  }

  /// The calibration begins again. A heading that a field has long agreed with is kept, another one is forgotten.
  package mutating func forgetUntrustedHeading() {
    guard state.hasHeading, state.trustedTime > coefficients.trustTime else { return resetHeading() }
    resetHardIron()
  }

  /// The calibration does not hold any more. What the heading came from was wrong, unless a field has long agreed with
  /// it.
  mutating func doubtHeading() {
    guard state.trustedTime <= coefficients.trustTime, state.doubt < 1 else { return }
    state.doubt = 1
    state.updateReportedVariances()
  }

  mutating func resetHardIron() {
    state.hardIron = .zero
    let deviation = max(coefficients.hardIronDeviation, state.hardIronDeviation * state.fieldScale)
    for i in 0..<3 { state.covariance.reset(ErrorIndex.hardIron + i, variance: deviation * deviation) }
  }
}
