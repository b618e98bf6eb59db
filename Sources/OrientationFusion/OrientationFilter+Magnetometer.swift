// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// Takes in a reading of the magnetometer: tesla along the device's axes, hard iron removed as far as it is known.
  ///
  /// `hardIronDeviation` is one standard deviation, in tesla, of the hard iron that remains, as the calibration states it.
  /// When it grows, the filter trusts the field less; when it falls below a half, the calibration is understood to have
  /// improved, and the heading is opened as far as the old one could have misled it. An infinite deviation says that the
  /// field means nothing yet: the reading is ignored. A filter without magnetometer ignores all.
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
    guard !state.needsLevelling, let age = ageOfAttitude(atNanoseconds: time) else { return }
    if state.hasHeading { noteHardIronDeviation(hardIronDeviation) }
    guard state.hasHeading else {
      fixHeading(
        Self.turned(field, by: Vector3<Device>(state.pose.rate) * age), hardIronDeviation: hardIronDeviation)
      return
    }

    // The reading shows the field of `delay` seconds ago, when the device was turned back by rate · delay.
    let shift = age - state.magnetometerDelay
    let rate = Vector3<Device>(state.pose.rate)
    let r = state.axes
    let slope = rate.cross(field)
    let curvature = rate.cross(slope)
    let delayFree = field + slope * shift + curvature * (0.5 * shift * shift)
    state.sums.field += r * delayFree
    state.sums.fieldSlope += r * (slope + curvature * shift)
    state.sums.fieldRotation = state.sums.fieldRotation + r
    state.sums.fieldCount += 1
  }

  /// Follows a change of what is known about the hard iron.
  private mutating func noteHardIronDeviation(_ deviation: Double) {
    let previous = state.hardIronDeviation
    guard deviation != previous else { return }
    let floor = parameters.hardIronDeviation / state.fieldScale
    let (before, now) = (max(previous, floor), max(deviation, floor))
    guard deviation > previous || now < 0.5 * before else { return }
    state.hardIronDeviation = deviation
    if now < before {
      // The calibration took over what was left to this filter: its own hard iron, and the heading it led to, are void.
      let error = min(3, before * state.fieldScale / max(state.fieldNorth, 0.03))
      let heading = ErrorIndex.heading
      state.covariance.isolate(heading, variance: max(state.covariance[heading, heading], error * error))
      resetHardIron()
      state.noteDoubt()
      return
    }
    let added = (deviation * deviation - previous * previous) * state.fieldScale * state.fieldScale
    for i in ErrorIndex.hardIron..<ErrorIndex.hardIron + 3 { state.covariance[i, i] += added }
  }
}
