// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// From the features of a window to the probabilities of the kinds of movement: a small neural network.
///
/// Each feature is brought to mean 0 and deviation 1 and limited to ±3, so that a value outside of the training data
/// cannot dominate the result. Then follow a hidden layer with x / (1 + |x|) and a softmax. The weights are the mean of
/// two networks that were trained on different parts of the data, which is one network with both hidden layers.
/// `Scripts/train-activity.py` trains it and prints what it is worth on people who were left out.
struct ActivityNetwork: Sendable {
  /// What is distinguished; the position of each in the probabilities.
  enum Kind: Int, Sendable, CaseIterable {
    case stationary, walking, running, other, automotive, cycling
  }

  /// Of one value for each kind; the last two places are unused.
  typealias Values = SIMD8<Float>

  /// The trained numbers.
  struct Coefficients: Sendable, Hashable {
    /// Of each feature.
    var means, deviations: [Float]
    /// For each hidden unit the weights of the features and a constant, one after the other.
    var hidden: [Float]
    /// For each hidden unit the weights towards the kinds, one after the other, and the constants at the end.
    var output: [Float]
  }

  let coefficients: Coefficients
  private let output: [Values]
  private var inputs: [Float]
  /// The weights of eight hidden units at once, feature by feature, and their constants last; missing units are zeros.
  private let hidden: [SIMD8<Float>]

  init(_ coefficients: Coefficients) {
    self.coefficients = coefficients
    inputs = coefficients.means
    let kinds = Kind.allCases.indices
    output = stride(from: 0, to: coefficients.output.count, by: kinds.count).map { start in
      kinds.reduce(into: Values.zero) { $0[$1] = coefficients.output[start + $1] }
    }
    let width = coefficients.means.count + 1
    let units = output.count - 1
    var hidden: [SIMD8<Float>] = []
    for first in stride(from: 0, to: units, by: 8) {
      for index in 0..<width {
        var weights = SIMD8<Float>.zero
        for unit in first..<min(first + 8, units) { weights[unit - first] = coefficients.hidden[unit * width + index] }
        hidden.append(weights)
      }
    }
    self.hidden = hidden
  }

  /// Logarithms of the probabilities.
  mutating func logarithms(_ features: ActivityFeatures) -> Values {
    let count = inputs.count
    for (index, value) in features.values.enumerated() {
      inputs[index] = min(3, max(-3, (value - coefficients.means[index]) / coefficients.deviations[index]))
    }
    var sum = output[output.count - 1]
    for first in stride(from: 0, to: output.count - 1, by: 8) {
      let start = first / 8 * (count + 1)
      var values = hidden[start + count]
      for index in 0..<count { values += hidden[start + index] * inputs[index] }
      for unit in first..<min(first + 8, output.count - 1) {
        let value = values[unit - first]
        sum += output[unit] * (value / (1 + abs(value)))
      }
    }
    let kinds = Kind.allCases.indices
    var highest = sum[0]
    for kind in kinds { highest = max(highest, sum[kind]) }
    var total = 0.0
    for kind in kinds { total += sum[kind] == highest ? 1 : Scalar.exp(Double(sum[kind] - highest)) }
    return sum - (highest + Float(Scalar.log(total)))
  }
}
