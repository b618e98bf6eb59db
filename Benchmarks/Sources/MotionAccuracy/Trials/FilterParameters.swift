// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import OrientationFusion

/// Values for single parameters of the filter, by name, in place of those of a trial: for the sensitivity of each.
///
/// The range of the gyroscope has no name here: it is a fact of the chip, and nothing to be tuned.
package struct FilterParameters: Sendable {
  private typealias Parameters = OrientationFilter.Parameters

  private var values: [String: Double] = [:]

  /// No values.
  package init() {}

  /// Each assignment is `NAME=VALUE`, in the unit of the parameter. The last one of a name counts.
  package init(_ assignments: [String]) throws {
    for assignment in assignments {
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard Self.paths.contains(where: { $0.name == parts[0] }) else {
        throw SensorError(
          .unsupported,
          "The filter has no parameter “\(parts[0])”. It has \(Self.paths.map(\.name).joined(separator: ", ")).")
      }
      guard parts.count == 2, let value = Double(parts[1]), value.isFinite, value >= 0 else {
        throw SensorError(.malformed, "“\(assignment)” has no number, 0 or more, behind the equals sign.")
      }
      values[parts[0]] = value
    }
  }

  package var isEmpty: Bool { values.isEmpty }

  /// `parameters` with the values put in.
  func applied(to parameters: OrientationFilter.Parameters) -> OrientationFilter.Parameters {
    var parameters = parameters
    for (name, path) in Self.paths {
      if let value = values[name] { parameters[keyPath: path] = value }
    }
    return parameters
  }

  /// Every parameter and its value, in the order of ``OrientationFilter/Parameters``.
  static func all(of parameters: OrientationFilter.Parameters) -> [(name: String, value: Double)] {
    paths.map { ($0.name, parameters[keyPath: $0.path]) }
  }

  private static var paths: [(name: String, path: WritableKeyPath<Parameters, Double>)] {
    [
      ("blockDuration", \.blockDuration), ("longestGap", \.longestGap),
      ("gyroscopeDelay", \.gyroscopeDelay), ("gyroscopeNoise", \.gyroscopeNoise),
      ("gyroscopeRelativeNoise", \.gyroscopeRelativeNoise), ("gyroscopeBiasDeviation", \.gyroscopeBiasDeviation),
      ("gyroscopeBiasDrift", \.gyroscopeBiasDrift), ("largestGyroscopeBias", \.largestGyroscopeBias),
      ("restBiasTolerance", \.restBiasTolerance), ("gyroscopeScaleDeviation", \.gyroscopeScaleDeviation),
      ("gyroscopeMisalignmentDeviation", \.gyroscopeMisalignmentDeviation),
      ("restRateLimit", \.restRateLimit), ("restForceLimit", \.restForceLimit), ("restSmoothing", \.restSmoothing),
      ("restDuration", \.restDuration), ("restRateNoise", \.restRateNoise),
      ("inclinationDeviation", \.inclinationDeviation), ("velocityNoise", \.velocityNoise),
      ("velocityNoisePerAcceleration", \.velocityNoisePerAcceleration),
      ("accelerationSmoothing", \.accelerationSmoothing), ("restVelocityNoise", \.restVelocityNoise),
      ("velocityDrift", \.velocityDrift), ("velocityMemory", \.velocityMemory),
      ("velocityCorrelationTime", \.velocityCorrelationTime),
      ("velocityDensityMemory", \.velocityDensityMemory),
      ("accelerometerBiasDeviation", \.accelerometerBiasDeviation), ("timeStampDeviation", \.timeStampDeviation),
      ("fieldDirectionDeviation", \.fieldDirectionDeviation),
      ("magnetometerDelayDeviation", \.magnetometerDelayDeviation), ("fieldNoise", \.fieldNoise),
      ("fieldResidualTime", \.fieldResidualTime), ("hardIronDeviation", \.hardIronDeviation),
      ("hardIronDrift", \.hardIronDrift), ("hardIronExcitation", \.hardIronExcitation),
      ("hardIronExcitationSmoothing", \.hardIronExcitationSmoothing), ("fieldDeviation", \.fieldDeviation),
      ("fieldDrift", \.fieldDrift), ("fieldConsistency", \.fieldConsistency), ("disturbanceAngle", \.disturbanceAngle),
      ("consistencyTime", \.consistencyTime),
    ]
  }
}
