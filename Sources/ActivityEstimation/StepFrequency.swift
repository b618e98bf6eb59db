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
  /// Where the score of a frequency finds what it adds up.
  private struct Place: Sendable {
    /// Of the frequency, its double and its half.
    var step, double, half: GaitSpectrum.Band
    /// Delays in cells.
    var oneStep, twoSteps: Int
  }

  /// Of all frequencies; the last one fills the last eight.
  private let places: [Place]
  /// Of eight frequencies: how far one step and two are on the way from their delay to the next, and the logarithm.
  private let parts: [(step: SIMD8<Float>, stride: SIMD8<Float>, logarithm: SIMD8<Float>)]

  init(_ coefficients: Coefficients = .trained) {
    self.coefficients = coefficients
    var places: [Place] = []
    var parts: [(step: SIMD8<Float>, stride: SIMD8<Float>, logarithm: SIMD8<Float>)] = []
    for first in stride(from: 0, to: Self.count, by: 8) {
      var part = (step: SIMD8<Float>.zero, stride: SIMD8<Float>.zero, logarithm: SIMD8<Float>.zero)
      for lane in 0..<8 {
        let frequency = Self.frequency(min(first + lane, Self.count - 1))
        let (step, stride) = (
          ActivityFeatures.Scale.delay(steps: 1, frequency), ActivityFeatures.Scale.delay(steps: 2, frequency)
        )
        places.append(
          Place(
            step: .init(frequency), double: .init(2 * frequency), half: .init(frequency / 2), oneStep: step.place,
            twoSteps: stride.place))
        (part.step[lane], part.stride[lane]) = (step.part, stride.part)
        part.logarithm[lane] = Float(Scalar.log(Double(frequency) / 1.8))
      }
      parts.append(part)
    }
    (self.places, self.parts) = (places, parts)
  }

  static func frequency(_ place: Int) -> Float { lowest + spacing * Float(place) }

  /// Hz.
  func best(_ scale: ActivityFeatures.Scale) -> Float {
    let strength = coefficients.strength * Float(Scalar.log(Double(scale.deviation) + 0.02)) + coefficients.logarithm
    var (best, place, before, after) = (-Float.infinity, 0, -Float.infinity, -Float.infinity)
    var previous = -Float.infinity
    withScores(scale, strength) { scores in
      for index in 0..<Self.count {
        let score = scores[index]
        if index == place + 1 { after = score }
        if score > best { (best, place, before, after) = (score, index, previous, -.infinity) }
        previous = score
      }
    }
    let curvature = before - 2 * best + after
    guard before > -.infinity, after > -.infinity, curvature < 0 else { return Self.frequency(place) }
    return Self.frequency(place) + Self.spacing * max(-0.5, min(0.5, (before - after) / (2 * curvature)))
  }

  /// The scores of all frequencies, eight at a time. Unsafe: nine rows of `count` numbers, which no index leaves.
  @inline(__always)
  private func withScores(
    _ scale: ActivityFeatures.Scale, _ strength: Float, _ body: (UnsafeMutablePointer<Float>) -> Void
  ) {
    let count = 8 * parts.count
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 9 * count) { room in
      guard let values = room.baseAddress else { return }
      places.withUnsafeBufferPointer { places in
        for index in 0..<count {
          let (place, value) = (places[index], values + index)
          value[0] = scale.norm[place.step]
          value[count] = scale.norm[place.double]
          value[2 * count] = scale.norm[place.half]
          value[3 * count] = scale.sway[place.half]
          value[4 * count] = scale.sway[place.step]
          value[5 * count] = scale.correlations[place.oneStep]
          value[6 * count] = scale.correlations[place.oneStep + 1]
          value[7 * count] = scale.correlations[place.twoSteps]
          value[8 * count] = scale.correlations[place.twoSteps + 1]
        }
      }
      // Shares. The sums of the spectrum only grow, so no part is negative.
      for index in 0..<3 * count { values[index] = (values[index] / scale.total).squareRoot() }
      for index in 3 * count..<5 * count { values[index] = (values[index] / scale.horizontal).squareRoot() }
      for group in parts.indices {
        let values = values + 8 * group
        func eight(_ row: Int) -> SIMD8<Float> {
          UnsafeRawPointer(values + row * count).loadUnaligned(as: SIMD8<Float>.self)
        }
        let part = parts[group]
        var scores = coefficients.step * eight(0) + coefficients.double * eight(1)
        scores +=
          coefficients.half * eight(2) + coefficients.strideSway * eight(3)
        scores += coefficients.stepSway * eight(4)
        scores += coefficients.stepCorrelation * (eight(5) * (1 - part.step) + eight(6) * part.step)
        scores += coefficients.strideCorrelation * (eight(7) * (1 - part.stride) + eight(8) * part.stride)
        scores += part.logarithm * (strength + coefficients.square * part.logarithm)
        UnsafeMutableRawPointer(values).storeBytes(of: scores, as: SIMD8<Float>.self)
      }
      body(values)
    }
  }
}
