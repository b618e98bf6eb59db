// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import ActivityEstimation
@testable import MotionServices

/// S69–S71: activities.
@Suite struct ActivityTests {
  @Test func aWalkBetweenTwoRestsIsToldWithItsBeginning() throws {
    let told = Told(Person(cadence: { 30..<90 ~= $0 ? 1.8 : nil }).samples(0..<120).samples)
    var kinds: [MotionActivity] = []
    // Between the two there may be seconds that are neither.
    for change in told.changes where change.activity != kinds.last && !change.activity.isEmpty {
      kinds.append(change.activity)
    }
    #expect(kinds == [.stationary, .walking, .stationary])
    // They take nothing away from the rest before them.
    for (a, b) in zip(told.changes, told.changes.dropFirst()) where a.activity.isEmpty {
      #expect(b.start.seconds - a.start.seconds < 6)
    }
    let walk = try #require(told.changes.first { $0.activity == .walking })
    #expect(abs(walk.start.seconds - 30) <= 3)
    for (a, b) in zip(told.changes, told.changes.dropFirst()) { #expect(b.start >= a.start) }
  }

  @Test func nothingIsKnownBeforeTheFirstWindow() {
    var estimator = ActivityEstimator()
    #expect(estimator.activity.activity == .unknown)
    for sample in Person(cadence: { _ in nil }).samples(0..<2.5).samples { #expect(estimator.update(sample) == nil) }
    #expect(estimator.activity.activity == .unknown && estimator.lastFeatures == nil)
  }

  @Test func aWindowClosesEvery64HundredthsAndTellsOfTheMiddle() {
    var estimator = ActivityEstimator()
    var times: [Double] = []
    for sample in Person().samples(0..<20).samples {
      _ = estimator.update(sample)
      if estimator.lastFeatures != nil { times.append(sample.time.seconds) }
    }
    // The first one is half empty.
    #expect(times.count == 28 && abs((times.first ?? 0) - 2.56) < 0.03)
    for (a, b) in zip(times, times.dropFirst()) { #expect(abs(b - a - 0.64) < 0.03) }
  }

  /// An estimator whose network says the same of every window.
  private func estimator(_ kind: ActivityNetwork.Kind, _ placement: Placement = .body)
    -> ActivityEstimator
  {
    var parameters = ActivityEstimator.Parameters()
    parameters.placement = placement
    var estimator = ActivityEstimator(parameters: parameters)
    estimator.classifier = ActivityClassifier(.always(kind))
    return estimator
  }

  @Test func aHeadShowsNoVehicle() {
    let samples = Person(cadence: { _ in nil }).samples(0..<60).samples
    for kind in [ActivityNetwork.Kind.automotive, .cycling] {
      let head = Told(samples, estimator(kind, .head))
      #expect(head.changes.allSatisfy { $0.activity.isDisjoint(with: [.automotive, .cycling]) })
      #expect(head.changes.last?.activity == .stationary)
    }
  }

  /// S71: bicycles and vehicles are known from simulations alone; and a walk without steps is none for certain.
  @Test func confidenceIsHighOnlyWhereThereIsEvidence() {
    let stands = Person(cadence: { _ in nil }).samples(0..<60).samples
    func highest(_ kind: ActivityNetwork.Kind) -> ActivityConfidence? {
      Told(stands, estimator(kind)).changes.map(\.confidence).max()
    }
    #expect(highest(.cycling) == .medium && highest(.walking) == .medium && highest(.running) == .medium)
    #expect(highest(.stationary) == .high)
    let walk = Told(Person().samples(0..<60).samples, estimator(.walking))
    #expect(walk.changes.map(\.confidence).max() == .high && walk.steps > 100)
  }

  @Test func stepsCountInGaitAlone() {
    for kind in [ActivityNetwork.Kind.stationary, .other, .automotive, .cycling] {
      #expect(Told(Person().samples(0..<60).samples, estimator(kind)).steps == 0)
    }
  }

  @Test func aSensorThatIsOffSaysNothing() {
    let told = Told((0..<6000).map { .force(Int64($0) * 20_000_000, 0, 0, 0) })
    #expect(told.steps == 0 && told.events.isEmpty && told.rejected == 0)
    #expect(told.changes.allSatisfy { $0.activity.isDisjoint(with: [.walking, .running, .cycling]) })
  }

  @Test func aLegThatPedalsMakesHardlyAStep() {
    // The published ride: 0.39 g at 1.22 Hz, smooth, nothing at half the rate.
    let samples = (0..<6000).map { index -> SensorSample in
      let time = Double(index) / 50
      let phase = 2 * Double.pi * 1.22 * time
      let road = 0.03 * Scalar.sin(41 * time) + 0.03 * Scalar.sin(53.3 * time)
      let up = 1 + 0.53 * Scalar.sin(phase) + 0.1 * Scalar.sin(2 * phase) + road
      return .force(Int64(index) * 20_000_000, 0.3 * Scalar.cos(phase) + road, road, up)
    }
    let told = Told(samples)
    // Of 146 turns.
    #expect(told.steps <= 15, "\(told.steps)")
    #expect(Told(samples, estimator(.walking)).steps > 120)
  }
}

/// From windows to kinds of movement: the network and the hidden Markov model.
@Suite struct ActivityClassifierTests {
  private static let networks = [ActivityNetwork.Coefficients.body, .wrist]

  /// A window that the network of strengths takes for walking, or for rest.
  private func window(_ isStrong: Bool) -> ActivityFeatures {
    var features = ActivityFeatures()
    (features.deviation, features.middleDeviation) = isStrong ? (0.3, 0.3) : (0.003, 0.003)
    return features
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
    var classifier = ActivityClassifier(Self.networks[index])
    for (number, features) in (odd + odd.reversed()).enumerated() {
      classifier.update(features, .init(), middle: Int64(number) * 640_000_000)
      for values in [classifier.probabilities, classifier.lateProbabilities] {
        #expect(abs(values.sum() - 1) < 1e-4 && values.min() >= 0 && values.max() <= 1.0001)
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
      #expect(abs(estimator.classifier.probabilities.sum() - 1) < 1e-4)
      #expect(abs(estimator.classifier.lateProbabilities.sum() - 1) < 1e-4)
    }
  }

  @Test func aWindowThatContradictsItsNeighboursIsOutvoted() {
    for isWalk in [true, false] {
      var classifier = ActivityClassifier(.strength)
      for number in 0..<40 {
        classifier.update(window((number == 20) != isWalk), .init(), middle: Int64(number) * 640_000_000)
        guard number > 10 else { continue }
        #expect((classifier.lateGait > 0.5) == isWalk, "window \(number)")
        #expect(classifier.kind == (isWalk ? .walking : .stationary))
      }
    }
  }

  @Test func aLateProbabilityKnowsMoreThanAnEarlyOne() {
    // The block in which a walk ends is judged: at once, and with the two windows after it.
    for isWalk in [true, false] {
      var classifier = ActivityClassifier(.strength)
      var (early, late): ([Float], [Float]) = ([], [])
      for number in 0..<60 {
        classifier.update(window((number < 20) == isWalk), .init(), middle: Int64(number) * 640_000_000)
        early.append(classifier.gait)
        late.append(classifier.lateGait)
      }
      let lag = ActivityClassifier.lag
      for number in 20..<23 {
        let isBetter = isWalk ? late[number + lag] < early[number] : late[number + lag] > early[number]
        #expect(isBetter, "window \(number): \(early[number]), then \(late[number + lag])")
      }
      // Late and early end in the same.
      #expect(abs(late[59] - early[57]) < 0.02)
    }
  }

  @Test func anActivityBeginsWhereItsProbabilityComesFromItself() throws {
    var classifier = ActivityClassifier(.strength)
    for number in 0..<40 { classifier.update(window(number >= 20), .init(), middle: Int64(number) * 640_000_000) }
    #expect(classifier.kind == .walking)
    #expect(abs(Double(classifier.start) * 1e-9 - 20 * 0.64) < 1.5)
    classifier.restart()
    #expect(classifier.kind == nil && abs(classifier.probabilities.sum() - 1) < 1e-4)
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

/// The numbers that activities are judged by, and the frequency of the steps.
@Suite struct GaitFeatureTests {
  @Test func theTransformOfTwoSignalsIsTheSumOfItsDefinition() {
    let count = GaitWindow.length
    let signals = (0..<count).map { index -> (Float, Float) in
      let time = Double(index) / GaitWindow.rate
      return (
        Float(Scalar.sin(2 * .pi * 2 * time) + 0.3 * Scalar.cos(2 * .pi * 5.3 * time)),
        Float(0.5 * Scalar.cos(2 * .pi * time))
      )
    }
    func transform(_ spectrum: inout GaitSpectrum, _ first: [Float], _ second: [Float]) {
      spectrum.transform(first.span, second.span)
    }
    var spectrum = GaitSpectrum()
    // What an earlier window left must not matter.
    transform(&spectrum, [Float](repeating: 1, count: count), [Float](repeating: -1, count: count))
    transform(&spectrum, signals.map(\.0), signals.map(\.1))
    let (first, second) = (spectrum.first.lines, spectrum.second.lines)
    #expect(first.count == GaitSpectrum.lines - 1)
    for line in stride(from: 1, to: GaitSpectrum.lines, by: 7) {
      var sums = (SIMD2<Double>.zero, SIMD2<Double>.zero)
      for (index, (a, b)) in signals.enumerated() {
        let taper = 0.5 - 0.5 * Scalar.cos(2 * .pi * Double(index) / Double(count))
        let angle = 2 * Double.pi * Double(line * index) / Double(GaitSpectrum.points)
        let turn = SIMD2(Scalar.cos(angle), -Scalar.sin(angle))
        sums.0 += turn * (Double(a) * taper)
        sums.1 += turn * (Double(b) * taper)
      }
      #expect(abs(Double(first[line - 1]) - (sums.0 * sums.0).sum()) < 0.01)
      #expect(abs(Double(second[line - 1]) - (sums.1 * sums.1).sum()) < 0.01)
    }
  }

  /// Slow steps are weak and fast ones strong, as people's are.
  static func gait(_ cadence: Double, _ shape: Person.Gait) -> Person.Gait {
    let strength = 0.6 * cadence * cadence / 3.24
    return Person.Gait(
      step: strength * shape.step, double: strength * shape.double, impact: strength * shape.impact,
      half: strength * shape.half, sway: strength * shape.sway, surge: strength * shape.surge)
  }

  static let shapes = [
    Person.Gait(),
    // A heel and a toe that are as strong as the step; a limp, or a leg's swing, that is as strong; both.
    Person.Gait(step: 0.3, double: 0.35, sway: 0.3), Person.Gait(step: 0.3, double: 0.1, half: 0.3, sway: 0.5),
    Person.Gait(step: 0.3, double: 0.25, half: 0.25, sway: 0.4),
  ]

  @Test(arguments: [1.2, 1.4, 1.7, 2.0, 2.3, 2.6, 2.9, 3.1], shapes.indices)
  func theStepFrequencyIsFoundThoughItsDoubleOrItsHalfIsAsStrong(cadence: Double, shape: Int) {
    let gait = Self.gait(cadence, Self.shapes[shape])
    let windows = ActivityEstimator.features(Person(cadence: { _ in cadence }, gait: gait).samples(0..<30).samples)
    for features in windows.dropFirst(4) { #expect(abs(Double(features.stepFrequency) - cadence) < 0.06) }
  }

  @Test func turningTheDeviceChangesNoFeature() throws {
    let cadence: (Double) -> Double? = { 8..<22 ~= $0 ? 1.8 : nil }
    let upright = ActivityEstimator.features(Person(cadence: cadence).samples(0..<30).samples)
    for (w, x, y, z) in [(0.3, 0.5, -0.2, 0.7), (1, 1, 0, 0), (0, 0, 1, 0), (-0.5, 0.1, 0.9, 0.4)] {
      let turn = try #require(Rotation<Device, EastNorthUp>(w: w, x: x, y: y, z: z))
      let turned = ActivityEstimator.features(Person(orientation: turn, cadence: cadence).samples(0..<30).samples)
      #expect(turned.count == upright.count)
      for (a, b) in zip(turned, upright) {
        for (name, (x, y)) in zip(ActivityFeatures.names, zip(a.values, b.values)) {
          #expect(abs(x - y) < 0.02, "\(name)")
        }
      }
    }
  }

  @Test(arguments: [20.0, 25, 100, 400]) func anyRateGivesNearlyTheSameFeatures(rate: Double) {
    let reference = ActivityEstimator.features(Person().samples(0..<20).samples)
    let windows = ActivityEstimator.features(Person(rate: rate).samples(0..<20).samples)
    #expect(abs(windows.count - reference.count) <= 1)
    for (a, b) in zip(windows, reference) {
      for (name, (x, y)) in zip(ActivityFeatures.names, zip(a.values, b.values)) {
        // A sensor of 20 Hz rounds the peaks off.
        #expect(abs(x - y) < 0.15, "\(name)")
      }
    }
  }

  @Test func featuresAreFiniteWhateverTheSensorSays() {
    // As good as noise.
    func noise(_ index: Int) -> Double { Scalar.sin(1.7 * Double(index * index)) }
    let signals: [(Int) -> (Double, Double, Double)] = [
      { _ in (0, 0, 0) }, { _ in (0, 0, 1) }, { _ in (-1e-30, 0, 1e-30) }, { _ in (1000, -1000, 1000) },
      { $0 % 2 == 0 ? (1000, 0, 0) : (-1000, 0, 0) }, { $0 == 400 ? (0, 900, 0) : (0, 0, 0) },
      { $0 < 400 ? (0, 0, 1) : (0, 0, -1) }, { (noise($0), noise($0 + 1000), noise($0 + 2000)) },
    ]
    for signal in signals {
      let samples = (0..<800).map { index in
        let (x, y, z) = signal(index)
        return SensorSample.force(Int64(index) * 20_000_000, x, y, z)
      }
      let windows = ActivityEstimator.features(samples)
      #expect(windows.count > 20)
      for features in windows {
        #expect(features.values.count == ActivityFeatures.names.count && features.values.allSatisfy(\.isFinite))
        #expect((StepFrequency.lowest...3.6).contains(features.stepFrequency))
      }
    }
  }
}
