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

  /// The calibration says that no hard iron is left, within `deviation` (relative), where that is more than the filter
  /// knows.
  mutating func measureHardIron(deviation: Real) {
    let noise = deviation * deviation
    for i in 0..<3 {
      let error = i == 0 ? state.hardIron.x : i == 1 ? state.hardIron.y : state.hardIron.z
      let index = ErrorIndex.hardIron + i
      guard state.covariance.element(index, index) > noise else { continue }
      correct(ScalarMeasurement(index, 1), innovation: -error, noise: noise, considering: .inclination)
    }
    state.updateReportedVariances()
  }

  /// The calibration does not hold any more. What the heading came from was wrong, unless a field has long agreed with
  /// it.
  mutating func doubtHeading() {
    guard state.trustedTime <= coefficients.trustTime, state.doubtfulTurn < 1 else { return }
    (state.headingTurn, state.explainedTurn) = (1, 0)
    (state.headingAge, state.trustedTime) = (0, -coefficients.consistencyTime)
    state.updateReportedVariances()
  }

  mutating func resetHardIron() {
    state.hardIron = .zero
    let deviation = max(coefficients.hardIronDeviation, state.hardIronDeviation * state.fieldScale)
    for i in 0..<3 { state.covariance.reset(ErrorIndex.hardIron + i, variance: deviation * deviation) }
  }
}
