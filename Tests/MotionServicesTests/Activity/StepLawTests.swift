// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@testable import ActivityEstimation
@testable import MotionServices

/// S65–S68: what holds for every walk, on signals whose steps are known.
@Suite struct StepLawTests {
  /// Stands for 10 s, walks until 70 s, stands until 90 s.
  private let walk: (Double) -> Double? = { 10..<70 ~= $0 ? 1.8 : nil }

  @Test(arguments: [12.5, 20, 25, 50, 92.8, 100, 200, 400, 800]) func anyRateGivesTheSameSteps(rate: Double) {
    let (samples, steps) = Person(rate: rate, cadence: walk).samples(0..<90)
    let told = Told(samples)
    #expect(abs(told.steps - steps.count) <= 2, "\(told.steps) of \(steps.count) at \(rate) Hz")
  }

  @Test func anyOrientationGivesTheSameSteps() throws {
    let upright = Told(Person(cadence: walk).samples(0..<90).samples)
    for (w, x, y, z) in [(0.3, 0.5, -0.2, 0.7), (1, 1, 0, 0), (0, 0, 1, 0), (-0.5, 0.1, 0.9, 0.4)] {
      let turn = try #require(Rotation<Device, EastNorthUp>(w: w, x: x, y: y, z: z))
      #expect(Told(Person(orientation: turn, cadence: walk).samples(0..<90).samples).steps == upright.steps)
    }
  }

  /// The same steps, slower and faster.
  @Test(arguments: [0.75, 0.85, 1.15, 1.3]) func aWalkThatIsStretchedInTimeHasAsManySteps(factor: Double) {
    let (samples, steps) = Person(rate: 100, cadence: walk).samples(0..<90)
    let stretched = samples.compactMap { sample -> SensorSample? in
      guard case .accelerometer(var reading) = sample else { return nil }
      reading.time = SensorInstant(nanoseconds: Int64(Double(reading.time.nanoseconds) * factor))
      return .accelerometer(reading)
    }
    let told = Told(stretched)
    #expect(abs(told.steps - steps.count) <= 2, "\(told.steps) of \(steps.count)")
  }

  @Test(arguments: [1.4, 1.6, 2.0, 2.2]) func anyCadenceOfAWalkIsCountedAndMeasured(cadence: Double) throws {
    let (samples, steps) = Person(cadence: { 10..<70 ~= $0 ? cadence : nil }).samples(0..<70)
    var estimator = ActivityEstimator()
    var count = 0
    for sample in samples { count += estimator.update(sample)?.steps?.steps ?? 0 }
    #expect(abs(try #require(estimator.cadence) - cadence) < 0.05)
    let pace = try #require(estimator.pace)
    #expect((0.4...2.5).contains(pace))
    count += estimator.finish()?.steps?.steps ?? 0
    #expect(abs(count - steps.count) <= 2)
  }

  /// Once a walk goes on, its steps are known up to a second ago, with their pace.
  @Test(arguments: [1.4, 1.8, 2.2]) func aCountIsAtMostThreeStepsBehindAndHasAPace(cadence: Double) throws {
    let (samples, steps) = Person(cadence: { 10..<70 ~= $0 ? cadence : nil }).samples(0..<70)
    var (estimator, count, updates) = (ActivityEstimator(), 0, 0)
    for sample in samples {
      guard let epoch = estimator.update(sample)?.steps else { continue }
      (count, updates) = (count + epoch.steps, updates + 1)
      let now = sample.time.seconds
      #expect(steps.count { $0 <= now } - count <= 3, "at \(now) s")
      #expect(abs(steps.count { $0 <= Double(estimator.knownUntil) * 1e-9 } - count) <= 1)
      #expect(estimator.cadence != nil && estimator.pace != nil)
    }
    #expect(updates > 20)
  }

  @Test func theFirstCountComesWithinFiveSecondsAndTheWalkIsToldWithinFive() throws {
    let told = Told(Person(cadence: walk).samples(0..<90).samples)
    #expect(try #require(told.firstCount) - 10 <= 5.3)
    #expect(try #require(told.firstWalk) - 10 <= 5)
  }

