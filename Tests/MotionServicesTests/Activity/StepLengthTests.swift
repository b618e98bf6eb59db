// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import ActivityEstimation
@testable import MotionServices

/// How far steps go, and how far off that may be.
@Suite struct StepLengthTests {
  private func metres(_ cadence: Double, _ amplitude: Double, height: Double? = 1.7, isRunning: Bool = false) -> Double
  {
    StepLength(height: height).length(cadence: cadence, amplitude: amplitude, isRunning: isRunning).metres
  }

  @Test func aStepIsAsLongAsTheSmallerOfTwoLimitsSays() {
    // Short steps: the amplitude alone; long ones: the cadence alone.
    #expect(abs(metres(1.6, 0.08) / metres(1.6, 0.04) - 2) < 0.02)
    #expect(abs(metres(1.2, 0.06) / metres(1.8, 0.06) - 1) < 0.02)
    #expect(abs(metres(1.8, 2) / metres(1.8, 1) - 1) < 0.02)
    #expect(abs(metres(2, 2) / metres(1, 2) - 2) < 0.01)
    #expect(abs(metres(1.7, 0.2, height: 1.9) / metres(1.7, 0.2, height: 1.7) - 1.9 / 1.7) < 1e-9)
    // 1.2 and 1.6 m/s: cadence and length by the walk ratio of Rota, amplitude of the rise of the body by Orendurff.
    #expect(abs(metres(1.77, 0.246) - 0.678) < 0.06 && abs(metres(2.04, 0.40) - 0.783) < 0.04)
    // 3.35 km with 3100 steps.
    #expect(abs(metres(2.6, 0.8, isRunning: true) - 1.08) < 0.03)
    // It never shrinks when the cadence or the amplitude grows.
    for step in 1..<200 {
      let amplitude = Double(step) * 0.005
      #expect(metres(1.7, amplitude + 0.005) >= metres(1.7, amplitude))
      #expect(metres(Double(step) * 0.02 + 0.02, 0.15) >= metres(Double(step) * 0.02, 0.15))
    }
  }

  @Test func heightsThatCannotBeAreNotKnown() {
    for height in [nil, 0, -1, 9, .nan, .infinity] as [Double?] {
      let length = StepLength(height: height)
      #expect(length.height == 1.7 && !length.isHeightKnown)
    }
  }

  @Test func shortStepsAndUnknownHeightsAreLessCertain() {
    func part(_ amplitude: Double, height: Double? = nil, isRunning: Bool = false) -> Double {
      let step = StepLength(height: height).length(cadence: 1.8, amplitude: amplitude, isRunning: isRunning)
      return step.common / step.metres
    }
    #expect(part(0.08) > 1.5 * part(0.8))
    #expect(part(0.8, height: 1.7) < part(0.8))
    #expect(part(0.8, isRunning: true) > part(0.8))
  }

  @Test(arguments: [1.2, 1.8, 2.6]) func theAmplitudeOfASineIsItsOwn(cadence: Double) {
    var amplitude = StepAmplitude()
    #expect(amplitude(from: 0, to: 1_000_000_000) == 0)
    for cell in 1...3000 {
      let time = Double(cell) * 0.02
      amplitude.update(1 + 0.2 * Scalar.sin(2 * .pi * cadence * time), at: Int64(cell) * 20_000_000)
    }
    let end: Int64 = 59_000_000_000
    #expect(abs(amplitude(from: end - Int64(4e9 / cadence), to: end) - 0.2) < 0.02)
    // What is forgotten, has not come yet or is backwards has no amplitude, and nothing breaks.
    #expect(amplitude(from: 0, to: 1_000_000_000) == 0 && amplitude(from: end, to: end - 1) == 0)
    #expect(amplitude(from: 61_000_000_000, to: .max) == 0 && amplitude(from: .min + 1, to: 0) == 0)
  }

  private func walk(_ seconds: Int, height: Double? = nil) -> (Double, DistanceError, Int) {
    var parameters = ActivityEstimator.Parameters()
    parameters.height = height
    var estimator = ActivityEstimator(parameters: parameters)
    var (distance, error, steps) = (0.0, DistanceError(), 0)
    func add(_ epoch: StepEpoch?) {
      guard let epoch else { return }
      (distance, error, steps) = (distance + epoch.distance, error + epoch.distanceError, steps + epoch.steps)
    }
    let end = Double(seconds) + 10
    for sample in Person(cadence: { 10..<end ~= $0 ? 1.8 : nil }).samples(0..<end + 10).samples {
      add(estimator.update(sample)?.steps)
    }
    add(estimator.finish()?.steps)
    return (distance, error, steps)
  }

  private func width(_ walk: (Double, DistanceError, Int)) -> Double {
    let interval = walk.1.interval(around: walk.0)
    #expect(interval.contains(walk.0))
    return (interval.upperBound - interval.lowerBound) / walk.0
  }

  @Test func aLongWalkIsMoreCertainThanAShortOneAndAPersonOfKnownHeightThanAStranger() {
    let (short, long) = (walk(8), walk(300))
    #expect(width(long) < 0.8 * width(short))
    // What a person's steps have in common does not average out.
    #expect(long.1.common / long.0 > 0.08 && abs(long.1.common / long.0 - short.1.common / short.0) < 0.01)
    #expect(width(walk(300, height: 1.7)) < 0.95 * width(long))
    #expect(DistanceError().interval(around: 0) == 0...0 && DistanceError().interval(around: 5) == 5...5)
  }

  @Test func nStepsGoAsFarAsTheLengthsBetweenThem() {
    let (distance, _, steps) = walk(60)
    let one = metres(1.8, 0.41)
    #expect(abs(distance - Double(steps - 1) * one) < 0.04 * distance, "\(distance) m, \(steps) steps of \(one) m")
  }
}
