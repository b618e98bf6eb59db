// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

// What the magnetometer does to the filter: it turns the output to north, and what it shows of the azimuth's drift is an
// error of the gyroscope. It never moves the inclination. Documentation/Filter.md 8.
extension OrientationFilter {
  mutating func measureField() {
    state.fieldAge += Float(state.sums.duration)
    guard state.sums.fieldCount > 0 else { return }
    let time = min(state.fieldAge, 1)
    state.fieldAge = 0
    let scale = 1 / (Real(Constant.Field.unit) * state.sums.fieldCount)
    let (field, rate) = (state.sums.field * scale, state.sums.fieldRate * (1 / state.sums.fieldCount))
    let r = state.sums.fieldRotation * (1 / state.sums.fieldCount)
    var block = FieldModel.Block(
      field: SIMD3(Float(field.x), Float(field.y), Float(field.z)),
      rate: SIMD3(Float(rate.x), Float(rate.y), Float(rate.z)), time: time,
      tiltVariance: 0.5 * (state.bank.covariance(0, 0) + state.bank.covariance(1, 1)))
    for i in 0..<3 { block.rotation[i] = SIMD3(Float(r.x[i]), Float(r.y[i]), Float(r.z[i])) }
    let (turn, variance) = state.heading.update(block)
    guard usesMagnetometer else { return }
    state.bank.measureAzimuth(turn, variance: variance)
  }

  /// The magnetism of the device itself, as far as it is known.
  ///
  /// Mutating, as the two below, though nothing changes: a read from another module copies the filter first.
  public var magnetometerCalibration: MagnetometerCalibration { mutating get { state.heading.calibration } }

  /// True while the field points elsewhere, by more than 15°.
  package var isFieldDisturbed: Bool { mutating get { state.heading.isDisturbed } }

  /// The variance of each axis of the bias, (rad/s)².
  package var gyroscopeBiasVariance: Vector3<Device> {
    mutating get {
      let i = ErrorIndex.bias
      return Vector3(
        x: Double(state.bank.covariance(i, i)), y: Double(state.bank.covariance(i + 1, i + 1)),
        z: Double(state.bank.covariance(i + 2, i + 2)))
    }
  }
}
