// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// How likely a contact is a fall: a sum of curves, one for each number of ``FallFeatures``, through the logistic curve.
///
/// A curve is a straight line that bends at three knots. So too little and too much can both speak against a fall (a
/// device that is thrown is lighter than a person who falls), and each number's part can be looked at by itself. The
/// weights come from simulated falls: `Scripts/train-falls.py`, which prints what they are worth.
struct FallScore: Sendable, Hashable {
  /// g: a contact below is not judged. Every cell above it costs a look at its neighbours.
  var leastPeak: Double
  /// The logarithm of the odds where all curves are 0.
  var constant: Double
  /// The slope of each curve at its beginning.
  var slopes: SIMD16<Double>
  /// Where the curves bend, and by how much.
  var knots: [SIMD16<Double>]
  var bends: [SIMD16<Double>]

  /// 0…1; from 0.5 on it is called a fall.
  func probability(_ features: FallFeatures) -> Double {
    let values = features.values
    var sum = slopes * values
    for (knot, bend) in zip(knots, bends) {
      let beyond = values - knot
      sum += bend * beyond.replacing(with: 0, where: beyond .< 0)
    }
    return 1 / (1 + Scalar.exp(-min(30, max(-30, constant + sum.sum()))))
  }
}

extension FallDetector {
  /// Why a source cannot serve, as a sentence; nil when it can.
  ///
  /// A range of 2 g hides what tells a fall: of the falls of a phone that clips there half were found, or each tenth
  /// other movement was called one (MobiFall).
  package static func refusal(of info: SensorInfo) -> String? {
    guard HubStream.activity.isServed(by: info.kinds) else {
      return "Falls cannot be told: \(info.name) has no accelerometer."
    }
    let channel = info.channel(.accelerometer)
    if let range = channel?.range, range < leastRange {
      let text = (range / standardGravity * 10).rounded() / 10
      return
        "Falls cannot be told: the accelerometer of \(info.name) ends at \(text) g, and an impact needs a range of 4 g or more."
    }
    if let rate = channel?.rates.max(), rate < leastRate {
      return
        "Falls cannot be told: the accelerometer of \(info.name) gives \((rate * 10).rounded() / 10) samples a second, and 20 are needed."
    }
    return nil
  }

  /// m/s²: between the ranges of 2 g and 4 g, less what a calibration takes.
  package static let leastRange = 3 * standardGravity
  /// Hz: nominal 20, measured. A slower sensor averages impacts away.
  private static let leastRate = 19.0
}
