// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension OrientationFilter {
  /// The parameters in the form that the arithmetic wants: mostly variances per second.
  public struct Coefficients: Sendable {
    /// Attitude variance per second, rad²/s, and per second and squared rate.
    let gyroscopeVariance, gyroscopeRelativeVariance: Double
    let biasDriftVariance, restRateVariance: Double
    let velocityVariance, velocityVariancePerAcceleration, restVelocityVariance, velocityDriftVariance: Double
    /// How many times larger the variance of the velocity's noise is in a vehicle.
    let travelNoiseFactor: Double
    let fieldVariance, hardIronDriftVariance, fieldDriftVariance: Double
    let undersamplingVariance: Double
    /// The tangent of the disturbance angle, which is below a right angle.
    let disturbanceTangent: Double
    /// Squares of the limits of rest, (rad/s)² and (m/s²)².
    let restSquaredRateLimit, restSquaredForceLimit: Double
    /// A reading of the gyroscope at or above this is saturated, rad/s.
    let saturationThreshold: Double
    /// How much larger than the range the true rate may be, rad/s (250 °/s), and how many samples such an error lasts.
    let saturationExcess = 4.363, saturationPersistence = 10.0

    init(_ p: Parameters) {
      gyroscopeVariance = p.gyroscopeNoise * p.gyroscopeNoise
      gyroscopeRelativeVariance = p.gyroscopeRelativeNoise * p.gyroscopeRelativeNoise
      biasDriftVariance = p.gyroscopeBiasDrift * p.gyroscopeBiasDrift
      restRateVariance = p.restRateNoise * p.restRateNoise
      velocityVariance = p.velocityNoise * p.velocityNoise
      velocityVariancePerAcceleration = p.velocityNoisePerAcceleration * p.velocityNoisePerAcceleration
      restVelocityVariance = p.restVelocityNoise * p.restVelocityNoise
      velocityDriftVariance = p.velocityDrift * p.velocityDrift
      travelNoiseFactor = p.travelDoubt * p.travelDoubt
      fieldVariance = p.fieldNoise * p.fieldNoise
      hardIronDriftVariance = p.hardIronDrift * p.hardIronDrift
      fieldDriftVariance = p.fieldDrift * p.fieldDrift
      undersamplingVariance = p.undersamplingError * p.undersamplingError
      disturbanceTangent = Scalar.tan(min(1.5, max(0, p.disturbanceAngle)))
      restSquaredRateLimit = p.restRateLimit * p.restRateLimit
      restSquaredForceLimit = p.restForceLimit * p.restForceLimit
      saturationThreshold = p.gyroscopeRange.map { 0.98 * $0 } ?? .infinity
    }
  }
}
