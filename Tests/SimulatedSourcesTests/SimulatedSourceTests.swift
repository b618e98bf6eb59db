// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionTesting
import Testing

@testable import SimulatedSources

@Suite struct SimulatedSourceTests {
  // MARK: Promises

  @Test(arguments: Scenario.all.map(\.name), ["ideal", "phone", "watch", "controller"])
  func everySimulationKeepsThePromisesOfASource(name: String, errors: String) async throws {
    let source = try SimulatedSource(scenario: name, options: ["errors": errors])
    #expect(await SourceConformance(source: source, span: .seconds(2)).violations() == [])
  }

  @Test func sensorsWithTimesOfTheirOwnKeepThePromisesToo() async {
    let source = simulation(Handheld()) {
      $0.inertial = .apart(accelerometer: .init(rate: 104, phase: 0.003), gyroscope: .init(rate: 119))
      $0.magnetometer = .init(rate: 33)
    }
    #expect(await SourceConformance(source: source).violations() == [])
  }

  @Test func itSaysThatItIsSimulated() {
    let source = simulation()
    #expect(source.info.name.hasPrefix("simulated"))
    #expect(source.info.origin == .simulation)
    #expect(source.info.timeLine == .session)
  }

  @Test func onlySensorsOfTheConfigurationExist() {
    let source = simulation {
      $0.inertial = .apart(accelerometer: .init(rate: 50), gyroscope: nil)
      ($0.magnetometer, $0.pressure, $0.temperature) = (nil, .init(rate: 5), nil)
    }
    #expect(source.info.kinds == [.accelerometer, .airPressure])
    let kinds = collect(source, span: 1).reduce(into: SensorKinds()) { $0.formUnion($1.kinds) }
    #expect(kinds == [.accelerometer, .airPressure])
  }

  // MARK: Truth

  @Test func idealReadingsAreTheTruth() throws {
    let source = simulation(Handheld())
    for sample in collect(source, span: 6) {
      let truth = try #require(source.truth(at: sample.time))
      switch sample {
      case .inertial(let sample):
        #expect(sample.accelerometer.specificForce == truth.specificForce)
        #expect(sample.gyroscope.angularVelocity == truth.angularVelocity)
      case .magnetometer(let sample):
        #expect(sample.magneticField == truth.attitude.inverse * source.configuration.world.magneticField)
      case .pressure(let sample):
        #expect(sample.pressure == source.configuration.world.pressure(atHeight: truth.position.z))
      case .temperature(let sample):
        #expect(sample.temperature == 25)
      default: Issue.record("unexpected \(sample)")
      }
    }
  }

  @Test func theTruthBeginsWithTheFirstRun() {
    let source = simulation(Handheld())
    #expect(source.truth(at: SensorInstant(nanoseconds: 0)) == nil)
    _ = collect(source, span: 0.1)
    #expect(source.truth(at: SensorInstant(nanoseconds: 3_000_000_000)) == Handheld().state(at: 3))
    #expect(source.truth(at: SensorInstant(nanoseconds: -1)) == nil)
  }

  // MARK: The grid of times

  @Test func ratesAndTimesAreThoseOfTheConfiguration() {
    let samples = collect(simulation(), span: 2)
    for (kind, count) in [
      (SensorKinds.accelerometer, 200), (.gyroscope, 200), (.magnetometer, 100), (.airPressure, 50), (.temperature, 2),
    ] {
      let times = samples.readings(kind).map(\.time)
      #expect(times.count == count)
      #expect(times.enumerated().allSatisfy { ($1 - Double($0) * 2 / Double(count)).magnitude < 1e-9 })
    }
    #expect(samples.map(\.time) == samples.map(\.time).sorted())
  }

  @Test func aRateThatDividesNoSecondDoesNotDrift() {
    let source = simulation { $0.inertial = .together(.init(rate: 30, phase: 0.01)) }
    let times = collect(source, span: 100, kinds: .inertial).map(\.time.nanoseconds)
    #expect(times.count == 3000)
    #expect(times[1] - times[0] == 33_333_333)
    #expect(times[2970] == 99_010_000_000)
  }

  // MARK: Determinism

  private static func noisy(seed: UInt64 = 7) -> SimulatedSource {
    simulation(Handheld()) {
      $0.errors = .phone
      $0.seed = seed
    }
  }

  @Test func theSameSeedGivesTheSameSamplesAndAnotherSeedOthers() {
    let samples = collect(Self.noisy(), span: 3)
    #expect(samples == collect(Self.noisy(), span: 3))
    let others = collect(Self.noisy(seed: 8), span: 3)
    #expect(samples.map(\.time) == others.map(\.time))
    #expect(zip(samples, others).count { $0 == $1 } < samples.count / 10)
  }

