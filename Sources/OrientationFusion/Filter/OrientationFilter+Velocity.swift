// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The measurement that levels: over seconds a device does not travel, so its horizontal velocity is near zero. Vehicles
// do travel. What no known error explains of the velocity is then its own noise, as for the field: a gyroscope whose
// bias is known carries the inclination through the curve. Documentation/Filter.md 6.2 and 6.3.
extension OrientationFilter {
  mutating func measureVelocity() {
    let time = state.sums.duration
    updateRecentAcceleration(time: time)
    let moving =
      coefficients.velocityVariance + coefficients.velocityVariancePerAcceleration * state.recentAcceleration
    let own = (state.rest.isAtRest ? coefficients.restVelocityVariance : moving) / time
    let up = RealVector<Device>(x: state.axes.x.z, y: state.axes.y.z, z: state.axes.z.z)
    updateTilting(up, time: time)
    let isHandled = state.squaredTiltingRate > Self.squaredHandRate
    let unexplained = unexplainedVelocity(noise: own)
    let travel = vehicleShare(of: unexplained, up: up, isHandled: isHandled)
    checkContradiction(isHandled && unexplained > travel, time: time)
    state.travelTime =
      travel > 0 && !state.rest.isAtRest ? coefficients.travelHold : max(0, state.travelTime - time)
    let noise = own + travel * coefficients.travelResidualTime / time
    state.velocityNoise = noise

    // Without a magnetometer nothing measures the azimuth. What is learned now about the bias must not turn it for the
    // past.
    var considered: ConsiderStates = state.hasHeading ? [] : .heading
    if state.travelTime > 0 { considered.formUnion(state.knowsBias ? .matrix : [.bias, .matrix]) }
    // The inclination shows the bias about the vertical only once the device has been tilted: in a car it never is.
    let withheld = WithheldBias(
      share: state.knowsBias ? Self.withheldBiasShare : 0, vertical: isSteady ? up : nil)
    let (east, north) = (ErrorIndex.velocity, ErrorIndex.velocity + 1)
    correct(
      ScalarMeasurement(east, 1), innovation: -state.velocityEast, noise: noise, considering: considered,
      withholding: withheld)
    correct(
      ScalarMeasurement(north, 1), innovation: -state.velocityNorth, noise: noise, considering: considered,
      withholding: withheld)
  }

  /// Once a rest has measured the bias, this share of what the velocity says of it is not followed: hands and cars
  /// accelerate for longer than the noise of a velocity is assumed to last.
  private static var withheldBiasShare: Real { 0.6 }
  /// Seconds of the mean of "up" in the device, and the square of its length above which the device has hardly been
  /// tilted (10° on average).
  private static var tiltMemory: Real { 10 }
  private static var largestSteadiness: Real { 0.97 }

  /// Whether the device has hardly been tilted for some seconds.
  var isSteady: Bool { state.meanUp.dot(state.meanUp) >= Self.largestSteadiness }

  /// The squared acceleration: it rises at once, and falls slowly.
  private mutating func updateRecentAcceleration(time: Real) {
    var acceleration = RealVector<EastNorthUp>(state.sums.velocity / state.sums.velocityDuration)
    acceleration.z -= Real(standardGravity)
    let square = acceleration.dot(acceleration)
    let share = SampleTime.share(of: time, constant: coefficients.accelerationSmoothing)
    state.recentAcceleration = max(square, state.recentAcceleration + share * (square - state.recentAcceleration))
  }

  /// How much the device is tilted, and how fast.
  private mutating func updateTilting(_ up: RealVector<Device>, time: Real) {
    let share = SampleTime.share(of: time, constant: Self.tiltMemory)
    state.meanUp += (up - state.meanUp) * share
    let rate = RealVector<Device>(state.pose.rate)
    let vertical = rate.dot(up)
    state.squaredTiltingRate += (rate.dot(rate) - vertical * vertical - state.squaredTiltingRate) * share
  }

