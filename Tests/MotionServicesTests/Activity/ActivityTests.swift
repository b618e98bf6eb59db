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
  private func estimator(_ kind: ActivityNetwork.Kind, _ placement: ActivityEstimator.Placement = .body)
    -> ActivityEstimator
  {
    var parameters = ActivityEstimator.Parameters()
    parameters.placement = placement
    var estimator = ActivityEstimator(parameters: parameters)
    estimator.classifier = ActivityClassifier(ActivityNetwork(.always(kind)))
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

  /// S71: a car that stands is both.
  @Test func aCarThatStandsIsStationaryToo() {
    let stands = Person(cadence: { _ in nil }).samples(0..<60).samples
    #expect(Told(stands, estimator(.automotive)).changes.last?.activity == [.automotive, .stationary])
    let moves = Person(cadence: { _ in 1.8 }).samples(0..<60).samples
    #expect(Told(moves, estimator(.automotive)).changes.last?.activity == .automotive)
  }

  /// S71: bicycles are known from simulations alone; and a walk without steps is none for certain.
  @Test func confidenceIsHighOnlyWhereThereIsEvidence() {
    let stands = Person(cadence: { _ in nil }).samples(0..<60).samples
    func highest(_ kind: ActivityNetwork.Kind) -> ActivityConfidence? {
      Told(stands, estimator(kind)).changes.map(\.confidence).max()
    }
    #expect(highest(.cycling) == .medium && highest(.walking) == .medium && highest(.running) == .medium)
    #expect(highest(.stationary) == .high && highest(.automotive) == .high)
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
