// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension ActivityEstimator {
  /// The activity after a window; nil when it is the same as before with the same confidence, or a lower one.
  mutating func decide(_ features: ActivityFeatures) -> ActivityChange? {
    guard let kind = classifier.kind else { return nil }
    let flags = flags(kind, features)
    var confidence = ActivityConfidence.low
    if classifier.certainty > 0.7 { confidence = .medium }
    if classifier.certainty > 0.9, mayBeCertain(kind) { confidence = .high }
    let isFirst = activity.activity == .unknown
    if flags == activity.activity, confidence <= activity.confidence { return nil }
    // A new activity is told from its beginning. The same one with more confidence is told from now on, and so is a
    // vehicle that stops or starts again.
    var start = flags == activity.activity || kind == told ? line.last : classifier.start
    told = kind
    if isFirst { start = line.start }
    let previous = isFirst ? Int64.min : activity.startNanoseconds
    activity = ActivityChange(
      startNanoseconds: start < previous && previous <= line.last ? previous : start, activity: flags,
      confidence: confidence)
    return activity
  }

  /// A walk is certain only with steps that count; bicycles and vehicles are known from simulations alone.
  private func mayBeCertain(_ kind: ActivityNetwork.Kind) -> Bool {
    switch kind {
    case .walking, .running:
      walk.count > 0 && line.last - walk.step(0) < Self.longestSilence
    case .cycling, .automotive: false
    case .stationary, .other: true
    }
  }

  /// Nanoseconds: the first step is counted four seconds late, and two blocks without one are no walk.
  private static let longestSilence: Int64 = 6_000_000_000

  private func flags(_ kind: ActivityNetwork.Kind, _ features: ActivityFeatures) -> MotionActivity {
    // A head shows no vehicle: it moves by itself.
    if parameters.placement == .head, kind == .automotive || kind == .cycling {
      return features.deviation < ActivityFeatures.stillDeviation ? .stationary : []
    }
    return switch kind {
    case .stationary: .stationary
    case .walking: .walking
    case .running: .running
    case .cycling: .cycling
    case .automotive:
      classifier.stillWindows >= 6 ? [.automotive, .stationary] : .automotive
    case .other: []
    }
  }
}
