// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The measurement that levels: over seconds a device does not travel, so its horizontal velocity is near zero. How near,
// the data say: a hand moves by decimetres per second, a pedestrian or a wave by metres, a car by tens of them. What the
// errors do not explain of the velocity is its noise, whose strength is estimated beside the state. So a gyroscope whose
// bias is known carries the inclination through a curve, and no rule has to know what a vehicle is.
// Documentation/Filter.md 6.2 and 6.3.
extension OrientationFilter {
  mutating func measureVelocity() {
    let time = state.sums.duration
    let up = RealVector<Device>(x: state.axes.x.z, y: state.axes.y.z, z: state.axes.z.z)
    updateRecentAcceleration(time: time)
    if state.meanUp.dot(state.meanUp) == 0 { state.meanUp = up }
    state.meanUp += (up - state.meanUp) * SampleTime.share(of: time, constant: coefficients.tiltMemory)
    let usual =
      state.rest.isAtRest
      ? coefficients.restVelocityVariance
      : coefficients.velocityVariance + coefficients.velocityVariancePerAcceleration * state.recentAcceleration
        + coefficients.velocityVariancePerSteadyRate * state.meanRate.dot(state.meanRate)
    let noise = max(usual, state.velocityDensity) / time
    state.velocityNoise = noise

    let (east, north) = (ErrorIndex.velocity, ErrorIndex.velocity + 1)
    let explained = state.covariance.element(east, east) + state.covariance.element(north, north)
    // Without a magnetometer nothing measures the azimuth. What is learned now about the bias must not turn it for the
    // past.
    let considered: ConsiderStates = state.hasHeading ? [] : .heading
    // The inclination shows the bias about the vertical only once the device has been tilted: in a car it never is.
    let withheld = WithheldBias(share: coefficients.withheldBiasShare, vertical: isSteady ? up : nil)
    correct(
      ScalarMeasurement(east, 1), innovation: -state.velocityEast, noise: noise, considering: considered,
      withholding: withheld)
    correct(
      ScalarMeasurement(north, 1), innovation: -state.velocityNorth, noise: noise, considering: considered,
      withholding: withheld)
    updateVelocityDensity(explained: explained, time: time)
    updateAccelerometerVariance(time: time)
  }

  /// Whether the device has hardly been tilted for some seconds.
  var isSteady: Bool { state.meanUp.dot(state.meanUp) >= coefficients.largestSteadiness }

  /// The squared acceleration: it rises at once, and falls slowly.
  private mutating func updateRecentAcceleration(time: Real) {
    var acceleration = RealVector<EastNorthUp>(state.sums.velocity / state.sums.velocityDuration)
    acceleration.z -= Real(standardGravity)
    let square = acceleration.dot(acceleration)
    let share = SampleTime.share(of: time, constant: coefficients.accelerationSmoothing)
    state.recentAcceleration = max(square, state.recentAcceleration + share * (square - state.recentAcceleration))
  }

  /// The spectral density of the velocity, (m/s)²·s, from what is left of it after the correction.
  ///
  /// With the remaining variance this is the step of variational Bayes for the noise of a measurement: Särkkä and
  /// Nummenmaa, "Recursive noise adaptive Kalman filtering by variational Bayesian approximations", IEEE Trans. Automatic
  /// Control 54(3), 2009. It takes the noise for white. A velocity that lasts has more density at low frequencies, which
  /// alone matter for the inclination: the low-passed residuals show that.
  private mutating func updateVelocityDensity(explained: Real, time: Real) {
    let (east, north) = (ErrorIndex.velocity, ErrorIndex.velocity + 1)
    let residual = RealVector<EastNorthUp>(x: state.velocityEast, y: state.velocityNorth, z: 0)
    let left =
      residual.dot(residual) + state.covariance.element(east, east)
      + state.covariance.element(north, north)
    let white = left * time

    let share = SampleTime.share(of: time, constant: coefficients.velocityCorrelationTime)
    state.velocityResidual += (residual - state.velocityResidual) * share
    let slow =
      max(0, state.velocityResidual.dot(state.velocityResidual) - explained) * coefficients.velocityCorrelationTime
    let lasting = lastingVelocity(residual, explained: explained, time: time) * coefficients.lastingVelocityTime
    state.velocityDensity +=
      SampleTime.share(of: time, constant: coefficients.velocityDensityMemory)
      * (max(white, slow, lasting) - state.velocityDensity)
  }

  /// The square of a velocity, (m/s)², that lasts for many seconds in the device: that of a vehicle in a curve or during
  /// take-off, and that of a lever arm while it turns.
  ///
  /// An error of the inclination or of the accelerometer lasts, too, until the device has turned. What lies within two
  /// deviations of that shows nothing.
  private mutating func lastingVelocity(
    _ residual: RealVector<EastNorthUp>, explained: Real, time: Real
  ) -> Real {
    let world = residual.simd
    let device = RealVector<Device>(
      x: (state.axes.x * world).sum(), y: (state.axes.y * world).sum(), z: (state.axes.z * world).sum())
    let rate = RealVector<Device>(state.pose.rate)
    let share = SampleTime.share(of: time, constant: coefficients.lastingVelocityTime)
    state.lastingResidual += (device - state.lastingResidual) * share
    state.squaredRate += (rate.dot(rate) - state.squaredRate) * share
    state.meanRateTime = min(state.meanRateTime + time, coefficients.steadyRateTime)
    state.meanRate += (rate - state.meanRate) * (time / state.meanRateTime)

    let g = Real(standardGravity)
    let tilt = state.covariance.element(0, 0) + state.covariance.element(1, 1)
    let error = 4 * (g * g * tilt + 2 * state.accelerometerVariance)
    let slowest = 1 / (coefficients.velocityMemory * coefficients.velocityMemory)
    return max(
      0, state.lastingResidual.dot(state.lastingResidual) - explained - error / (slowest + state.squaredRate))
  }

  /// The error of the accelerometer per axis, (m/s²)²: the mean specific force of some seconds is as long as gravity,
  /// but for that. It tilts the vertical unnoticed, so it belongs to what is reported. One direction shows one part of it
  /// only: so it rises soon and falls slowly.
  private mutating func updateAccelerometerVariance(time: Real) {
    guard state.upright.age >= UprightCheck.times[1] else { return }
    let error = state.upright.means[1].z - Real(standardGravity)
    let square = min(error * error, 1)
    let memory =
      square > state.accelerometerVariance || state.rest.isAtRest
      ? coefficients.tiltMemory : coefficients.accelerometerMemory
    state.accelerometerVariance += time / memory * (square - state.accelerometerVariance)
  }
}
