// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// How many steps a second a window has, if it has steps: the pitch of a walk.
///
/// A walk has a line at the step frequency, but often a stronger one at its double (a heel and a toe in a step) or, at a
/// wrist or a leg, at its half (a swing in two steps). So each frequency from 0.9 Hz to 3.6 Hz gets a score: the shares
/// of the frequency, of its double and of its half, the horizontal sway at both, the autocorrelation after one step and
/// after two, and how usual the frequency is for so strong a movement. The best score wins; its place between the
/// frequencies is that of a parabola.
///
/// The coefficients are a conditional logistic regression (McFadden 1974) on walks and runs whose step frequency is
/// known: `Scripts/train-activity.py`.
struct StepFrequency: Sendable {
  /// The weights in the sum.
  struct Coefficients: Sendable, Hashable {
    /// Of the shares of the step frequency, its double and its half, and of the horizontal sway at half and at once.
    var step, double, half, strideSway, stepSway: Float
    /// Of the autocorrelation.
    var stepCorrelation, strideCorrelation: Float
    /// Of the logarithm of the frequency over 1.8 Hz, times that of the deviation; alone; and squared.
    var strength, logarithm, square: Float
  }

  /// Hz: from the lowest frequency, in steps.
  static let lowest: Float = 0.9
  static let spacing: Float = 0.05
  static let count = 55

  let coefficients: Coefficients
  private let logarithms: [Float]

  init(_ coefficients: Coefficients = .trained) {
    self.coefficients = coefficients
    logarithms = (0..<Self.count).map { Float(Scalar.log(Double(Self.frequency($0)) / 1.8)) }
  }

  static func frequency(_ place: Int) -> Float { lowest + spacing * Float(place) }

  /// Hz.
  func best(_ scale: ActivityFeatures.Scale) -> Float {
    let strength = coefficients.strength * Float(Scalar.log(Double(scale.deviation) + 0.02)) + coefficients.logarithm
    var (best, place, before, after) = (-Float.infinity, 0, -Float.infinity, -Float.infinity)
    var previous = -Float.infinity
    for index in 0..<Self.count {
      let frequency = Self.frequency(index)
      let logarithm = logarithms[index]
      var score = coefficients.step * scale.share(frequency) + coefficients.double * scale.share(2 * frequency)
      score += coefficients.half * scale.share(frequency / 2) + coefficients.strideSway * scale.sway(frequency / 2)
      score += coefficients.stepSway * scale.sway(frequency)
      score += coefficients.stepCorrelation * scale.correlation(steps: 1, frequency)
      score += coefficients.strideCorrelation * scale.correlation(steps: 2, frequency)
      score += logarithm * (strength + coefficients.square * logarithm)
      if index == place + 1 { after = score }
      if score > best { (best, place, before, after) = (score, index, previous, -.infinity) }
      previous = score
    }
    let curvature = before - 2 * best + after
    guard before > -.infinity, after > -.infinity, curvature < 0 else { return Self.frequency(place) }
    return Self.frequency(place) + Self.spacing * max(-0.5, min(0.5, (before - after) / (2 * curvature)))
  }
}
