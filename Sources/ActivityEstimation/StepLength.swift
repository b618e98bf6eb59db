// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// How far a step goes, from the person's height, the cadence, and how strongly the body goes up and down.
///
/// Two limits meet in it, both in heights of the person:
///
/// - Longer steps raise the body more: by 2.7 cm at 0.7 m/s, by 4.8 cm at 1.6 m/s (Orendurff et al. 2004, J Rehabil Res
///   Dev 41, 829), 5 to 6 % of the step. So a short step, indoors, among turns and stops, is as long as the *amplitude*
///   says: in proportion, as Mobilise-D's walks show at any cadence (a fit of both has the powers 0.9 and 0.0).
/// - Who steps faster also steps longer: length divided by cadence is a person's own, at any speed of free walking (Rota
///   et al. 2011, Int J Rehabil Res 34, 265). So a long step is as long as the *cadence* says.
///
/// Length⁻⁴ = amplitude limit⁻⁴ + cadence limit⁻⁴: near the smaller of the two, without a seam. With the power 4, the
/// two papers' steps at 1.2 and 1.6 m/s come out within 9 %. A run needs no rule of its own: its amplitude does not
/// limit.
struct StepLength: Sendable, Hashable {
  /// The constants: lengths in heights, standard deviations as parts of the length.
  struct Parameters: Sendable, Hashable {
    /// For each g of the amplitude. Two people of Mobilise-D (25 walks indoors) alone give 1.6 and 2.1; a third with
    /// phones in hand and pocket (motion capture) 1.5 to 2.3.
    var amplitudeGain = 1.75
    /// For each step per second: 3.35 km in 3100 steps.
    var cadenceGain = 0.25
    /// Between people, and between places of the device: the same three people, and six places of a phone.
    var amplitudeDeviation = 0.18
    /// Between people: walking by Rota (6.38 ± 0.66 mm for a step per minute); in a run chosen, as runners of one cadence
    /// differ more in speed.
    var cadenceDeviation = 0.1
    var runningDeviation = 0.15
    /// The heights of adults, where the person's is not known.
    var heightDeviation = 0.056
    /// Between the walks of a person, by amplitude and by cadence. The walks of Mobilise-D deviate by 0.16 from the
    /// model, but two of 25 by +40 % and +67 %: 0.32 holds all.
    var amplitudeWander = 0.32
    var cadenceWander = 0.05
    /// Steps over which such a deviation lasts.
    var wanderLength = 10.0
    /// Steps by which the begin and the end of a walk are uncertain: maxima of the acceleration beside contacts of the
    /// feet, in Mobilise-D.
    var edge = 1.0

    /// A phone on the body, or headphones.
    static let body = Parameters()
    /// The norm at a wrist has two thirds of a pocket's amplitude, and 27 % between people (WISDM: 22 watches).
    static var wrist: Parameters {
      var parameters = Parameters()
      (parameters.amplitudeGain, parameters.amplitudeDeviation) = (2.7, 0.32)
      return parameters
    }
  }

  /// A step and how far off it may be, in metres.
  struct Length: Sendable, Hashable {
    var metres: Double
    /// Standard deviation of what the steps of a person have in common.
    var common: Double
    /// Standard deviation of what the steps of a walk have in common.
    var wander: Double
  }

  let parameters: Parameters
  /// Metres.
  let height: Double
  let isHeightKnown: Bool

  /// Nil: 1.70 m, which may be wrong.
  init(height: Double?, parameters: Parameters = .body) {
    let known = height.flatMap { $0 > 0.5 && $0 < 2.8 ? $0 : nil }
    (self.height, isHeightKnown, self.parameters) = (known ?? 1.7, known != nil, parameters)
  }

  /// The cadence in steps per second, the amplitude in g (``StepAmplitude``).
  func length(cadence: Double, amplitude: Double, isRunning: Bool) -> Length {
    let byCadence = parameters.cadenceGain * min(4, max(0.3, cadence))
    let byAmplitude = parameters.amplitudeGain * max(0.01, amplitude)
    let (far, near) = (1 / (byCadence * byCadence), 1 / (byAmplitude * byAmplitude))
    let sum = far * far + near * near
    /// The part of a relative change of the amplitude that reaches the length; the rest is the cadence's.
    let part = near * near / sum
    let metres = height / sum.squareRoot().squareRoot()
    let person = (isRunning ? parameters.runningDeviation : parameters.cadenceDeviation) * (1 - part)
    let size = isHeightKnown ? 0 : parameters.heightDeviation
    let known = (person * person + size * size).squareRoot()
    let shake = parameters.amplitudeDeviation * part
    return Length(
      metres: metres, common: metres * (known * known + shake * shake).squareRoot(),
      wander: metres * (parameters.amplitudeWander * part + parameters.cadenceWander * (1 - part)))
  }
}

/// How far off a distance on foot may be.
///
/// What the steps of a person have in common (height, way of walking, place of the device) is the same at the end of a
/// kilometre as at its begin: those errors add up. What differs from walk to walk averages out: the variances add up.
/// So four metres are less certain, in per cent, than a kilometre.
package struct DistanceError: Sendable, Hashable, BitwiseCopyable {
  /// Metres: standard deviation of what all the steps have in common.
  package var common = 0.0
  /// m²: variance of what differs from walk to walk.
  package var variance = 0.0

  /// None.
  package init() {}

  /// That of two distances together.
  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.common += right.common
    sum.variance += right.variance
    return sum
  }

  /// Metres: standard deviation of the whole.
  package var deviation: Double { (common * common + variance).squareRoot() }

  /// Metres within which the true distance is in 95 of 100 cases. An error multiplies (a log-normal distribution), so
  /// the upper part is longer.
  package func interval(around distance: Double) -> ClosedRange<Double> {
    guard distance > 0 else { return 0...0 }
    let part = deviation / distance
    let factor = Scalar.exp(1.96 * Scalar.log(1 + part * part).squareRoot())
    return distance / factor...distance * factor
  }
}
