// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension StepDetector {
  /// Decides from window to window whether the candidates in it are steps: a sequential test.
  ///
  /// Each window of 5.12 s gives evidence for or against gait, in units of a logarithm of odds: from the tree, from the
  /// autocorrelation and from the regularity of the intervals. Single windows mislead: on stairs the autocorrelation is
  /// often 0.25, and folding clothes has moments at 0.5. So the evidence adds up, to a limit, and the gate opens when
  /// the sum is high enough. Then the steps count from the first window that spoke for gait. It stays open until the
  /// sum is low; a window that speaks against gait counts none.
  struct Gate: Sendable {
    /// The constants.
    struct Parameters: Sendable, Hashable {
      /// Nil: the device cannot be at a leg.
      var pedalling: LogisticScore? = .pedalling
      /// The autocorrelation and the irregularity that speak neither for gait nor against it.
      var neutralAutocorrelation = 0.33
      var neutralIrregularity = 0.22
      /// How much each part counts.
      var treeWeight = 0.4
      /// The part of the tree's evidence that is taken from the path of Viterbi, which knows the windows before.
      var pathPart = 0.3
      var autocorrelationWeight = 0.7
      var regularityWeight = 0.6
      /// g: a weaker movement needs more evidence, and a still weaker one is never gait.
      var weakDeviation = 0.15
      var weakPenalty = 0.3
      var leastDeviation = 0.05
      /// The sum that opens the gate, the sum that closes it, and the limits of the sum.
      var opening = 2.0
      var closing = -1.0
      var ceiling = 5.0
      var floor = -3.0
      /// The evidence of a window whose candidates count while the gate is open.
      var continuation = -0.5
    }

    /// Nanoseconds before the present window that an opening can reach back.
    static let longestReach: Int64 = 5_120_000_000

    let parameters: Parameters
    private(set) var isOpen = false
    /// The sum of the evidence.
    private(set) var level: Double
    /// The begin of the first of the windows in a row that spoke for gait.
    private var onset: Int64?
    /// 0…1: how much the latest periodic windows looked like pedals; and their number, at most 6.
    private var pedalling = 0.0
    private var windows = 0.0

    init(parameters: Parameters = Parameters()) {
      self.parameters = parameters
      level = parameters.floor
    }

    /// Takes the next window. Returns the time since which its candidates are steps; nil when they are none.
    mutating func update(_ features: ActivityFeatures, start: Int64, gait: Double, path: Double) -> Int64? {
      let evidence = evidence(features, gait: gait, path: path)
      level = min(parameters.ceiling, max(parameters.floor, level + evidence))
      guard evidence > (isOpen ? parameters.continuation : 0) else {
        if level < parameters.closing { isOpen = false }
        if !isOpen { onset = nil }
        return nil
      }
      let first = onset ?? start
      onset = first
      if isOpen { return start }
      isOpen = level >= parameters.opening
      return isOpen ? first : nil
    }

    private func evidence(_ features: ActivityFeatures, gait: Double, path: Double) -> Double {
      if features.deviation < parameters.leastDeviation || features.pedalling > 0.5 { return parameters.floor }
      let odds = min(3, max(-3, Scalar.log(max(1e-3, gait) / max(1e-3, 1 - gait))))
      let tree = (1 - parameters.pathPart) * odds + parameters.pathPart * min(3, max(-3, path))
      let autocorrelation = 10 * (features.autocorrelation - parameters.neutralAutocorrelation)
      let regularity = 5 * (parameters.neutralIrregularity - features.irregularity)
      return parameters.treeWeight * tree
        + parameters.autocorrelationWeight * min(2, max(-2, autocorrelation))
        + parameters.regularityWeight * min(1, max(-1, regularity))
        - (features.deviation < parameters.weakDeviation ? parameters.weakPenalty : 0)
    }

    /// Takes the next window: how much the latest periodic windows looked like pedals, 0…1.
    mutating func followPedals(_ features: ActivityFeatures) -> Double {
      guard let score = parameters.pedalling, features.deviation >= 0.12, features.autocorrelation >= 0.4 else {
        return pedalling
      }
      windows = min(6, windows + 1)
      // Nobody pedals faster for long.
      let isSlow = features.frequency > 0.75 && features.frequency < 1.75
      pedalling += ((isSlow ? score.probability(features.pedallingInputs) : 0) - pedalling) / windows
      return pedalling
    }
  }
}
