// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// How many steps a second a window has, if it has steps: the pitch of a walk.
///
/// A walk has a line at the step frequency, but often a stronger one at its double (a heel and a toe in a step) or, at a
/// wrist or a leg, at its half (a swing in two steps). So each frequency from 0.9 Hz to 3.6 Hz gets a score: the shares
/// of the frequency, its half and one and a half of it, the horizontal sway of the stride, the autocorrelation after half
/// a step and after two, and how usual the frequency is. At half of the true frequency the autocorrelation after half a
/// step is high; an odd multiple of the stride speaks for a step. ``PaceTracker`` joins the scores of the windows.
///
/// The coefficients are a conditional logistic regression (McFadden 1974) on walks and runs whose step frequency is
/// known: `Scripts/train-activity.py`.
struct StepFrequency: Sendable {
  /// The weights in the sum.
  struct Coefficients: Sendable, Hashable {
    /// Of the shares of ½, 1 and 1½ of the step frequency in the length of the acceleration, and of ½ in the sway.
    var half, step, oneAndHalf, strideSway: Float
    /// Of the autocorrelation after ½ and 2 steps.
    var halfCorrelation, strideCorrelation: Float
    /// Of the logarithm of the frequency over 1.8 Hz, and of its square.
    var logarithm, square: Float
  }

  /// Hz: from the lowest frequency, in steps.
  static let lowest: Float = 0.9
  static let spacing: Float = 0.05
  static let count = 55

  private let weights: Coefficients
  /// Of each frequency: the bands of its lines, and the delays of the autocorrelation.
  private let places: [Place]

  private struct Place: Sendable {
    var half, step, oneAndHalf: GaitSpectrum.Band
    var halfDelay, strideDelay: (place: Int, part: Float)
    /// What the frequency has before anything is seen.
    var usual: Float
  }

  init(_ coefficients: Coefficients = .trained) {
    weights = coefficients
    places = (0..<Self.count).map { index in
      let frequency = Self.frequency(index)
      let logarithm = Float(Scalar.log(Double(frequency) / 1.8))
      return Place(
        half: .init(frequency / 2), step: .init(frequency), oneAndHalf: .init(1.5 * frequency),
        halfDelay: ActivityFeatures.Scale.delay(steps: 0.5, frequency),
        strideDelay: ActivityFeatures.Scale.delay(steps: 2, frequency),
        usual: logarithm * (coefficients.logarithm + coefficients.square * logarithm))
    }
  }

  static func frequency(_ place: Int) -> Float { lowest + spacing * Float(place) }

  /// The frequency of the grid next to one in Hz.
  static func place(_ frequency: Float) -> Int {
    // fits: limited to the grid
    Int(min(Float(count - 1), max(0, ((frequency - lowest) / spacing).rounded())))
  }

  /// The scores of all frequencies.
  func score(_ scale: ActivityFeatures.Scale, _ scores: inout [Float]) {
    // Shares. The sums of the spectrum only grow, so no part is negative.
    func share(_ band: GaitSpectrum.Band) -> Float { (scale.norm[band] / scale.total).squareRoot() }
    func correlation(_ delay: (place: Int, part: Float)) -> Float {
      scale.correlations[delay.place] * (1 - delay.part) + scale.correlations[delay.place + 1] * delay.part
    }
    for (index, place) in places.enumerated() {
      scores[index] =
        place.usual + weights.half * share(place.half) + weights.step * share(place.step)
        + weights.oneAndHalf * share(place.oneAndHalf)
        + weights.strideSway * (scale.sway[place.half] / scale.horizontal).squareRoot()
        + weights.halfCorrelation * correlation(place.halfDelay)
        + weights.strideCorrelation * correlation(place.strideDelay)
    }
  }

  /// Hz: the highest score between two frequencies.
  static func best(_ scores: [Float], from low: Float = lowest, to high: Float = frequency(count - 1)) -> Float {
    var best = place(low)
    for index in best...max(best, place(high)) where scores[index] > scores[best] { best = index }
    return refined(best, scores)
  }

  /// Hz: the summit of the parabola through a score and its neighbours; the frequency itself where they have none.
  static func refined(_ place: Int, _ scores: [Float]) -> Float {
    guard place > 0, place < count - 1 else { return frequency(place) }
    let (before, at, after) = (scores[place - 1], scores[place], scores[place + 1])
    let curvature = before - 2 * at + after
    guard curvature < 0 else { return frequency(place) }
    return frequency(place) + spacing * max(-0.5, min(0.5, (before - after) / (2 * curvature)))
  }
}
