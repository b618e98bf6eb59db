// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import ActivityEstimation
@testable import MotionServices

/// From windows to kinds of movement: the network and the hidden Markov model.
@Suite struct ActivityClassifierTests {
  private static let networks = [ActivityNetwork.Coefficients.body, .wrist]

  /// A window that the network of strengths takes for walking, or for rest.
  private func window(_ isStrong: Bool) -> ActivityFeatures {
    var features = ActivityFeatures()
    (features.deviation, features.middleDeviation) = isStrong ? (0.3, 0.3) : (0.003, 0.003)
    return features
  }

  private func sum(_ values: ActivityNetwork.Values) -> Float {
    ActivityNetwork.Kind.allCases.reduce(0) { $0 + values[$1.rawValue] }
  }

  @Test(arguments: networks.indices) func theNumbersOfANetworkFitEachOther(index: Int) {
    let network = Self.networks[index]
    let (features, kinds) = (ActivityFeatures.names.count, ActivityNetwork.Kind.allCases.count)
    #expect(network.means.count == features && network.deviations.count == features)
    #expect(network.hidden.count == (network.output.count / kinds - 1) * (features + 1))
    #expect(network.deviations.allSatisfy { $0 > 0 && $0.isFinite })
    #expect((network.means + network.hidden).allSatisfy { $0.isFinite })
    #expect(network.output.count % kinds == 0 && network.output.allSatisfy(\.isFinite))
    #expect(ActivityFeatures().values.count == features)
  }

  /// Features as no recording has them.
  private var odd: [ActivityFeatures] {
    [0, 1e-30, 1, -1, 1e30, -1e30, .infinity, -.infinity, .nan].map { (value: Float) in
      var features = ActivityFeatures()
      (features.deviation, features.stepFrequency, features.stepShare, features.tilt) = (value, value, value, value)
      (features.strideSway, features.highest, features.lowest) = (value, value, -value)
      return features
    }
  }

  @Test(arguments: networks.indices) func whateverTheFeaturesAreTheProbabilitiesAreSuch(index: Int) {
    var network = ActivityNetwork(Self.networks[index])
    for features in odd {
      let logarithms = network.logarithms(features)
      let total = ActivityNetwork.Kind.allCases.reduce(0) { $0 + Scalar.exp(Double(logarithms[$1.rawValue])) }
      #expect(abs(total - 1) < 1e-4)
    }
    var classifier = ActivityClassifier(network)
    for (number, features) in (odd + odd.reversed()).enumerated() {
      classifier.update(features, middle: Int64(number) * 640_000_000)
      for values in [classifier.probabilities, classifier.lateProbabilities] {
        #expect(abs(sum(values) - 1) < 1e-4 && values.min() >= 0 && values.max() <= 1.0001)
      }
      #expect(classifier.kind != nil && (0...1.0001).contains(classifier.certainty))
    }
  }

  @Test func probabilitiesStaySuchThroughGapsAndTimesThatGoBack() {
    var estimator = ActivityEstimator()
    let walk = Person(cadence: { Int($0 / 9) % 2 == 0 ? 1.8 : nil }).samples(0..<60).samples
    let gaps = walk.filter { Int($0.time.seconds) % 10 < 7 }
    for sample in gaps + walk.reversed().prefix(20) + walk {
      _ = estimator.update(sample)
      guard estimator.lastFeatures != nil else { continue }
      #expect(abs(sum(estimator.classifier.probabilities) - 1) < 1e-4)
      #expect(abs(sum(estimator.classifier.lateProbabilities) - 1) < 1e-4)
    }
  }

  @Test func aWindowThatContradictsItsNeighboursIsOutvoted() {
    for isWalk in [true, false] {
      var classifier = ActivityClassifier(ActivityNetwork(.strength))
      for number in 0..<40 {
        classifier.update(window((number == 20) != isWalk), middle: Int64(number) * 640_000_000)
        guard number > 10 else { continue }
        #expect((classifier.lateGait > 0.5) == isWalk, "window \(number)")
        #expect(classifier.kind == (isWalk ? .walking : .stationary))
      }
    }
  }

  @Test func aLateProbabilityKnowsMoreThanAnEarlyOne() {
    // The block in which a walk ends is judged: at once, and with the two windows after it.
    for isWalk in [true, false] {
      var classifier = ActivityClassifier(ActivityNetwork(.strength))
      var (early, late): ([Float], [Float]) = ([], [])
      for number in 0..<40 {
        classifier.update(window((number < 20) == isWalk), middle: Int64(number) * 640_000_000)
        early.append(classifier.gait)
        late.append(classifier.lateGait)
      }
      let lag = ActivityClassifier.lag
      for number in 20..<23 {
        let isBetter = isWalk ? late[number + lag] < early[number] : late[number + lag] > early[number]
        #expect(isBetter, "window \(number): \(early[number]), then \(late[number + lag])")
      }
      // Late and early end in the same.
      #expect(abs(late[39] - early[37]) < 0.02)
    }
  }

  @Test func anActivityBeginsWhereItsProbabilityComesFromItself() throws {
    var classifier = ActivityClassifier(ActivityNetwork(.strength))
    for number in 0..<40 { classifier.update(window(number >= 20), middle: Int64(number) * 640_000_000) }
    #expect(classifier.kind == .walking)
    #expect(abs(Double(classifier.start) * 1e-9 - 20 * 0.64) < 1.5)
    classifier.restart()
    #expect(classifier.kind == nil && abs(sum(classifier.probabilities) - 1) < 1e-4)
  }

  @Test func hoursNeedNoMoreMemoryThanMinutes() {
    var estimator = ActivityEstimator()
    var sizes: [Int] = []
    // Walks and rests of a quarter of a minute.
    let minute = Person(rate: 25, cadence: { Int($0 / 15) % 2 == 0 ? 1.8 : nil }).samples(0..<60).samples
    for number in 0..<40 {
      for sample in minute {
        guard case .accelerometer(var reading) = sample else { continue }
        reading.time = SensorInstant(nanoseconds: reading.time.nanoseconds + Int64(number) * 60_000_000_000)
        _ = estimator.update(.accelerometer(reading))
      }
      if number % 5 == 4 { sizes.append(elements(in: estimator)) }
    }
    #expect(sizes.count == 8 && sizes.max() ?? 0 <= (sizes.first ?? 0) + 64, "\(sizes)")
  }

  /// The number of values that are reached from a value.
  private func elements(in value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    return mirror.children.reduce(1) { $0 + elements(in: $1.value) }
  }
}
