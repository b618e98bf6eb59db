// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSimulation
import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

@testable import MotionHost
@testable import MotionRecording

/// A source on its way into a recording.
@Suite struct SourceRecordingTests {
  /// What came of a recording.
  private final class Log: Sendable {
    private struct State {
      var counts: [SensorKinds: Int] = [:]
      var items: [RecordedItem] = []
      var endings: [String] = []
    }
    private let state = Lock(State())
    let ended = WakeSignal()

    var counts: [SensorKinds: Int] { state.withLock { $0.counts } }
    var items: [RecordedItem] { state.withLock { $0.items } }
    var endings: [String] { state.withLock { $0.endings } }

    var samples: [SensorSample] {
      items.compactMap { if case .sample(let sample, _) = $0 { sample } else { nil } }
    }
    var events: [RecordingEvent] {
      items.compactMap { if case .event(let event, _) = $0 { event } else { nil } }
    }

    func take(_ item: RecordedItem, isKept: Bool) {
      state.withLock { state in
        if case .sample(let sample, _) = item { state.counts[sample.kinds, default: 0] += 1 }
        if isKept { state.items.append(item) }
      }
    }

    func end(_ ending: SourceRecording.Ending) {
      state.withLock { state in
        switch ending {
        case .finished: state.endings.append("finished")
        case .failed(let error): state.endings.append(error.code.rawValue)
        case .interrupted(let error): state.endings.append("interrupted: \(error.code.rawValue)")
        }
      }
      ended.signal()
    }
  }

  private final class Writer: RecordingWriter {
    private let log: Log
    private let keeps: Bool
    init(_ log: Log, keeps: Bool) { (self.log, self.keeps) = (log, keeps) }
    func write(_ item: RecordedItem) { log.take(item, isKept: keeps) }
    func finish() {}
  }

  private static func entry(_ source: any SensorSource, clock: any SensorClock) -> SourceCatalog.Entry {
    SourceCatalog.Entry(uri: SourceURI(scheme: "test", path: ""), source: source, pace: .init(clock: clock))
  }

  private static func recorder(_ log: Log, waitsForRoom: Bool = true, keeps: Bool = true) -> Recorder {
    Recorder(writer: Writer(log, keeps: keeps), waitsForRoom: waitsForRoom)
  }

  /// Records a source that ends by itself, as fast as it goes.
  private static func record(
    _ entry: SourceCatalog.Entry, limit: SensorDuration? = nil, keeps: Bool = true
  ) throws -> (log: Log, progress: Recorder.Progress) {
    let log = Log()
    let recorder = recorder(log, keeps: keeps)
    let recording = SourceRecording(entry, recorder: recorder, limit: limit) { log.end($0) }
    recording.start()
    _ = log.ended.wait(limit: .seconds(120))
    recording.stop()
    try recorder.finish()
    return (log, recorder.progress)
  }

  /// Nine channels at 1 kHz and the pressure, none lost.
  @Test func aMinuteAtAThousandHertzIsCompleteToTheSample() throws {
    let entry = try SourceCatalog().open(
      try SourceURI("simulate:handheld?rate=1000&magnetometer=1000&pressure=25&duration=60&speed=max"))
    let (log, progress) = try Self.record(entry, keeps: false)
    #expect(log.counts[.inertial] == 60_000)
    #expect(log.counts[.magnetometer] == 60_000)
    #expect(log.counts[.airPressure] == 1500)
    #expect(progress.lost == 0)
    #expect(progress.samples == log.counts.values.reduce(0, +))
    #expect(log.endings.first == "finished")
  }

  @Test func twoSecondsAtAHundredHertzAreTwoHundredSamples() throws {
    let entry = try SourceCatalog().open(try SourceURI("simulate:handheld?speed=max"))
    let (log, _) = try Self.record(entry, limit: .seconds(2))
    #expect(log.counts[.inertial] == 200)
    #expect(log.counts[.magnetometer] == 100)
    #expect(log.counts[.temperature] == 2)
    #expect(log.endings.first == "finished")
  }

