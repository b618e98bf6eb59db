// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// From one filter to the next over the same sensors: what was learned goes on, where the device was does not.
extension OrientationFilter {
  /// What the filter has found out about its sensors so far.
  ///
  /// Without a magnetometer the delay is the one it began with, and the doubt of it the default one.
  public var learned: LearnedSensor {
    var learned = LearnedSensor(
      gyroscopeBias: state.gyroscopeBias, gyroscopeMatrix: state.gyroscopeMatrix,
      magnetometerDelay: state.magnetometerDelay, covariance: InlineArray(repeating: 0))
    let known = usesMagnetometer ? LearnedSensor.count : LearnedSensor.count - 1
    for i in 0..<known {
      for j in i..<known { learned[i, j] = state.covariance[ErrorIndex.bias + i, ErrorIndex.bias + j] }
    }
    if !usesMagnetometer { learned[12, 12] = Self.priorVariance(12, parameters) }
    return learned
  }

  /// A filter that knows its sensors already; nil when the numbers cannot be those of a sensor
  /// (``LearnedSensor/isPlausible``, ``Parameters/largestGyroscopeBias``).
  ///
  /// Where a doubt is larger than that of a filter that knows nothing, the latter counts. Give it a `learned` that is
  /// ``LearnedSensor/widened(elapsed:temperatureChange:)``: the doubts of then are too small for today.
  public init?(parameters: Parameters = Parameters(), usesMagnetometer: Bool, learned: LearnedSensor) {
    let bias = learned.gyroscopeBias
    let largest = parameters.largestGyroscopeBias
    guard learned.isPlausible, abs(bias.x) <= largest, abs(bias.y) <= largest, abs(bias.z) <= largest
    else { return nil }
    self.init(parameters: parameters, usesMagnetometer: usesMagnetometer)
    state.gyroscopeBias = bias
    state.gyroscopeMatrix = learned.gyroscopeMatrix
    if usesMagnetometer { state.magnetometerDelay = learned.magnetometerDelay }
    // Shrinking a row and its column by one factor leaves a covariance a covariance.
    var factors = InlineArray<13, Double>(repeating: 1)
    for i in 0..<LearnedSensor.count {
      factors[i] = min(1, (Self.priorVariance(i, parameters) / learned[i, i]).squareRoot())
    }
    let known = usesMagnetometer ? LearnedSensor.count : LearnedSensor.count - 1
    for i in 0..<known {
      for j in i..<known {
        state.covariance[ErrorIndex.bias + i, ErrorIndex.bias + j] = learned[i, j] * factors[i] * factors[j]
      }
    }
  }

  /// The doubt of a filter that knows nothing, in the order of ``LearnedSensor/count``.
  private static func priorVariance(_ index: Int, _ p: Parameters) -> Double {
    let deviation =
      switch index {
      case ..<3: p.gyroscopeBiasDeviation
      case 12: p.magnetometerDelayDeviation
      default: (index - 3) % 4 == 0 ? p.gyroscopeScaleDeviation : p.gyroscopeMisalignmentDeviation
      }
    return deviation * deviation
  }
}
