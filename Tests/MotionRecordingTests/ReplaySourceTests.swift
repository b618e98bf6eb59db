// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import Testing

@Suite struct ReplaySourceTests {
  private let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.walk())
  }

  /// Runs a source on a clock of its own and collects at most `limit` samples, then stops.
  private func play(
    _ source: ReplaySource, limit: Int = .max, kinds: SensorKinds = [], resumeAfter: SensorInstant? = nil,
    clock: any SensorClock = FreeRunningClock()
  ) throws -> [SensorSample] {
    let collected = Lock<[SensorSample]>([])
    let session = SensorSession(
      clock: clock, resumeAfter: resumeAfter, request: SensorRequest(kinds: kinds, interval: .zero)
    ) { sample, session throws(SourceStopped) in
      let count = collected.withLock { samples in
        samples.append(sample)
        return samples.count
      }
      if count >= limit { session.stop() }
    }
    do { try source.run(session) } catch is SourceStopped {}
    return collected.withLock { $0 }
  }

  @Test func itDeliversEverySampleOfTheRecordingAndEnds() throws {
    let source = try ReplaySource(path: folder.path, options: [:])
    let samples = try play(source)
    #expect(samples == (try read(folder.path).samples))
    #expect(source.statistics.samples == 30)
    // It may run again.
    #expect(try play(source) == samples)
  }

  @Test func onlyWantedKindsAreDelivered() throws {
    let source = try ReplaySource(path: folder.path, options: [:])
    #expect(try play(source, kinds: .gyroscope).allSatisfy { $0.kinds == .gyroscope })
    #expect(try play(source, kinds: .inertial).count == 20)
    #expect(try play(source, kinds: .temperature).isEmpty)
  }

  @Test func aSecondRunGoesOnAfterTheFirst() throws {
    let source = try ReplaySource(path: folder.path, options: [:])
    let all = try play(source)
    for limit in [1, 7, 29] {
      let first = try play(source, limit: limit)
      let second = try play(source, resumeAfter: first.last?.time)
      let expected = all.filter { $0.time > (first.last?.time ?? SensorInstant(nanoseconds: 0)) }
      #expect(first.count == limit && second == expected)
    }
    #expect(try play(source, resumeAfter: all.last?.time).isEmpty)
  }

  @Test func aLoopGoesOnMonotonicallyWithOneIntervalBetween() throws {
    let source = try ReplaySource(path: folder.path, options: ["loop": "yes"])
    let samples = try play(source, limit: 95)
    #expect(samples.count == 95)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time })
    let once = Array(samples[..<30])
    let step = samples[30].time - once[0].time
    // From the first sample to the last and one interval of 10 ms.
    #expect(step == SensorDuration(nanoseconds: 100_000_001))
    #expect(Array(samples[30..<60]) == once.map { $0.moved(to: $0.time + step) })
    #expect(samples[90].time == once[0].time + step + step + step)
  }

  @Test func aLoopResumesInTheRightRound() throws {
    let source = try ReplaySource(path: folder.path, options: ["loop": "yes"])
    let whole = try play(source, limit: 150)
    // Once by reading through the rounds, once by skipping whole ones.
    for fresh in [try ReplaySource(path: folder.path, options: ["loop": "yes"]), source] {
      let resumed = try play(fresh, limit: 20, resumeAfter: whole[100].time)
      let expected = whole.filter { $0.time > whole[100].time }.prefix(20)
      #expect(resumed == Array(expected))
    }
  }

  @Test func aLoopOfWhatNobodyWantsEnds() throws {
    let source = try ReplaySource(path: folder.path, options: ["loop": "yes"])
    #expect(try play(source, kinds: .temperature).isEmpty)
  }

  @Test func clockNowPutsTheFirstSampleAtThePresent() throws {
    let source = try ReplaySource(path: folder.path, options: ["clock": "now"])
    #expect(source.info.timeLine == .session)
    let clock = SettableClock(5_000_000_000)
    let samples = try play(source, limit: 10, clock: clock)
    let recorded = try read(folder.path).samples
    #expect(samples[0].time.nanoseconds == 5_000_000_000)
    #expect(samples.map { $0.time - samples[0].time } == recorded.prefix(10).map { $0.time - recorded[0].time })
    // A minute's break: the rest begins at the new present, in order, without a burst.
    clock.set(65_000_000_000)
    let rest = try play(source, resumeAfter: samples.last?.time, clock: clock)
    #expect(rest[0].time.nanoseconds == 65_000_000_000)
    #expect(rest.count == 30 - 10 - (recorded[10].time == recorded[9].time ? 1 : 0))
  }

  @Test func everySampleWaitsForItsTime() throws {
    let source = try ReplaySource(path: folder.path, options: [:])
    let clock = SettableClock(0)
    let samples = try play(source, clock: clock)
    #expect(clock.deadlines == samples.map(\.time))
  }

  @Test func aStoppedSessionEndsTheRunByThrowing() throws {
    let source = try ReplaySource(path: folder.path, options: [:])
    let session = SensorSession(
      clock: FreeRunningClock(), request: SensorRequest(kinds: [], interval: .zero)
    ) { _, _ throws(SourceStopped) in Issue.record("a stopped session must get nothing") }
    session.stop()
    #expect(throws: SourceStopped.self) { try source.run(session) }
  }

  @Test func damageEndsTheRunOrIsCounted() throws {
    let rows = (0..<3000).map { "\($0),1,2,\($0 == 2500 ? "x" : "3")\n" }.joined()
    try folder.write(Fixture.accelerometer, "timestamp_ns,x,y,z\n" + rows)
    let strict = try ReplaySource(path: folder.path, options: [:])
    #expect(throws: SensorError.self) { try play(strict) }
    #expect(strict.statistics.samples == 2500)
    let lenient = try ReplaySource(path: folder.path, options: ["errors": "skip"])
    #expect(try play(lenient).count == 2999 + 20)
    #expect(lenient.statistics[.malformed] == 1)
  }

  @Test func optionsAreUnderstoodAndUnknownOnesRefused() throws {
    let options = try ReplayOptions([
      "motion": "recorded", "loop": "yes", "clock": "now", "errors": "skip", "format": "sensorlog", "platform": "ios",
      "standardised": "yes", "speed": "max", "gate": "auto",
    ])
    #expect(options.loops && options.clock == .now && options.recording.motion == .recorded)
    #expect(options.recording.damage == .skip && options.recording.format == .sensorLog)
    #expect(options.recording.platform == .iOS && options.recording.isStandardised == true)
    for (name, value) in [("motoin", "recorded"), ("motion", "raw"), ("loop", ""), ("format", "winamp")] {
      let error = #expect(throws: SensorError.self) { try ReplayOptions([name: value]) }
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains(name == "motoin" ? "motion, loop, clock" : "The option “\(name)” takes") == true)
    }
    #expect(throws: SensorError.self) { try ReplaySource(path: folder.path, options: ["volume": "11"]) }
  }

  @Test func recordedMotionReplaysBitForBit() throws {
    let source = try ReplaySource(path: folder.path, options: ["motion": "recorded"])
    let expected = try read(folder.path, .recorded).only(.motion)
    #expect(try play(source, kinds: .motion) == expected)
  }
}