  // MARK: Vehicles

  /// The square of the velocity, (m/s)², that neither the errors nor the noise of a hand explain.
  private mutating func unexplainedVelocity(noise: Real) -> Real {
    let (east, north) = (ErrorIndex.velocity, ErrorIndex.velocity + 1)
    let explained = state.covariance.element(east, east) + state.covariance.element(north, north) + 2 * noise
    let square = state.velocityEast * state.velocityEast + state.velocityNorth * state.velocityNorth
    return max(0, square - coefficients.travelFactor * explained)
  }

  /// What of it is a vehicle's.
  ///
  /// A wrong bias looks like a vehicle: it tilts, and a tilt looks like an acceleration. While the bias is unknown, or
  /// the device is turned about in a hand, only the strength of the specific force counts, which an acceleration
  /// lengthens and a tilt does not.
  private mutating func vehicleShare(of unexplained: Real, up: RealVector<Device>, isHandled: Bool) -> Real {
    let mean = state.upright.means[1]
    let strength = mean.dot(mean).squareRoot()
    if state.rest.isAtRest {
      state.gravityStrength +=
        SampleTime.share(of: state.sums.duration, constant: 3) * (strength - state.gravityStrength)
    }
    let lean = (mean.x * mean.x + mean.y * mean.y).squareRoot()
    guard state.upright.searchTime == 0, state.travelTime > 0 || lean > Self.smallestVehicleAcceleration else {
      return 0
    }
    guard unexplained > 0, isHandled || !state.knowsBias else { return unexplained }
    let horizontal = state.covariance.biasVariance(acrossX: up.x, up.y, up.z)
    guard isHandled || horizontal > Self.knownBiasVariance else { return unexplained }
    let excess = max(0, strength - state.gravityStrength - Self.strengthError)
    return min(unexplained, 2 * Real(standardGravity) * excess * Self.strengthTime * Self.strengthTime)
  }

  /// A velocity that neither a known error nor a vehicle explains comes from an error of the gyroscope that counts as
  /// excluded: when it lasts, inclination, bias and matrix are opened.
  private mutating func checkContradiction(_ isContradiction: Bool, time: Real) {
    state.contradictionTime = max(0, state.contradictionTime + (isContradiction ? time : -time))
    guard state.contradictionTime > Self.longestContradiction else { return }
    state.contradictionTime = 0
    let mean = state.upright.means[1]
    let angle = Scalar.atan2((mean.x * mean.x + mean.y * mean.y).squareRoot(), max(mean.z, 1))
    for i in ErrorIndex.matrix..<ErrorIndex.delay {
      let deviation =
        (i - ErrorIndex.matrix) % 4 == 0
        ? parameters.gyroscopeScaleDeviation : parameters.gyroscopeMisalignmentDeviation
      state.covariance.reset(i, variance: max(state.covariance.element(i, i), Real(deviation * deviation)))
    }
    guard angle > Self.smallestContradiction else { return }
    openInclination(angle, rate: angle / UprightCheck.times[1])
  }

  /// A device that tilts by more than 0.7 rad/s, root mean square, is in a hand or on a body that moves for itself.
  private static var squaredHandRate: Real { 0.49 }
  /// Seconds of a contradiction, and the angle, rad, between the mean force and up from which it is one of inclination
  /// and bias.
  private static var longestContradiction: Real { 5 }
  private static var smallestContradiction: Real { 0.07 }
  /// Two axes of 0.15 °/s: a bias that is known better is known.
  private static var knownBiasVariance: Real { 1.371e-5 }
  /// A mean horizontal force over some seconds below this, m/s², is no vehicle that pulls away.
  private static var smallestVehicleAcceleration: Real { 0.4 }
  /// What an accelerometer reads wrong, m/s², and the seconds of the mean strength.
  private static var strengthError: Real { 0.06 }
  private static var strengthTime: Real { 4 }
}