  @Test func spansNeverOverlapAndReachFromTheFirstStepToTheLast() throws {
    let told = Told(Person(cadence: walk).samples(0..<90).samples)
    for (a, b) in zip(told.epochs, told.epochs.dropFirst()) { #expect(b.start >= a.end) }
    let first = try #require(told.epochs.first)
    let last = try #require(told.epochs.last)
    // The first span reaches back to the first step.
    #expect(abs(first.start.seconds - 10) < 1.5 && abs(last.end.seconds - 70) < 1.5)
    let active = told.epochs.reduce(0) { $0 + $1.activeTime }
    #expect(abs(active - 60) < 2)
    // Brisk, and height 1.70 m: 0.74 m a step.
    let distance = told.epochs.reduce(0) { $0 + $1.distance }
    #expect(abs(distance / Double(told.steps) - 0.74) < 0.03)
    #expect(told.epochs.allSatisfy { $0.floorsAscended == nil })
  }

  @Test func theSameSamplesGiveTheSameUpdates() {
    let samples = Person(cadence: walk).samples(0..<90).samples
    #expect(Told(samples) == Told(samples))
  }

  @Test func standingAndThreeStepsGiveNoStep() {
    #expect(Told(Person(cadence: { _ in nil }).samples(0..<120).samples).epochs.isEmpty)
    let (samples, steps) = Person(cadence: { 30..<31.6 ~= $0 ? 1.8 : nil }).samples(0..<60)
    let told = Told(samples)
    #expect(steps.count == 3 && told.steps == 0, "\(told.steps)")
  }

  /// To the kitchen: few steps between two rests, at the beginning and at the end of a recording, too.
  @Test(arguments: [1.6, 1.8, 2.1], [0.0, 3, 20, 53]) func aFewStepsBetweenRestsAreCounted(
    cadence: Double, start: Double
  ) {
    for count in [6, 8, 12] {
      let end = start + (Double(count) + 0.1) / cadence
      let (samples, steps) = Person(cadence: { start..<end ~= $0 ? cadence : nil }).samples(0..<60)
      let told = Told(samples)
      #expect((steps.count - 1...steps.count + 2).contains(told.steps), "\(told.steps) of \(steps.count)")
    }
  }

  @Test func s68APauseAndAResumptionAreToldOnceEach() throws {
    let told = Told(Person(cadence: { 10..<40 ~= $0 || 60..<90 ~= $0 ? 1.8 : nil }).samples(0..<100).samples)
    #expect(told.events.map(\.kind) == [.resume, .pause, .resume, .pause])
    let times = told.events.map(\.time.seconds)
    #expect((10...18).contains(times[0]) && (40...42.5).contains(times[1]))
    #expect((60...68).contains(times[2]) && (90...92.5).contains(times[3]))
  }

  @Test func aGapSplitsTheWalkAndLosesLittle() {
    let (samples, steps) = Person(cadence: { _ in 1.8 }).samples(0..<90)
    let told = Told(samples.filter { !(40..<45 ~= $0.time.seconds) })
    // Nine steps are in the gap.
    #expect((steps.count - 12...steps.count - 7).contains(told.steps), "\(told.steps) of \(steps.count)")
    // S68: in turn, in order, and none later than the samples.
    for (a, b) in zip(told.events, told.events.dropFirst()) { #expect(a.kind != b.kind && a.time < b.time) }
    #expect(told.events.allSatisfy { $0.time <= samples[samples.count - 1].time && !(40.1..<45 ~= $0.time.seconds) })
  }

  @Test func afterTheEndThereIsNothingMoreAndWhatComesThenBeginsAnew() throws {
    let (samples, steps) = Person(cadence: { _ in 1.8 }).samples(0..<90)
    var estimator = ActivityEstimator()
    var count = 0
    func note(_ update: ActivityUpdate?) { count += update?.steps?.steps ?? 0 }
    for sample in samples.prefix(2000) { note(estimator.update(sample)) }
    note(estimator.finish())
    #expect(abs(count - steps.count { $0 < 40 }) <= 2, "\(count)")
    let activity = estimator.activity
    #expect(estimator.finish() == nil && estimator.activity == activity)
    for sample in samples.dropFirst(2000) { note(estimator.update(sample)) }
    note(estimator.finish())
    #expect(abs(count - steps.count) <= 4, "\(count) of \(steps.count)")
  }

  @Test(arguments: [0, 1, 2, 60]) func aRecordingOfAMomentHasNoStepsAndNoConfidence(count: Int) {
    let told = Told(Array(Person().samples(0..<2).samples.prefix(count)))
    #expect(told.epochs.isEmpty && told.events.isEmpty && told.changes.allSatisfy { $0.confidence == .low })
  }

  @Test func aWalkAtTheEndOfARecordingIsCountedToItsEnd() throws {
    let (samples, steps) = Person(cadence: { 20 <= $0 ? 1.8 : nil }).samples(0..<40)
    let told = Told(samples)
    #expect(abs(told.steps - steps.count) <= 1, "\(told.steps) of \(steps.count)")
    let end = samples[samples.count - 1].time
    #expect(told.epochs.allSatisfy { $0.end <= end } && told.changes.allSatisfy { $0.start <= end })
    #expect(told.events.allSatisfy { $0.time <= end }, "\(told.events)")
  }

  @Test func samplesThatAreNotFiniteOrRepeatedAreCountedAndHarmless() {
    let samples = Person(cadence: walk).samples(0..<90).samples
    var spoiled: [SensorSample] = []
    for (index, sample) in samples.enumerated() {
      spoiled.append(sample)
      guard index % 500 == 250 else { continue }
      spoiled.append(sample)
      let time = sample.time + .milliseconds(5)
      for value in [Double.nan, .infinity, 1e300] {
        spoiled.append(.accelerometer(AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: value, z: 9))))
      }
      // What is of no use here is not looked at.
      spoiled.append(.gyroscope(GyroscopeSample(time: time, angularVelocity: Vector3(x: .nan, y: 0, z: 0))))
      spoiled.append(.pressure(PressureSample(time: time, pressure: .nan)))
    }
    let told = Told(spoiled)
    #expect(told.rejected == 9 * 5)
    #expect(told.steps == Told(samples).steps)
  }