/// A clock that shows what it is told and never waits, but remembers what it was asked to wait for.
private final class SettableClock: SensorClock {
  private let state: Lock<(now: Int64, deadlines: [SensorInstant])>

  init(_ now: Int64) { state = Lock((now, [])) }

  var now: SensorInstant { SensorInstant(nanoseconds: state.withLock { $0.now }) }
  var deadlines: [SensorInstant] { state.withLock { $0.deadlines } }
  func set(_ now: Int64) { state.withLock { $0.now = now } }

  func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    state.withLock { $0.deadlines.append(deadline) }
    return true
  }

  func beginWork() {}
  func endWork() {}
}

/// The promises that every source keeps, kept by replay in each format and mode.
@Suite struct ReplayConformanceTests {
  private static let recordings: [(name: String, files: [String: String])] = [
    ("tidy", Fixture.walk(rows: 60)), ("SensorLog", ["log.csv": Fixture.sensorLog(rows: 20)]),
    ("Sensor Logger", Fixture.sensorLogger()),
  ]

  @Test(arguments: recordings.indices, [[:], ["motion": "recorded"], ["loop": "yes"], ["clock": "now"]])
  func replayKeepsThePromisesOfASource(index: Int, options: [String: String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.recordings[index].files)
    let path = index == 1 ? folder.path + "/log.csv" : folder.path
    let source = try ReplaySource(path: path, options: options)
    // The fixtures hold made-up numbers, not a device under gravity.
    let conformance = SourceConformance(source: source, sampleLimit: 3000, checksGravity: false)
    #expect(await conformance.violations() == [], "\(Self.recordings[index].name) \(options)")
  }

  @Test(arguments: [[:], ["loop": "yes"], ["clock": "now"]])
  func aRecordingWithLateSamplesKeepsThem(options: [String: String]) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.mcap", MCAPFixture.file(MCAPFixture.items(count: 60)))
    let source = try ReplaySource(path: path, options: options)
    let conformance = SourceConformance(source: source, sampleLimit: 1000, checksGravity: false)
    #expect(await conformance.violations() == [], "\(options)")
  }

  @Test(.enabled(if: SharedData.has("mcap"), "needs the recordings in shared/data/mcap (OPENCOREMOTION_DATA)"))
  func aRealRecordingKeepsThem() async throws {
    let source = try ReplaySource(path: SharedData.phone("pyojin_iphone_2019_06_11"), options: [:])
    #expect(await SourceConformance(source: source).violations() == [])
  }
}
