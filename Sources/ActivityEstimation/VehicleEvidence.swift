// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What the last minute says about being in a vehicle.
///
/// Five seconds of folding laundry look like five seconds of a car; a minute does not, because a road goes on. The means of
/// nine features over 40 s and their squares are a logistic regression of simulated rides against what people do off
/// their feet (`Scripts/train-activity.py`). A walk ends it; a vehicle that stands shows nothing new.
struct VehicleEvidence: Sendable {
  /// The trained numbers: for each feature its mean and deviation, and the weights of it and of its square.
  struct Coefficients: Sendable, Hashable {
    var means, deviations, linear, squares: [Float]
    var constant: Float
  }

  /// Seconds that the means remember, and after which they count in full.
  private static let memory: Float = 40, least: Float = 20
  private static let hop: Float = 0.64

  /// The deviation, the slow, middle, fast and horizontal parts, the tilt, the asymmetry, the highest correlation and the
  /// crest, by their places in ``ActivityFeatures/values``.
  private static let features = [0, 10, 11, 12, 13, 14, 15, 18, 19]

  private let coefficients: Coefficients
  private var means: [Float]
  private var time: Float = 0
  private var gait = 0

  init(_ coefficients: Coefficients) {
    self.coefficients = coefficients
    means = [Float](repeating: 0, count: Self.features.count)
  }

  mutating func restart() { (time, gait) = (0, 0) }

  /// Takes the values of a window; a row of three of gait forgets what was before.
  mutating func update(_ values: [Float], isGait: Bool) {
    gait = isGait ? gait + 1 : 0
    if gait >= 3 { time = 0 }
    guard gait == 0 else { return }
    time += Self.hop
    let share = max(Self.hop / Self.memory, Self.hop / time)
    for (index, feature) in Self.features.enumerated() { means[index] += (values[feature] - means[index]) * share }
  }

  /// The logarithm of the odds of a vehicle, −3…3; it grows from 0 over 20 s, as means of little time say little.
  var logOdds: Float {
    var sum = coefficients.constant
    for index in means.indices {
      let z = min(3, max(-3, (means[index] - coefficients.means[index]) / coefficients.deviations[index]))
      sum += z * (coefficients.linear[index] + coefficients.squares[index] * z)
    }
    return min(3, max(-3, sum)) * min(1, time / Self.least)
  }
}
