// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionServices

/// S69–S71: activities, and the trees behind them.
@Suite(.timeLimit(.minutes(20))) struct ActivityTests {
  @Test func aWalkBetweenTwoRestsIsToldWithItsBeginning() throws {
    let told = Told(Person(cadence: { 30..<90 ~= $0 ? 1.8 : nil }).samples(0..<120).samples)
    var kinds: [MotionActivity] = []
    for change in told.changes where change.activity != kinds.last { kinds.append(change.activity) }
    #expect(kinds == [.stationary, .walking, .stationary])
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

  @Test func featuresHaveANameEachAndCloseEvery128Hundredths() {
    var estimator = ActivityEstimator()
    var times: [Double] = []
    for sample in Person().samples(0..<20).samples {
      _ = estimator.update(sample)
      guard let features = estimator.lastFeatures else { continue }
      #expect(features.values.count == ActivityFeatures.names.count && features.values.allSatisfy(\.isFinite))
      times.append(sample.time.seconds)
    }
    #expect(times.count == 14)
    for (a, b) in zip(times, times.dropFirst()) { #expect(abs(b - a - 1.28) < 0.03) }
  }

  @Test func aTreeHasAtMost63NodesAndItsLeavesAreProbabilities() {
    for tree in [ActivityTree.body, .wrist] {
      #expect(tree.nodes.count <= 63)
      for leaf in tree.leaves { #expect(abs(leaf.sum() - 1) < 0.01 && leaf[6] == 0 && leaf[7] == 0) }
      for (index, node) in tree.nodes.enumerated() {
        if node.feature < 0 {
          #expect(tree.leaves.indices.contains(node.below))
        } else {
          // Children come later, so every way ends.
          #expect(node.below > index && node.above > index && node.above < tree.nodes.count)
          #expect(ActivityFeatures.names.indices.contains(node.feature))
        }
      }
    }
  }

  @Test func aHeadShowsNoVehicle() {
    var parameters = ActivityEstimator.Parameters()
    parameters.placement = .head
    parameters.tree = ActivityTree(nodes: [.init(-1, 0, 0, 0)], leaves: [SIMD8(0, 0, 0, 0, 1, 0, 0, 0)])
    let samples = Person(cadence: { _ in nil }).samples(0..<60).samples
    let head = Told(samples, parameters)
    #expect(head.changes.allSatisfy { $0.activity.isDisjoint(with: [.automotive, .cycling]) })
    #expect(head.changes.last?.activity == .stationary)
    parameters.placement = .body
    let told = Told(samples, parameters)
    // S71: a car that stands is both; without recordings its confidence is medium at most.
    #expect(told.changes.last?.activity == [.automotive, .stationary])
    #expect(told.changes.allSatisfy { $0.confidence <= .medium })
  }

  @Test func aLegThatPedalsMakesNoSteps() {
    // The published ride: 0.39 g at 1.22 Hz, smooth, nothing at half the rate.
    let samples = (0..<6000).map { index -> SensorSample in
      let time = Double(index) / 50
      let phase = 2 * Double.pi * 1.22 * time
      let road = 0.03 * Scalar.sin(41 * time) + 0.03 * Scalar.sin(53.3 * time)
      let up = 1 + 0.53 * Scalar.sin(phase) + 0.1 * Scalar.sin(2 * phase) + road
      let force = Vector3<Device>(x: 0.3 * Scalar.cos(phase) + road, y: road, z: up) * standardGravity
      return .accelerometer(
        AccelerometerSample(time: SensorInstant(nanoseconds: Int64(index) * 20_000_000), specificForce: force))
    }
    #expect(Told(samples).steps == 0)
    var parameters = ActivityEstimator.Parameters()
    var steps = StepDetector.Parameters.body
    steps.isGated = false
    parameters.steps = steps
    // Without the gate every turn counts.
    #expect(Told(samples, parameters).steps > 120)
  }
}
