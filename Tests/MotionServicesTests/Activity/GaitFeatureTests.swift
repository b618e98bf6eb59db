// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@testable import MotionServices

/// The numbers that activities are judged by, and the scores.
@Suite struct GaitFeatureTests {
  @Test(arguments: [256, 128]) func theTransformOfTwoSignalsIsTheSumOfItsDefinition(count: Int) {
    func value(_ index: Int) -> (Float, Float) {
      let time = Double(index) * 0.02
      return (
        Float(Scalar.sin(2 * .pi * 2 * time) + 0.3 * Scalar.cos(2 * .pi * 5.3 * time)),
        Float(0.5 * Scalar.cos(2 * .pi * time))
      )
    }
    var spectrum = GaitSpectrum()
    // What an earlier, longer window left must not matter.
    spectrum.transform(count: 256) { _ in (1, -1) }
    spectrum.transform(count: count, value)
    for line in stride(from: 1, to: GaitSpectrum.lines, by: 7) {
      var sums = (SIMD2<Double>.zero, SIMD2<Double>.zero)
      for index in 0..<count {
        let (a, b) = value(index)
        let taper = 0.5 - 0.5 * Scalar.cos(2 * .pi * Double(index) / Double(count))
        let angle = 2 * Double.pi * Double(line * index) / Double(GaitSpectrum.points)
        let turn = SIMD2(Scalar.cos(angle), -Scalar.sin(angle))
        sums.0 += turn * (Double(a) * taper)
        sums.1 += turn * (Double(b) * taper)
      }
      #expect(abs(Double(spectrum.first[line]) - (sums.0 * sums.0).sum()) < 0.01)
      #expect(abs(Double(spectrum.second[line]) - (sums.1 * sums.1).sum()) < 0.01)
    }
  }

  /// A sensor of 2 g clips a run to the strength of a brisk walk; the rate of the steps still tells them apart.
  @Test(arguments: [LogisticScore.runningBody, .runningWrist])
  func theRateOfTheStepsTellsARunFromAWalkOfTheSameStrength(score: LogisticScore) {
    var features = ActivityFeatures()
    (features.deviation, features.lowest, features.autocorrelation) = (0.55, 1, 0.8)
    (features.horizontal, features.sway) = (0.4, 0.2)
    (features.rate, features.delay) = (1.9, 0.52)
    #expect(score.probability(features.runningInputs) < 0.3)
    (features.rate, features.delay) = (2.7, 0.38)
    #expect(score.probability(features.runningInputs) > 0.7)
    features.lowest = .infinity
    #expect((0.01...0.99).contains(score.probability(features.runningInputs)))
  }

  @Test func aSmoothSlowSwingUpAndDownIsPedalsAndFootfallsAreNot() {
    var features = ActivityFeatures()
    (features.slow, features.horizontal, features.highest, features.lowest) = (0.8, 0.2, 0.55, 0.5)
    (features.sway, features.rate) = (0.02, 1.2)
    #expect(LogisticScore.pedalling.probability(features.pedallingInputs) > 0.9)
    (features.slow, features.horizontal, features.highest, features.sway, features.rate) = (0.1, 0.5, 1, 0.2, 1.8)
    #expect(LogisticScore.pedalling.probability(features.pedallingInputs) < 0.1)
  }
}