  @Test func timeThatGoesBackBeginsAnewAndTrapsNowhere() {
    let (samples, steps) = Person(cadence: walk).samples(0..<90)
    #expect(Told(samples + samples).steps == 2 * Told(samples).steps && steps.count > 100)
    let edges: [Int64] = [.min, .max, 0, -1, .max, .min]
    let odd = edges.map {
      SensorSample.accelerometer(
        AccelerometerSample(time: SensorInstant(nanoseconds: $0), specificForce: Vector3(x: 0, y: 0, z: 9.8)))
    }
    #expect(Told(odd).steps == 0)
  }

  @Test func twoKindsOfTheSameAccelerationCountOnce() {
    let samples = Person(cadence: walk).samples(0..<90).samples
    let doubled = samples.flatMap { sample -> [SensorSample] in
      guard case .accelerometer(let reading) = sample else { return [sample] }
      return [
        sample,
        .inertial(
          InertialSample(time: reading.time, angularVelocity: .zero, specificForce: reading.specificForce)),
      ]
    }
    #expect(Told(doubled).steps == Told(samples).steps)
  }
}

/// Real walks with counted steps. The files lie in shared/data/mcap; Benchmarks/steps.py measures all of them.
@Suite(
  .enabled(if: SharedData.has("mcap"), "needs the walks in shared/data/mcap (OPENCOREMOTION_DATA)"))
struct RealWalkTests {
  @Test(arguments: [
    ("user1_backpocket_1506422470497", 343), ("user2_frontpocket_1506422217391", 343),
    ("user2_bag_1506422838474", 361),
  ])
  func aWalkIsCountedWithinFivePercentAndIsWalkingThroughout(file: String, steps: Int) throws {
    let reader = try Recording.open(path: "\(SharedData.folder)/mcap/oxford_\(file).mcap").makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    let told = Told(samples)
    #expect(abs(Double(told.steps - steps)) <= 0.05 * Double(steps), "\(told.steps) of \(steps)")
    #expect(told.changes.contains { $0.activity == .walking })
    #expect(!told.changes.contains { [.running, .cycling, .automotive].contains($0.activity) })
  }
}

/// Floors count on foot only.
@Suite struct FloorTests {
  private func floors(_ height: @escaping (Double) -> Double, cadence: @escaping (Double) -> Double?) -> (Int, Int) {
    let told = Told(Person(cadence: cadence, height: height).samples(0..<120).samples)
    return told.epochs.reduce((0, 0)) { ($0.0 + ($1.floorsAscended ?? 0), $0.1 + ($1.floorsDescended ?? 0)) }
  }

  private func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    min(range.upperBound, max(range.lowerBound, value))
  }

  @Test func stairsOnFootAreFloors() {
    let up = floors({ clamped(($0 - 30) * 0.3, 0...9.2) }, cadence: { 10..<110 ~= $0 ? 1.8 : nil })
    #expect(up == (3, 0))
    let down = floors({ -clamped(($0 - 30) * 0.3, 0...6.2) }, cadence: { 10..<110 ~= $0 ? 1.8 : nil })
    #expect(down == (0, 2))
  }

  @Test func aLiftGivesNone() {
    // Walks in, stands while the lift goes up 15 m, walks out.
    let lift = floors(
      { clamped(($0 - 50) * 1.5, 0...15) }, cadence: { 10..<45 ~= $0 || 70..<110 ~= $0 ? 1.8 : nil })
    #expect(lift == (0, 0))
  }

  @Test func levelGroundGivesNone() {
    #expect(floors({ 0.2 * Scalar.sin($0) }, cadence: { 10..<110 ~= $0 ? 1.8 : nil }) == (0, 0))
  }
}