  /// The recording is the sensor as it came; a subscriber beside it gets it corrected.
  @Test func aCalibrationStandsBesideTheSamplesAndNotInThem() throws {
    let time = SensorInstant(nanoseconds: 0)
    let raw = GyroscopeSample(time: time, angularVelocity: Vector3(x: 0.5, y: 0, z: 0))
    var file = CalibrationFile(device: "serial number 0815")
    let offset = try #require(SensorCorrection(offset: Vector3(x: 0.25, y: 0, z: 0)))
    file.gyroscope = CalibrationFile.Section(date: Date(timeIntervalSince1970: 0), correction: offset)
    let entry = Self.entry(CalibratedSource(ScriptedSource([.gyroscope(raw)]), file: file), clock: FreeRunningClock())
    let log = Log()
    let heard = Lock<[Double]>([])
    let recorder = Self.recorder(log)
    let recording = SourceRecording(entry, recorder: recorder) { log.end($0) }
    let subscription = recording.hub.subscribe(.gyroscope, interval: .zero) { sample in
      if case .gyroscope(let sample) = sample { heard.withLock { $0.append(sample.angularVelocity.x) } }
    }
    recording.start()
    _ = log.ended.wait(limit: .seconds(60))
    recording.stop()
    subscription.cancel()
    try recorder.finish()
    #expect(log.samples == [.gyroscope(raw)])
    #expect(heard.withLock { $0 } == [0.25])

    let description = try RecordingDescription(recording: entry)
    let calibration = String(decoding: try #require(description.calibration), as: UTF8.self)
    #expect(calibration.contains("0.25"))
    #expect(!calibration.contains("0815"))
  }

  /// A device that is unplugged in the middle costs its absence and nothing else, and the recording says what happened.
  @Test func anUnpluggedDeviceIsAnEventAndAGap() async throws {
    let clock = VirtualClock()
    let source = try SimulatedSource(
      scenario: "handheld", options: ["disconnectAt": "1.005", "reconnectAfter": "1", "temperature": "no"])
    let log = Log()
    let recorder = Self.recorder(log)
    let recording = SourceRecording(Self.entry(source, clock: clock), recorder: recorder) { log.end($0) }
    recording.start()
    await clock.advance(by: .seconds(4))
    recording.stop()
    await clock.settle()
    try recorder.finish()
    #expect(log.endings == ["interrupted: disconnected"])
    let times = log.samples.filter { $0.kinds == .inertial }.map(\.time.seconds)
    #expect(times.filter { $0 < 1.005 }.count == 101)
    let back = try #require(times.first { $0 > 1.005 })
    #expect(back >= 2.005 && back < 2.6)
    #expect((times.last ?? 0) > 3.98)
    let names = log.events.map { event in
      switch event {
      case .error(_, let service, _, _, _): "error \(service)"
      case .gap(let start, let service, let duration, _):
        "gap \(service) \((start + duration).seconds == back)"
      default: "other"
      }
    }
    #expect(names == ["error source", "gap source true"])
  }

  @Test func arrivalsAreOnTheSamplesClock() async throws {
    let clock = VirtualClock()
    let source = try SimulatedSource(scenario: "rest", options: [:])
    let log = Log()
    let recorder = Self.recorder(log)
    let recording = SourceRecording(Self.entry(source, clock: clock), recorder: recorder) { log.end($0) }
    recording.start()
    await clock.advance(by: .seconds(1))
    recording.stop()
    await clock.settle()
    try recorder.finish()
    #expect(!log.items.isEmpty)
    #expect(log.items.allSatisfy { $0.receivedAt == $0.time })
    // At full speed it is unknown when a sample came.
    let (fast, _) = try Self.record(
      try SourceCatalog().open(try SourceURI("simulate:rest?duration=1&speed=max")))
    #expect(!fast.items.isEmpty)
    #expect(fast.items.allSatisfy { $0.receivedAt == nil })
  }

  @Test func aSourceThatNeverSpeaksEndsWithItsError() throws {
    let error = SensorError(.notPermitted, "Not for you.")
    let info = SensorInfo(name: "x", origin: .hardware, pacing: .live, channels: [.init(kind: .gyroscope)])
    let source = ScriptedSource([], ending: .fails(error), info: info)
    let (log, progress) = try Self.record(Self.entry(source, clock: FreeRunningClock()))
    #expect(log.endings.first == "not-permitted")
    #expect(progress.samples == 0)
  }

  @Test func headphonesSayFirstWhetherTheyAreOn() async throws {
    let clock = VirtualClock()
    let source = SimulatedHeadphones()
    let log = Log()
    let recorder = Self.recorder(log)
    let recording = SourceRecording(
      Self.entry(source, clock: clock), recorder: recorder, isHeadphones: true
    ) { log.end($0) }
    #expect(recording.host.headphones != nil && recording.host.device == nil)
    recording.start()
    await clock.advance(by: .seconds(2))
    recording.stop()
    await clock.settle()
    try recorder.finish()
    guard case .event(.connection(_, _, let isConnected), _) = log.items.first else {
      Issue.record("The recording does not begin with the connection.")
      return
    }
    #expect(isConnected)
    #expect(log.samples.count > 10)
  }

  @Test func theWallClockIsKnownOnTheComputersClockOnly() throws {
    let live = try RecordingDescription(recording: SourceCatalog().open(try SourceURI("simulate:rest")))
    let offset = try #require(live.wallOffset)
    let now = (MonotonicClock().now + offset).seconds
    #expect(abs(now - Date().timeIntervalSince1970) < 1)
    #expect(live.clock == .monotonic && live.isSimulated)
    for speed in ["max", "2"] {
      let other = try RecordingDescription(
        recording: SourceCatalog().open(try SourceURI("simulate:rest?speed=\(speed)")))
      #expect(other.wallOffset == nil && other.clock == .none)
    }
  }
}
