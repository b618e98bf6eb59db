// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension AltitudeEstimator {
  /// What has to be added to the height in the standard atmosphere, in metres, with its variance: the Kalman filter of one
  /// state (Kalman, "A New Approach to Linear Filtering and Prediction Problems", J. Basic Eng. 82, 1960).
  struct Bias: Sendable, Hashable {
    private(set) var value: Double
    private(set) var variance: Double
    private var time: SensorInstant

    /// At the first result: its height in the standard atmosphere, its pressure, and the reference of the parameters.
    init(height: Double, pressure: Double, time: SensorInstant, _ parameters: Parameters) {
      self.time = time
      switch parameters.reference {
      case .seaLevelPressure(let reference, let deviation):
        // 8.3 m for a hectopascal near sea level; the slope of the same formula anywhere else.
        let slope =
          StandardAtmosphere.height(at: pressure, above: reference + 1)
          - StandardAtmosphere.height(at: pressure, above: reference)
        value = StandardAtmosphere.height(at: pressure, above: reference) - height
        variance = slope * slope * deviation * deviation
      case .height(let known, let deviation):
        value = known - height
        variance = deviation * deviation
      case nil:
        value = 0
        variance = parameters.unknownDeviation * parameters.unknownDeviation
      }
    }

    /// Time passes: the weather changes.
    mutating func predict(to time: SensorInstant, _ variancePerSecond: Double) {
      variance += variancePerSecond * max(0, (time - self.time).seconds)
      self.time = time
    }

    /// A measurement of the bias in metres.
    mutating func update(_ measured: Double, variance measuredVariance: Double) {
      let gain = variance / (variance + measuredVariance)
      value += gain * (measured - value)
      variance *= 1 - gain
    }
  }
}
