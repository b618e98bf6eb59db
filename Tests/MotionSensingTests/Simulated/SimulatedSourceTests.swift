// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
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
    guard case .success = collector.ending else {
      Issue.record("ended with \(String(describing: collector.ending))")
      return
    }
    #expect(collector.samples.readings(.gyroscope).count == 150)
    let later = collect(source, after: collector.samples.last?.time)
    #expect(later.isEmpty)
  }
}

@Suite struct OptionTests {
  private func source(_ options: [String: String], _ name: String = "rest") throws(SensorError) -> SimulatedSource {
    try SimulatedSource(scenario: name, options: options)
  }

  private func failure(_ options: [String: String], _ name: String = "rest") -> SensorError? {
    do throws(SensorError) {
      _ = try source(options, name)
      return nil
    } catch {
      return error
    }
  }

  @Test func withoutOptionsTheConfigurationIsTheDefault() throws {
    #expect(try source([:]).configuration == SimulatedSource.Configuration())
    #expect(try source([:]).info.name == "simulated device (rest)")
    #expect(try source([:], "headNod").info.deviceClass == .headphones)
  }

  @Test func anUnknownScenarioIsNotFoundAndTheOthersAreNamed() throws {
    let error = try #require(failure([:], "levitate"))
    #expect(error.code == .notFound)
    for scenario in Scenario.all { #expect(error.message.contains(scenario.name)) }
  }

  @Test func anUnknownOptionIsRefusedAndTheOthersAreNamed() throws {
    let error = try #require(failure(["volume": "11"]))
    #expect(error.code == .invalidRequest)
    #expect(error.message.contains("volume"))
    for option in SimulationSettings.table.options { #expect(error.message.contains(option.name)) }
  }

  @Test func ratesAndPresenceOfSensors() throws {
    let configuration = try source([
      "rate": "200", "magnetometer": "25", "pressure": "no", "temperature": "yes",
    ]).configuration
    #expect(configuration.inertial == .together(.init(rate: 200)))
    #expect(configuration.magnetometer == .init(rate: 25))
    #expect(configuration.pressure == nil)
    #expect(configuration.temperature == .init(rate: 1))
    let slow = try source(["rate": "800", "gyroscope": "200"])
    #expect(slow.info.channel(.accelerometer)?.rates == [800] && slow.info.channel(.gyroscope)?.rates == [200])
    let noGyroscope = try source(["gyroscope": "no", "magnetometer": "no"])
    #expect(noGyroscope.info.kinds == [.accelerometer, .airPressure, .temperature])
  }

  @Test func errorsBiasAndHardIron() throws {
    #expect(try source(["errors": "phone"]).configuration.errors == .phone)
    #expect(try source(["errors": "controller"]).configuration.errors == .controller)
    let errors = try source(["errors": "ideal", "bias": "0.01:-0.02:0.03", "hardIron": "20:-5:1e1"]).configuration
      .errors
    #expect(errors.gyroscope.bias == Vector3(x: 0.01, y: -0.02, z: 0.03))
    #expect(
      errors.magnetometer.hardIron.isApproximatelyEqual(to: Vector3(x: 20e-6, y: -5e-6, z: 10e-6), tolerance: 1e-18))
    #expect(try source(["bias": "0.5"]).configuration.errors.gyroscope.bias == Vector3(x: 0.5, y: 0.5, z: 0.5))
  }

  @Test func seedDurationAndFaults() throws {
    let configuration = try source([
      "seed": "42", "duration": "2.5", "disconnectAt": "3", "reconnectAfter": "1", "stallAt": "9",
    ]).configuration
    #expect(configuration.seed == 42)
    #expect(configuration.duration == 2.5)
    #expect(configuration.faults == [Fault(.stall, at: 9), Fault(.disconnect(reconnectAfter: 1), at: 3)])
  }

  @Test func theHostsOptionsChangeNothing() throws {
    #expect(try source(["speed": "2", "loop": "yes", "gate": "no"]).configuration == SimulatedSource.Configuration())
  }

  @Test(arguments: [
    ("rate", "fast"), ("rate", "0"), ("rate", "-5"), ("rate", "nan"), ("rate", "1e9"), ("gyroscope", "maybe"),
    ("gyroscope", "0"), ("magnetometer", "loud"), ("pressure", "-1"), ("temperature", ""), ("seed", "-1"),
    ("seed", "1.5"), ("duration", "-1"), ("duration", "inf"), ("errors", "awful"), ("bias", "1:2"), ("bias", "x"),
    ("bias", "1:2:3:4"), ("bias", "nan"), ("hardIron", "1"), ("hardIron", "1:2:"), ("disconnectAt", "soon"),
    ("reconnectAfter", "1"), ("stallAt", "1e10"),
  ])
  func aValueThatMakesNoSenseIsRefusedByTheNameOfItsOption(option: String, value: String) throws {
    let error = try #require(failure([option: value]))
    #expect(error.code == .invalidRequest)
    #expect(error.message.contains("“\(option)”"))
  }
}

/// Runs a simulation to its end, or until a sample is `span` seconds or more after time 0, on a clock that never waits.
///
/// The run is synchronous and takes milliseconds, so it may borrow the test's own thread.
func collect(
  _ source: SimulatedSource, span: Double = .infinity, kinds: SensorKinds = [], after: SensorInstant? = nil
) -> [SensorSample] {
  let samples = Lock<[SensorSample]>([])
  let session = SensorSession(
    clock: FreeRunningClock(), resumeAfter: after, request: SensorRequest(kinds: kinds, interval: .zero)
  ) { sample, _ throws(SourceStopped) in
    if sample.time.seconds >= span { throw SourceStopped() }
    samples.withLock { $0.append(sample) }
  }
  // How it ended is no business of this helper: the tests that care use SampleCollector.
  try? source.run(session)
  return samples.withLock { $0 }
}

extension Array where Element == SensorSample {
  /// The readings of one kind, as times and vectors (a scalar stands in x).
  func readings(_ kind: SensorKinds) -> [(time: Double, value: Vector3<Device>)] {
    compactMap { sample in
      let value: Vector3<Device>? =
        switch sample {
        case .accelerometer(let sample) where kind == .accelerometer: sample.specificForce
        case .gyroscope(let sample) where kind == .gyroscope: sample.angularVelocity
        case .inertial(let sample) where kind == .accelerometer: sample.accelerometer.specificForce
        case .inertial(let sample) where kind == .gyroscope: sample.gyroscope.angularVelocity
        case .magnetometer(let sample) where kind == .magnetometer: sample.magneticField
        case .pressure(let sample) where kind == (sample.medium == .air ? .airPressure : .waterPressure):
          Vector3(x: sample.pressure, y: 0, z: 0)
        case .temperature(let sample) where kind == .temperature: Vector3(x: sample.temperature, y: 0, z: 0)
        default: nil
        }
      return value.map { (sample.time.seconds, $0) }
    }
  }
}

/// A source at rest, or moving along `trajectory`, with a changed configuration.
func simulation(
  _ trajectory: any Trajectory = Rest(), _ change: (inout SimulatedSource.Configuration) -> Void = { _ in }
) -> SimulatedSource {
  var configuration = SimulatedSource.Configuration()
  change(&configuration)
  return SimulatedSource(trajectory: trajectory, configuration: configuration, name: "test")
}
