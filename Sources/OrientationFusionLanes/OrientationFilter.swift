// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

/// The filter of all streams in their ordinary course: the formulas of the single filter, with eight or sixteen numbers for one.
///
/// Its `State` and its formulas are the shared files; the beginnings, gaps and other exceptions are not here.
struct OrientationFilter: Sendable {
  typealias Parameters = OrientationFusion.OrientationFilter.Parameters

  let usesMagnetometer: Bool
  var coefficients: Coefficients
  var state: State

  init(parameters: [Parameters], usesMagnetometer: Bool) {
    let first = parameters.first ?? Parameters()
    self.usesMagnetometer = usesMagnetometer
    coefficients = Coefficients(first)
    state = State(parameters: first, usesMagnetometer: usesMagnetometer)
    state.pose.isKnown = true
    state.needsLevelling = false
    state.hasHeading = usesMagnetometer
    // Streams come in when their means are past the beginning; an empty lane must not look like one that is not.
    state.rest.rate.age = .infinity
    state.rest.force.age = .infinity
    for (lane, parameters) in parameters.enumerated() {
      coefficients.set(lane, from: Coefficients(parameters))
    }
  }
}

extension OrientationFilter.Coefficients {
  /// Takes one stream's coefficients from those of another set.
  mutating func set(_ lane: Int, from other: Self) {
    gyroscopeVariance[lane] = other.gyroscopeVariance[lane]
    gyroscopeRelativeVariance[lane] = other.gyroscopeRelativeVariance[lane]
    biasDriftVariance[lane] = other.biasDriftVariance[lane]
    restRateVariance[lane] = other.restRateVariance[lane]
    velocityVariance[lane] = other.velocityVariance[lane]
    velocityVariancePerAcceleration[lane] = other.velocityVariancePerAcceleration[lane]
    restVelocityVariance[lane] = other.restVelocityVariance[lane]
    velocityDriftVariance[lane] = other.velocityDriftVariance[lane]
    travelNoiseFactor[lane] = other.travelNoiseFactor[lane]
    fieldVariance[lane] = other.fieldVariance[lane]
    hardIronDriftVariance[lane] = other.hardIronDriftVariance[lane]
    fieldDriftVariance[lane] = other.fieldDriftVariance[lane]
    undersamplingVariance[lane] = other.undersamplingVariance[lane]
    disturbanceTangent[lane] = other.disturbanceTangent[lane]
    restSquaredRateLimit[lane] = other.restSquaredRateLimit[lane]
    restSquaredForceLimit[lane] = other.restSquaredForceLimit[lane]
    saturationThreshold[lane] = other.saturationThreshold[lane]
    restSmoothing[lane] = other.restSmoothing[lane]
    restDuration[lane] = other.restDuration[lane]
    restBiasTolerance[lane] = other.restBiasTolerance[lane]
    largestGyroscopeBias[lane] = other.largestGyroscopeBias[lane]
    accelerationSmoothing[lane] = other.accelerationSmoothing[lane]
    travelAcceleration[lane] = other.travelAcceleration[lane]
    travelSmoothing[lane] = other.travelSmoothing[lane]
    fieldResidualTime[lane] = other.fieldResidualTime[lane]
    hardIronDeviation[lane] = other.hardIronDeviation[lane]
    hardIronExcitation[lane] = other.hardIronExcitation[lane]
    hardIronExcitationSmoothing[lane] = other.hardIronExcitationSmoothing[lane]
    fieldConsistency[lane] = other.fieldConsistency[lane]
    fieldDeviation[lane] = other.fieldDeviation[lane]
    candidateSmoothing[lane] = other.candidateSmoothing[lane]
    consistencyTime[lane] = other.consistencyTime[lane]
    disturbanceTime[lane] = other.disturbanceTime[lane]
    blockDuration[lane] = other.blockDuration[lane]
    gyroscopeDelay[lane] = other.gyroscopeDelay[lane]
  }
}
