// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The probability of one of two kinds of movement: a weighted sum of a few numbers, through the logistic curve.
///
/// A sum changes slowly where a tree jumps, and it has few constants, so it suits people who were not in the training.
struct LogisticScore: Sendable, Hashable {
  /// One for each input, and the constant at the end.
  var weights: [Double]

  /// 0.02…0.98: nothing is certain after one window.
  func probability(_ inputs: SIMD8<Double>) -> Double {
    var sum = weights.last ?? 0
    for index in 0..<min(inputs.scalarCount, weights.count - 1) { sum += weights[index] * inputs[index] }
    return 1 / (1 + Scalar.exp(-min(4, max(-4, sum))))
  }
}

extension ActivityFeatures {
  /// What tells a run from a walk.
  ///
  /// People walk with up to 2.3 steps a second and run with more; 2.35 Hz is between. The strength of the movement says
  /// less, because a sensor of 2 g clips it at the top; so the depth of the dips serves, and its part in the deviation.
  var runningInputs: SIMD8<Double> {
    SIMD8(
      max(0, rate - 2), min(1, max(-1, (rate - 2.35) * 5)), min(1, max(-1, (1 / max(0.2, delay) - 2.35) / 0.3)), lowest,
      Scalar.log((lowest + 0.02) / (deviation + 0.001)), sway, horizontal, min(0.6, max(0.2, autocorrelation)))
  }

  /// What tells a leg that pedals from one that walks: it moves slowly and up and down, as far up as down, and nothing
  /// in it has half the rate. Feet on the ground hit it, and swing forwards and backwards once in two steps.
  var pedallingInputs: SIMD8<Double> {
    SIMD8(
      slow, horizontal, Scalar.log((highest + 0.02) / (lowest + 0.02)), min(0.4, sway), min(3, rate), 0, 0, 0)
  }
}