  @Test func leavingOutSensorsDoesNotChangeTheOthers() {
    let all = collect(Self.noisy(), span: 3)
    for kind: SensorKinds in [.accelerometer, .gyroscope, .magnetometer, .airPressure, .temperature] {
      let alone = collect(Self.noisy(), span: 3, kinds: kind)
      #expect(alone.allSatisfy { $0.kinds == kind })
      let (values, expected) = (alone.readings(kind), all.readings(kind))
      #expect(values.map(\.value) == expected.map(\.value))
      #expect(values.map(\.time) == expected.map(\.time))
    }
  }

  @Test func stoppingAndGoingOnDoesNotChangeTheSamples() {
    let whole = collect(Self.noisy(), span: 4)
    let source = Self.noisy()
    var parts: [SensorSample] = []
    // Pieces that end between and on sample times; at the end of a piece no sensor's sample is lost.
    for end in [0.5, 0.511, 1.7, 3.0001, 4] {
      parts += collect(source, span: end, after: parts.last?.time)
    }
    #expect(parts == whole)
  }

  @Test func theClockDoesNotChangeTheSamples() async {
    let free = collect(Self.noisy(), span: 1)
    let clock = VirtualClock()
    let collector = SampleCollector(Self.noisy(), clock: clock)
    for _ in 0..<100 { await clock.advance(by: SensorDuration(nanoseconds: 9_999_999)) }
    collector.stop()
    #expect(await collector.ended())
    #expect(collector.samples == free)
  }

  // MARK: Time between runs

  @Test func aSampleComesWhenItIsDueAndNotBefore() async {
    let clock = VirtualClock()
    let collector = SampleCollector(simulation(), clock: clock, kinds: .inertial)
    await clock.advance(by: .milliseconds(995))
    #expect(collector.samples.count == 100)
    await clock.advance(by: .milliseconds(5))
    #expect(collector.samples.count == 101)
    collector.stop()
    #expect(await collector.ended())
  }

  @Test func timePassesWhileNobodyListens() async throws {
    let clock = VirtualClock()
    await clock.advance(by: .seconds(100))
    let source = simulation(Handheld())
    let first = SampleCollector(source, clock: clock, kinds: .inertial)
    await clock.advance(by: .milliseconds(55))
    first.stop()
    #expect(await first.ended())
    #expect(first.samples.map(\.time.seconds) == [100, 100.01, 100.02, 100.03, 100.04, 100.05])
    await clock.advance(by: .seconds(3))
    let second = SampleCollector(source, clock: clock, kinds: .inertial, resumeAfter: first.samples.last?.time)
    await clock.advance(by: .milliseconds(20))
    second.stop()
    #expect(await second.ended())
    #expect(second.samples.map(\.time.seconds) == [103.06, 103.07])
    let truth = try #require(source.truth(at: SensorInstant(nanoseconds: 103_060_000_000)))
    #expect(truth == Handheld().state(at: 3.06))
  }

  @Test func aSensorThatIsAskedForLaterBeginsAtOnce() async {
    let clock = VirtualClock()
    let collector = SampleCollector(simulation(), clock: clock, kinds: .temperature)
    await clock.advance(by: .milliseconds(305))
    #expect(collector.samples.map(\.kinds) == [.temperature])
    collector.session.update(SensorRequest(kinds: .magnetometer, interval: .zero))
    await clock.advance(by: .milliseconds(60))
    let late = collector.samples.dropFirst()
    #expect(late.map(\.time.seconds) == [0.32, 0.34, 0.36])
    #expect(late.allSatisfy { $0.kinds == .magnetometer })
    collector.stop()
    #expect(await collector.ended())
  }

  @Test func aRequestForSensorsItLacksBringsNothingUntilItChanges() async {
    let clock = VirtualClock()
    let collector = SampleCollector(simulation(), clock: clock, kinds: .waterPressure)
    await clock.advance(by: .seconds(5))
    #expect(collector.samples.isEmpty && collector.ending == nil)
    collector.stop()
    #expect(await collector.ended())
  }

  @Test func nothingComesAfterTheEndOfTime() {
    let samples = collect(simulation(), after: SensorInstant(nanoseconds: .max))
    #expect(samples.isEmpty)
  }

  @Test func aLimitedSimulationEndsByItself() async {
    let source = simulation { $0.duration = 1.5 }
    let collector = SampleCollector(source, clock: FreeRunningClock())
    #expect(await collector.ended())
    guard case .returned = collector.ending else {
      Issue.record("ended with \(String(describing: collector.ending))")
      return
    }
    #expect(collector.samples.readings(.gyroscope).count == 150)
    let later = collect(source, after: collector.samples.last?.time)
    #expect(later.isEmpty)
  }
}
