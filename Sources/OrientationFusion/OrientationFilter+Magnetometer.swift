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
    magneticField reading: MotionMath.Vector3<Device>, hardIronDeviation: Double, atNanoseconds time: Int64
  ) {
    guard usesMagnetometer, Plausible.accepts(reading, limit: Plausible.magneticField),
      hardIronDeviation >= 0, hardIronDeviation <= Plausible.magneticField
    else { return }
    if let previous = state.magneticFieldTime {
      let interval = SampleTime.seconds(from: previous, to: time)
      guard interval > 0 || interval < -1 else { return }
    }
    state.magneticFieldTime = time
    guard !state.needsLevelling, let age = ageOfAttitude(atNanoseconds: time) else { return }
    if state.hasHeading { noteHardIronDeviation(Real(hardIronDeviation)) }
    let field = Vector3<Device>(x: Real(reading.x), y: Real(reading.y), z: Real(reading.z))
    guard state.hasHeading else {
      let seen = Self.turned(field, by: Vector3<Device>(state.pose.rate) * age)
      fixHeading(
        MotionMath.Vector3(x: Double(seen.x), y: Double(seen.y), z: Double(seen.z)),
        hardIronDeviation: hardIronDeviation)
      return
    }
    add(magneticField: field, age: age, count: 1)
  }

  /// Follows a change of what is known about the hard iron.
  private mutating func noteHardIronDeviation(_ deviation: Real) {
    let previous = state.hardIronDeviation
    guard deviation != previous else { return }
    let floor = coefficients.hardIronDeviation / state.fieldScale
    let (before, now) = (max(previous, floor), max(deviation, floor))
    guard deviation > previous || now < 0.5 * before else { return }
    state.hardIronDeviation = deviation
    if now < before {
      // The calibration took over what was left to this filter: its own hard iron, and the heading it led to, are void.
      let error = min(3, before * state.fieldScale / max(state.fieldNorth, 0.03))
      let heading = ErrorIndex.heading
      state.covariance.isolate(heading, variance: max(state.covariance[heading, heading], error * error))
      resetHardIron(where: true)
      state.noteDoubt()
      return
    }
    let added = (deviation * deviation - previous * previous) * state.fieldScale * state.fieldScale
    for i in ErrorIndex.hardIron..<ErrorIndex.hardIron + 3 { state.covariance[i, i] += added }
  }
}
