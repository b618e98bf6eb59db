// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension OrientationFilter {
  /// The filter's assumptions about the sensors and the motion.
  ///
  /// The defaults are one set for all motions, found on recordings with optical truth. On 14 trials of BROAD each of
  /// them may be wrong by a factor of three before the mean error changes by 0.25°, except ``fieldNoise`` (0.33° at a
  /// third; Documentation/Filter.md).
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
    /// White noise of the gyroscope, rad/√s. Default 0.01 °/√s. More: follows accelerometer and magnetometer faster.
    public var gyroscopeNoise = Angle(degrees: 0.01).radians
    /// Noise proportional to the angular velocity, (rad/√s)/(rad/s). Default 3e-4.
    public var gyroscopeRelativeNoise = 3e-4
    /// Uncertainty of the bias at the start, rad/s. Default 1.5 °/s. More: a longer search after a start in motion.
    public var gyroscopeBiasDeviation = Angle(degrees: 1.5).radians
    /// Random walk of the bias, (rad/s)/√s. Default 0.005 °/s/√s. More: follows temperature faster, less certain in
    /// motion.
    public var gyroscopeBiasDrift = Angle(degrees: 0.005).radians
    /// The largest bias of any axis that is accepted, rad/s; estimates are clamped to it. Default 0.2 (11 °/s). Before
    /// the first rest a steady reading below it counts as bias. More: worse sensors are corrected; less: a slow turn at
    /// the start is not taken for rest.
    public var largestGyroscopeBias = 0.2
    /// The allowed difference, in rad/s, between the mean rate at rest and the known bias, in addition to five of its
    /// standard deviations. Default 0.05 °/s. More: tolerates temperature jumps; less: slow steady turns are not
    /// taken for bias.
    public var restBiasTolerance = Angle(degrees: 0.05).radians
    /// Uncertainty of each axis' scale, relative, and direction, rad, at the start. Default 0.0027 each. More for a
    /// sensor whose bias is far above ``gyroscopeBiasDeviation``: it is not calibrated.
    public var gyroscopeScaleDeviation = 0.0027, gyroscopeMisalignmentDeviation = 0.0027

    // MARK: Rest

    /// Largest distance of the rate from its own recent mean at rest, rad/s. Default 2 °/s.
    public var restRateLimit = Angle(degrees: 2).radians
    /// Largest distance of the specific force from its own recent mean at rest, m/s². Default 0.5.
    public var restForceLimit = 0.5
    /// Time constant of that recent mean, and the time of stillness before it counts as rest, s. Default 0.5 and 1.5.
    public var restSmoothing = 0.5, restDuration = 1.5
    /// Noise of the mean rate at rest as a measurement of the bias, (rad/s)·√s. Default 0.03 °/s·√s.
    public var restRateNoise = Angle(degrees: 0.03).radians

    // MARK: Accelerometer

    /// Uncertainty of the inclination at the start, rad. Default 5°.
    public var inclinationDeviation = Angle(degrees: 5).radians
    /// The horizontal velocity is assumed to be zero on average: noise of this assumption, (m/s)·√s, and the noise that
    /// a recent acceleration adds, (m/s)·√s per m/s². Default 0.06 and 0.04. Less: the accelerometer has more weight,
    /// which is correct for calm motion only.
    public var velocityNoise = 0.06, velocityNoisePerAcceleration = 0.04
    /// Time constant of "recent", s. Default 1.
    public var accelerationSmoothing = 1.0
    /// The same noise at rest, (m/s)·√s. Default 0.03.
    public var restVelocityNoise = 0.03
    /// Random walk of the velocity, (m/s)/√s. Default 0.012.
    public var velocityDrift = 0.012

    /// Time constant, in s, with which the velocity decays. Default 5: a vehicle's new speed counts as rest after that
    /// time. More: a small error of the inclination is detected better; less: vehicles disturb less.
    public var velocityMemory = 5.0
    /// How long a velocity lasts, s: what the corrections leave of it, low-passed with this time, shows how strong its
    /// slow part is. Default 0.7. And the memory of that strength, s. Default 2.
    public var velocityCorrelationTime = 0.7, velocityDensityMemory = 2.0

    // MARK: Reported uncertainty

    // Errors without a state of their own, which the residuals cannot show, are added to what the filter reports.

    /// Remaining error of the calibrated accelerometer, per axis, m/s²: it tilts the vertical unnoticed. Default 0.04
    /// (0.23°), for a sensor calibrated by its manufacturer; an old phone may have 0.4.
    public var accelerometerBiasDeviation = 0.04
    /// Uncertainty of the time stamps, s: for a device that turns, the angle is wrong by rate × time. Default 0.0025.
    public var timeStampDeviation = 0.0025
    /// The smallest assumed difference between the field's direction at the device and in its surroundings, rad.
    /// Default 1.5°; the difference that strength and dip show is added.
    public var fieldDirectionDeviation = Angle(degrees: 1.5).radians

    // MARK: Magnetometer

    /// Uncertainty of the magnetometer's delay behind the gyroscope, s. Default 0.02.
    public var magnetometerDelayDeviation = 0.02
    /// Noise of the field, relative to its strength, √s. Default 0.014.
    public var fieldNoise = 0.014
    /// Seconds for which a disturbance of the field is assumed to last: the square of what the known errors do not
    /// explain of a residual, times this, is added to the noise, so that a disturbed field weighs little. Default 0.8.
    /// More: calmer and slower in heading.
    public var fieldResidualTime = 0.8
    /// Smallest uncertainty of the remaining hard iron, relative to the field, and its random walk, 1/√s. Default 0.001
    /// and 3e-4.
    public var hardIronDeviation = 0.001, hardIronDrift = 3e-4
    /// How fast a misfit of the field's strength or dip increases the uncertainty of the hard iron, 1/s, and the time
    /// constant of that misfit, s. Default 0.04 and 0.15.
    public var hardIronExcitation = 0.04, hardIronExcitationSmoothing = 0.15
    /// Uncertainty of the field's horizontal and vertical part at the start, relative, and their random walk, 1/√s.
    /// Default 0.04 and 6e-4.
    public var fieldDeviation = 0.04, fieldDrift = 6e-4
    /// A field is consistent when strength and dip differ by less than this from the known one, relative. Default 0.1.
    public var fieldConsistency = 0.1
    /// A heading residual larger than this, in rad, is a disturbance. Default 15°.
    public var disturbanceAngle = Angle(degrees: 15).radians
    /// After this many seconds of a consistent field in another direction the heading follows it, s. Default 9; up to four
    /// times that where the known field had long agreed. A field of another strength or dip is followed after twice this
    /// time and as long as the known one had agreed.
    public var consistencyTime = 9.0
  }
  /// The parameters as the equations use them: mostly variances per second.
  public struct Coefficients: Sendable {
    /// Attitude variance per second, rad²/s, and per second and squared rate.
    var gyroscopeVariance, gyroscopeRelativeVariance: Real
    package var biasDriftVariance, restRateVariance: Real
    var velocityVariance, velocityVariancePerAcceleration, restVelocityVariance, velocityDriftVariance: Real
    package var fieldVariance, hardIronDriftVariance, fieldDriftVariance: Real
    /// The tangent of the disturbance angle, which is below a right angle.
    var disturbanceTangent: Real
    /// Squares of the limits of rest, (rad/s)² and (m/s²)².
    var restSquaredRateLimit, restSquaredForceLimit: Real
    /// The parameters of the same names, in the filter's numbers.
    var restSmoothing, restDuration, restBiasTolerance, largestGyroscopeBias: Real
    var accelerationSmoothing, velocityMemory, velocityCorrelationTime, velocityDensityMemory: Real
    package var fieldResidualTime, hardIronDeviation, hardIronExcitation, hardIronExcitationSmoothing: Real
    var fieldDeviation, fieldConsistency, consistencyTime: Real
    /// Below this the source has removed the hard iron itself, T: the readings before count too, with this variance,
    /// rad² (1.8°).
    let sharpHardIron = 1.5e-6, earlyHeadingVariance: Real = 0.001
    /// A heading counts as earned after so many seconds, s, in which the field agreed with it.
    let trustTime: Real = 30
    /// Over so many seconds of agreement the patience with another field grows by one, s, and at most to this.
    let earningTime: Real = 30, largestPatience: Real = 4
    /// A heading that the field has turned may be wrong for twice its age, and this at least, s.
    let leastHeadingAge: Real = 5
    /// The smoothing of the field's spread, s.
    package let fieldSpreadSmoothing: Real = 10
    /// A step of the calibration repeats what the ones before said: about 20 of them count as one.
    let calibrationStepFactor: Real = 2
    /// This share of what the velocity says of the bias is not followed: a partial-update filter (Brink, "Partial-update
    /// Schmidt–Kalman filter", J. Guidance, Control, and Dynamics 40(9), 2017), because accelerations last longer than
    /// the noise of a velocity is assumed to.
    let withheldBiasShare: Real = 0.6
    /// Seconds of the mean of "up" in the device, and the square of its length above which the device has hardly been
    /// tilted (10° on average).
    let tiltMemory: Real = 10, largestSteadiness: Real = 0.97
    /// A device that tilts by more than 0.7 rad/s, root mean square, is in a hand or on a body that moves for itself.
    let squaredHandRate: Real = 0.49
    /// The angle, rad, from which a lean contradicts what is known, for so many seconds; and what an accelerometer reads
    /// wrong, m/s².
    let smallestContradiction: Real = 0.07, longestContradiction: Real = 5, strengthError: Real = 0.06
    /// The noise of a mean force of some seconds, m/s².
    let strengthNoise: Real = 0.03
    /// Of the gyroscope's matrix before anything is learned.
    let scaleVariance, misalignmentVariance: Real
    /// Memory of the accelerometer's error while it falls, s.
    let accelerometerMemory: Real = 100
    /// How long a velocity lasts that a low-pass in the device shows, s.
    let lastingVelocityTime: Real = 15
    /// What a steady rotation adds to the density of the velocity, (m/s)²·s per (rad/s)²: a lever arm of some
    /// decimetres. And the memory of the mean rate, s.
    let velocityVariancePerSteadyRate: Real = 0.03, steadyRateTime: Real = 60
    /// The mean rate at rest is wrong by the spread of the rates, as if each lasted so long, s.
    let restSpreadTime: Real = 0.5
    /// The rate that no rest can tell from a bias, (rad/s)²: (0.004 °/s)², the earth's.
    let unseenRateVariance: Real = 4.87e-9
    /// The square of the bias of a calibrated gyroscope, all axes together, (rad/s)² (0.5 °/s each), and how many times
    /// that is still usual.
    let usualSquaredBias: Real = 2.28e-4, largestUsualFactor: Real = 3
    @usableFromInline var blockDuration, gyroscopeDelay: Real

    init(_ p: Parameters) {
      gyroscopeVariance = Real(p.gyroscopeNoise * p.gyroscopeNoise)
      gyroscopeRelativeVariance = Real(p.gyroscopeRelativeNoise * p.gyroscopeRelativeNoise)
      biasDriftVariance = Real(p.gyroscopeBiasDrift * p.gyroscopeBiasDrift)
      restRateVariance = Real(p.restRateNoise * p.restRateNoise)
      velocityVariance = Real(p.velocityNoise * p.velocityNoise)
      velocityVariancePerAcceleration = Real(p.velocityNoisePerAcceleration * p.velocityNoisePerAcceleration)
      restVelocityVariance = Real(p.restVelocityNoise * p.restVelocityNoise)
      velocityDriftVariance = Real(p.velocityDrift * p.velocityDrift)
      fieldVariance = Real(p.fieldNoise * p.fieldNoise)
      hardIronDriftVariance = Real(p.hardIronDrift * p.hardIronDrift)
      fieldDriftVariance = Real(p.fieldDrift * p.fieldDrift)
      disturbanceTangent = Real(Scalar.tan(min(1.5, max(0, p.disturbanceAngle))))
      restSquaredRateLimit = Real(p.restRateLimit * p.restRateLimit)
      restSquaredForceLimit = Real(p.restForceLimit * p.restForceLimit)
      restSmoothing = Real(p.restSmoothing)
      restDuration = Real(p.restDuration)
      restBiasTolerance = Real(p.restBiasTolerance)
      largestGyroscopeBias = Real(p.largestGyroscopeBias)
      accelerationSmoothing = Real(p.accelerationSmoothing)
      velocityMemory = Real(p.velocityMemory)
      velocityCorrelationTime = Real(p.velocityCorrelationTime)
      velocityDensityMemory = Real(p.velocityDensityMemory)
      scaleVariance = Real(p.gyroscopeScaleDeviation * p.gyroscopeScaleDeviation)
      misalignmentVariance = Real(p.gyroscopeMisalignmentDeviation * p.gyroscopeMisalignmentDeviation)
      fieldResidualTime = Real(p.fieldResidualTime)
      hardIronDeviation = Real(p.hardIronDeviation)
      hardIronExcitation = Real(p.hardIronExcitation)
      hardIronExcitationSmoothing = Real(p.hardIronExcitationSmoothing)
      fieldConsistency = Real(p.fieldConsistency)
      fieldDeviation = Real(p.fieldDeviation)
      consistencyTime = Real(p.consistencyTime)
      blockDuration = Real(p.blockDuration)
      gyroscopeDelay = Real(p.gyroscopeDelay)
    }
  }
}
