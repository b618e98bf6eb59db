// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension OrientationFilter {
  /// The parameters in the form that the arithmetic wants: mostly variances per second.
  public struct Coefficients: Sendable {
    /// Attitude variance per second, rad²/s, and per second and squared rate.
    var gyroscopeVariance, gyroscopeRelativeVariance: Real
    var biasDriftVariance, restRateVariance: Real
    var velocityVariance, velocityVariancePerAcceleration, restVelocityVariance, velocityDriftVariance: Real
    /// How many times larger the variance of the velocity's noise is in a vehicle.
    var travelNoiseFactor: Real
    var fieldVariance, hardIronDriftVariance, fieldDriftVariance: Real
    var undersamplingVariance: Real
    /// The tangent of the disturbance angle, which is below a right angle.
    var disturbanceTangent: Real
    /// Squares of the limits of rest, (rad/s)² and (m/s²)².
    var restSquaredRateLimit, restSquaredForceLimit: Real
    /// A reading of the gyroscope at or above this is saturated, rad/s.
    var saturationThreshold: Real
    /// How much larger than the range the true rate may be, rad/s (250 °/s), and how many samples such an error lasts.
    let saturationExcess: Real = 4.363, saturationPersistence: Real = 10
    /// The parameters of the same names, in the filter's numbers.
    var restSmoothing, restDuration, restBiasTolerance, largestGyroscopeBias: Real
    var accelerationSmoothing, travelAcceleration, travelSmoothing: Real
    var fieldResidualTime, hardIronDeviation, hardIronExcitation, hardIronExcitationSmoothing: Real
    var fieldDeviation, fieldConsistency, candidateSmoothing, consistencyTime, disturbanceTime: Real
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
      travelNoiseFactor = Real(p.travelDoubt * p.travelDoubt)
      fieldVariance = Real(p.fieldNoise * p.fieldNoise)
      hardIronDriftVariance = Real(p.hardIronDrift * p.hardIronDrift)
      fieldDriftVariance = Real(p.fieldDrift * p.fieldDrift)
      undersamplingVariance = Real(p.undersamplingError * p.undersamplingError)
      disturbanceTangent = Real(Scalar.tan(min(1.5, max(0, p.disturbanceAngle))))
      restSquaredRateLimit = Real(p.restRateLimit * p.restRateLimit)
      restSquaredForceLimit = Real(p.restForceLimit * p.restForceLimit)
      saturationThreshold = Real(p.gyroscopeRange.map { 0.98 * $0 } ?? .infinity)
      restSmoothing = Real(p.restSmoothing)
      restDuration = Real(p.restDuration)
      restBiasTolerance = Real(p.restBiasTolerance)
      largestGyroscopeBias = Real(p.largestGyroscopeBias)
      accelerationSmoothing = Real(p.accelerationSmoothing)
      travelAcceleration = Real(p.travelAcceleration)
      travelSmoothing = Real(p.travelSmoothing)
      fieldResidualTime = Real(p.fieldResidualTime)
      hardIronDeviation = Real(p.hardIronDeviation)
      hardIronExcitation = Real(p.hardIronExcitation)
      hardIronExcitationSmoothing = Real(p.hardIronExcitationSmoothing)
      fieldConsistency = Real(p.fieldConsistency)
      fieldDeviation = Real(p.fieldDeviation)
      candidateSmoothing = Real(p.candidateSmoothing)
      consistencyTime = Real(p.consistencyTime)
      disturbanceTime = Real(p.disturbanceTime)
      blockDuration = Real(p.blockDuration)
      gyroscopeDelay = Real(p.gyroscopeDelay)
    }
  }
}
