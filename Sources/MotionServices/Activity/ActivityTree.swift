// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A decision tree: from the features of a window to the probabilities of the kinds of movement. At most 63 nodes.
struct ActivityTree: Sendable, Hashable {
  /// What is distinguished; the position of each in the probabilities. A tree takes running for walking: a
  /// ``LogisticScore`` tells them apart.
  enum Kind: Int, Sendable, CaseIterable {
    case stationary, walking, running, other, automotive, cycling
  }

  /// A question and where its answers lead.
  struct Node: Sendable, Hashable {
    /// The position in ``ActivityFeatures/values``; −1: the node is a leaf, and `below` the position of its
    /// probabilities.
    var feature: Int
    var threshold: Double
    /// The nodes for values below the threshold and for the others.
    var below: Int
    var above: Int

    init(_ feature: Int, _ threshold: Double, _ below: Int, _ above: Int) {
      (self.feature, self.threshold, self.below, self.above) = (feature, threshold, below, above)
    }
  }

  var nodes: [Node]
  /// In the order of ``Kind``; the last two places are 0.
  var leaves: [SIMD8<Float>]

  /// The probabilities for a window.
  func probabilities(_ features: ActivityFeatures) -> SIMD8<Float> {
    var index = 0
    while nodes[index].feature >= 0 {
      let node = nodes[index]
      index = features.value(node.feature) < node.threshold ? node.below : node.above
    }
    return leaves[nodes[index].below]
  }
}
