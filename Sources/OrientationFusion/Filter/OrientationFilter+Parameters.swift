// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension OrientationFilter {
  /// The filter's assumptions about the sensors and the motion.
  ///
  /// The defaults are one set for all motions, found on recordings with optical truth and on hard cases (`make stress`;
  /// Documentation/Filter.md 14 has the reason for each).
  public struct Parameters: Sendable, Hashable {
    /// The default set.
    public init() {}

    /// For a phone or a sensor board: the default set with the usual range of 2000 °/s.
    public static var phone: Parameters {
      var parameters = Parameters()
      parameters.gyroscopeRange = Angle(degrees: 2000).radians
      return parameters
    }

    /// For headphones: a head turns more than it moves, so the accelerometer may have more weight.
    public static var headphones: Parameters {
      var parameters = Parameters()
      parameters.velocityNoise = 0.03
      parameters.velocityNoisePerAcceleration = 0.03
      return parameters
    }

    // MARK: Time

    /// Seconds of sample time between two corrections. Default 0.1. More: cheaper, coarser; less: smoother, more
    /// expensive.
    public var blockDuration = 0.1
    /// The longest pause of the gyroscope, in s, that is bridged by its rates; after a longer pause the filter levels
    /// the attitude again. Default 1.
    public var longestGap = 1.0

    // MARK: Gyroscope

    /// Largest reading of the gyroscope in rad/s, from the data sheet; nil, the default, when it is not known. A
    /// reading at the range means that the true rate is larger by an unknown amount, and the uncertainty grows
    /// accordingly.
    public var gyroscopeRange: Double?
    /// The age of a gyroscope reading at its time stamp, s: its filter's delay. Default 0, no delay. A chip that
    /// averages over its sampling interval and stamps its end has a delay of half that interval. The attitude is
    /// advanced by the latest rate times this delay. The accelerometer is assumed to have the same delay as the
    /// gyroscope; the additional delay of the magnetometer is estimated from the data.
    public var gyroscopeDelay = 0.0
    /// True when a reading stands for the interval that ends with its time stamp, as a chip averages: half an interval more
    /// of delay. Default false: for that instant.
    public var readsMeans = false
    /// White noise of the gyroscope, rad/√s. Default 0.01 °/√s. More: follows accelerometer and magnetometer faster.
    public var gyroscopeNoise = Angle(degrees: 0.01).radians
    /// Noise proportional to the angular velocity, (rad/√s)/(rad/s). Default 3e-4.
    public var gyroscopeRelativeNoise = 3e-4
    /// Uncertainty of the bias at the start, rad/s. Default 1.5 °/s. More: a longer search after a start in motion.
    public var gyroscopeBiasDeviation = Angle(degrees: 1.5).radians
    /// Random walk of the bias, (rad/s)/√s. Default 0.005 °/s/√s. More: follows temperature faster, less certain in
    /// motion.
    public var gyroscopeBiasDrift = Angle(degrees: 0.005).radians
    /// Uncertainty of each axis' scale, relative, and of its direction, rad, at the start. Default 0.0035. A gyroscope that
    /// shows a large bias is not calibrated: then it is wider.
    public var gyroscopeMatrixDeviation = 0.0035

    // MARK: Rest

    /// Noise of the mean rate at rest as a measurement of the bias, (rad/s)·√s. Default 0.12 °/s·√s.
    public var restRateNoise = Angle(degrees: 0.12).radians

    // MARK: Accelerometer

    /// Uncertainty of the inclination at the start, rad. Default 12°.
    public var inclinationDeviation = Angle(degrees: 12).radians
    /// The horizontal velocity is assumed to be zero on average: noise of this assumption, (m/s)·√s, and the noise that
    /// a recent acceleration adds, (m/s)·√s per m/s². Default 0.06 and 0.04. Less: the accelerometer has more weight,
    /// which is correct for calm motion only.
    public var velocityNoise = 0.06, velocityNoisePerAcceleration = 0.04
    /// Uncertainty of the accelerometer's offset, per axis, m/s²: it tilts the vertical unnoticed. Default 0.08 (0.5°), for a
    /// chip as it is made; one that was calibrated has 0.04.
    public var accelerometerBiasDeviation = 0.08

    // MARK: Reported uncertainty

    // Errors without a state of their own, which the residuals cannot show, are added to what the filter reports.

    /// Uncertainty of the time stamps, s: for a device that turns, the angle is wrong by rate × time. Default 0.0025.
    public var timeStampDeviation = 0.0025

    // MARK: Magnetometer

    /// True when the readings hold no field of the device itself. Default false.
    public var isMagnetometerCalibrated = false
    /// Uncertainty of the magnetometer's delay behind the gyroscope, s. Default 0.02.
    public var magnetometerDelayDeviation = 0.02
    /// The smallest assumed difference between the field's direction at the device and in its surroundings, rad.
    /// Default 1.5°; what no model of the field explains is added.
    public var fieldDirectionDeviation = Angle(degrees: 1.5).radians
  }

  /// The parameters as the equations use them: variances per second.
  public struct Coefficients: Sendable {
    /// Attitude variance per second, rad²/s, and per second and squared rate.
    let gyroscopeVariance, gyroscopeRelativeVariance: Real
    package let biasDriftVariance: Float
    let restRateVariance: Float
    let velocityVariance, velocityVariancePerAcceleration: Float
    /// Of the field, as for a filter: its noise over a second, for how long what is not explained lasts, s, and its random
    /// walk, north and down, 1/s; relative to the unit, T.
    package let fieldNoiseVariance = Double(Constant.Field.noiseVariance)
    package let disturbanceTime = Double(Constant.Field.disturbanceTime), fieldUnit = Double(Constant.Field.unit)
    package let fieldDrift = Double(Constant.Field.walk * Constant.Field.walk)
    package let fieldDriftDown = Double(Constant.Field.walkUp * Constant.Field.walkUp)
    package let statedSpread = Double(Constant.Field.statedSpread), spreadTime = Double(Constant.Field.spreadTime)
    package let largestSpread = Double(Constant.Field.largestSpread)
    @usableFromInline let blockDuration, gyroscopeDelay: Real
    /// Intervals of delay.
    @usableFromInline let delayedIntervals: Real

    init(_ p: Parameters) {
      gyroscopeVariance = Real(p.gyroscopeNoise * p.gyroscopeNoise)
      gyroscopeRelativeVariance = Real(p.gyroscopeRelativeNoise * p.gyroscopeRelativeNoise)
      biasDriftVariance = Float(p.gyroscopeBiasDrift * p.gyroscopeBiasDrift)
      restRateVariance = Float(p.restRateNoise * p.restRateNoise)
      velocityVariance = Float(p.velocityNoise * p.velocityNoise)
      velocityVariancePerAcceleration = Float(p.velocityNoisePerAcceleration * p.velocityNoisePerAcceleration)
      blockDuration = Real(p.blockDuration)
      gyroscopeDelay = Real(p.gyroscopeDelay)
      delayedIntervals = p.readsMeans ? 0.5 : 0
    }
  }
}
