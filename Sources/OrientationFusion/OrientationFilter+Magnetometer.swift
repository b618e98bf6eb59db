// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// Takes in a reading of the magnetometer: tesla along the device's axes, hard iron removed as far as it is known.
  ///
  /// `hardIronDeviation` is one standard deviation, in tesla, of the hard iron that remains, as the calibration states it.
  /// When it grows, the filter trusts the field less; when it falls below a half, the field is understood to have jumped,
  /// and the azimuth is fixed anew. A filter without magnetometer ignores the reading.
  public mutating func update(
    magneticField field: Vector3<Device>, hardIronDeviation: Double, atNanoseconds time: Int64
  ) {
    guard usesMagnetometer, Plausible.accepts(field, limit: Plausible.magneticField),
      hardIronDeviation >= 0, hardIronDeviation <= Plausible.magneticField
    else { return }
    if let previous = state.magneticFieldTime {
      let interval = SampleTime.seconds(from: previous, to: time)
      guard interval > 0 || interval < -1 else { return }
    }
    state.magneticFieldTime = time
    guard !state.needsLevelling, let pose = pose(atNanoseconds: time) else { return }
    if state.hasHeading { noteHardIronDeviation(hardIronDeviation) }
    guard state.hasHeading else {
      fixHeading(field, hardIronDeviation: hardIronDeviation, pose: pose)
      return
    }

    // The reading shows the field of `delay` seconds ago, when the device was turned back by rate · delay.
    let rate = state.angularVelocity
    let delay = state.magnetometerDelay
    let slope = rate.cross(field)
    let curvature = rate.cross(slope)
    let delayFree = field - slope * delay + curvature * (0.5 * delay * delay)
    state.sums.field += pose * delayFree
    state.sums.fieldSlope += pose * (slope - curvature * delay)
    state.sums.fieldRotation = state.sums.fieldRotation + pose.matrix
    state.sums.fieldCount += 1
  }

  /// Follows a change of what is known about the hard iron.
  private mutating func noteHardIronDeviation(_ deviation: Double) {
    let previous = state.hardIronDeviation
    let floor = parameters.hardIronDeviation / state.fieldScale
    if max(deviation, floor) < 0.5 * max(previous, floor) {
      forgetHeading()
    } else if deviation > previous {
      let scale = state.fieldScale * state.fieldScale
      for i in 0..<3 {
        state.covariance[ErrorIndex.hardIron + i, ErrorIndex.hardIron + i] +=
          (deviation * deviation - previous * previous) * scale
      }
      state.hardIronDeviation = deviation
    }
  }
}
