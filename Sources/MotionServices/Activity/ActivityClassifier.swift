// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Decides which activity the windows belong to.
///
/// The tree judges one window. The path of Viterbi joins the windows: it keeps for each kind the best sequence that
/// ends with it, where a change of the kind costs. The cost is small for a walk or a run and large for a vehicle (a bus
/// stop is no journey), so a vehicle is reported a quarter of a minute late and a walk after two windows.
struct ActivityClassifier: Sendable {
  typealias Kind = ActivityTree.Kind

  /// Costs in units of the logarithm of a probability.
  struct Parameters: Sendable, Hashable {
    /// Of a change to each kind.
    var entries: [Float] = [2, 1.3, 2.5, 8, 14, 10]
    /// Of a car that stops: red lights are shorter.
    var parking: Float = 50
    /// The part of a window that is new: windows overlap, so their judgements are not independent.
    var weight: Float = 0.35
    /// No judgement of one window is more certain than this.
    var leastProbability: Float = 0.02
  }

  let parameters: Parameters
  let tree: ActivityTree
  let running: LogisticScore
  private(set) var kind: Kind?
  /// The probabilities of the latest window.
  private(set) var probabilities = SIMD8<Float>.zero
  /// The mean probability of the present kind over the latest windows.
  private(set) var certainty: Float = 0
  /// Windows without movement in a row.
  private(set) var stillWindows = 0
  private var scores = [Float](repeating: 0, count: 6)
  private var next = [Float](repeating: 0, count: 6)
  private var starts = [Int64](repeating: 0, count: 6)
  private var nextStarts = [Int64](repeating: 0, count: 6)

  init(tree: ActivityTree, running: LogisticScore, parameters: Parameters = Parameters()) {
    (self.tree, self.running, self.parameters) = (tree, running, parameters)
  }

  /// The probability of walking or running in the latest window.
  var gait: Float { probabilities[Kind.walking.rawValue] + probabilities[Kind.running.rawValue] }

  /// How much better the best path that ends on foot is than the best that does not, as a logarithm of odds.
  var pathOdds: Double {
    let foot = max(scores[Kind.walking.rawValue], scores[Kind.running.rawValue])
    var rest = -Float.infinity
    for index in scores.indices where index != Kind.walking.rawValue && index != Kind.running.rawValue {
      rest = max(rest, scores[index])
    }
    return Double(foot - rest)
  }

  /// When the present kind began: the middle of its first window.
  var start: Int64 { kind.map { starts[$0.rawValue] } ?? 0 }

  mutating func restart() {
    (kind, certainty, stillWindows, probabilities) = (nil, 0, 0, .zero)
  }

  /// Takes the features of the window around a time.
  mutating func update(_ features: ActivityFeatures, middle: Int64) {
    stillWindows = features.deviation < ActivityFeatures.stillDeviation ? stillWindows + 1 : 0
    probabilities = tree.probabilities(features)
    let (gait, runs) = (self.gait, Float(running.probability(features.runningInputs)))
    probabilities[Kind.walking.rawValue] = gait * (1 - runs)
    probabilities[Kind.running.rawValue] = gait * runs
    if kind == nil {
      for index in scores.indices { (scores[index], starts[index]) = (-0.5 * parameters.entries[index], middle) }
    }
    let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
    for index in scores.indices {
      var cost = parameters.entries[index]
      if best == Kind.automotive.rawValue, index == Kind.stationary.rawValue { cost = parameters.parking }
      let changed = scores[best] - cost
      let stays = scores[index] >= changed
      nextStarts[index] = stays ? starts[index] : middle
      let evidence = Scalar.log(Double(max(parameters.leastProbability, probabilities[index])))
      next[index] = max(scores[index], changed) + parameters.weight * Float(evidence)
    }
    let decided = next.indices.max { next[$0] < next[$1] } ?? 0
    for index in scores.indices { (scores[index], starts[index]) = (next[index] - next[decided], nextStarts[index]) }
    let part: Float = decided == kind?.rawValue ? 0.3 : 1
    certainty += (probabilities[decided] - certainty) * part
    kind = Kind(rawValue: decided)
  }
}
