// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHistory
import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

@testable import MotionHost

/// Where a host's history is: in the recorder's file, or in memory (D40, D42).
@Suite struct HostHistoryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)").path
  private var path: String { folder + "/history.sqlite" }
  private let long = Date.distantPast

  /// A walk of a simulated person at full speed.
  private func walk(_ seconds: Int = 120) throws -> MotionHost {
    try MotionHost("simulate:walk?duration=\(seconds)&speed=max")
  }

  /// A file with 70 steps and two batches of an hour ago.
  private func makeFile(recordsAccelerometer: Bool = true) throws -> MotionStore {
    let holder = WriterLock.Holder(source: "iio:", recordsAccelerometer: recordsAccelerometer, since: Date())
    let store = try MotionStore.open(writing: path, as: holder).store
    let origin = Int64((Date().timeIntervalSince1970 - 3600) * 1e6)
    var rows = HistoryRows()
    rows.steps = [
      .init(
        start: SensorInstant(microseconds: 0), end: SensorInstant(microseconds: 40_000_000), steps: 70, distance: 50,
        activeTime: 40)
    ]
    rows.activities = [.init(start: SensorInstant(microseconds: 0), activity: .walking, confidence: .high)]
    var batcher = AccelerationBatcher(range: nil)
    for index in 0..<1000 {
      let time = SensorInstant(microseconds: Int64(index) * 20_000)
      let sample = AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: 9.81))
      if let batch = batcher.append(sample) { rows.batches.append(batch) }
    }
    try store.write(rows, source: "iio:", line: TimeLine(clock: "boot", origin: origin), durably: true)
    return store
  }

  private func live(_ seconds: Double, ending: ScriptedSource.Ending = .staysSilent) -> ScriptedSource {
    let now = MonotonicClock().now
    let samples = (0..<Int(seconds * 100)).map { index in
      SensorSample.accelerometer(
        AccelerometerSample(
          time: now + .milliseconds(Int64(index) * 10), specificForce: Vector3(x: 0, y: 0, z: 9.81)))
    }
    return ScriptedSource(
      samples, ending: ending,
      info: SensorInfo(
        name: "scripted sensor", origin: .hardware, pacing: .live,
        channels: [.init(kind: .accelerometer, rates: [100])]))
  }

  @Test func withoutAFileNothingIsKnownUntilAServiceStarts() throws {
    let host = try walk()
    let history = host.history
    #expect(try history.steps(from: long, to: Date()) == StepTotals())
    #expect(try history.activities(from: long, to: Date()).isEmpty)
    #expect(try history.accelerometer(from: long, to: Date()) == nil)
    #expect(host.device?.isRunning == false)
  }

  @Test func aSimulationHasAHistoryOfItsOwnUpToItsLatestSample() throws {
    let host = try walk()
    let use = host.history.keep()
    let wasHeard = waitUntil { host.device?.hasEnded == true }
    #expect(wasHeard)
    // The last steps are written when the recorder hears of the end, a moment later.
    #expect(waitUntil { (try? host.history.steps(from: long, to: Date()).steps) ?? 0 >= 237 })
    // Its two minutes were over at once: "now" is its latest sample.
    let steps = try host.history.steps(from: long, to: Date())
    #expect((237...243).contains(steps.steps) && steps.distance > 100)
    #expect(try host.history.activities(from: long, to: Date()).contains { $0.change.activity.contains(.walking) })
    #expect(try host.history.steps(from: long, to: Date() - 3600).steps == 0)
    withExtendedLifetime(use) {}
  }

  /// Two steps a second: a bounce with the harmonic of the impact, and a sway at half the rate. A bounce alone is no
  /// walk.
  private static func force(_ time: Double) -> Vector3<Device> {
    let phase = 4 * Double.pi * time
    return Vector3(x: 0.3 + 0.8 * sin(phase / 2), y: 0, z: 9.81 + 3 * sin(phase) + 1.2 * sin(2 * phase + 0.5))
  }

  @Test func aRecordingThatIsPlayedAgainIsCountedOnce() throws {
    // A minute of steps, twice a second.
    let samples = (0..<3000).map { index -> SensorSample in
      let time = Double(index) / 50
      return .accelerometer(
        AccelerometerSample(
          time: SensorInstant(microseconds: Int64(index) * 20_000), specificForce: Self.force(time)))
    }
    let info = SensorInfo(
      name: "recording walk.csv", origin: .recording, pacing: .onDemand,
      timeLine: .recorded(start: SensorInstant(nanoseconds: 0)), channels: [.init(kind: .accelerometer, rates: [50])])
    let host = MotionHost(device: ScriptedSource(samples, info: info), clock: FreeRunningClock())
    var counts: [StepTotals] = []
    for pass in 1...2 {
      let use = host.history.keep()
      #expect(waitUntil { host.device?.runCount == pass && host.device?.hasEnded == true })
      // The end of the use writes what has been collected.
      withExtendedLifetime(use) {}
      #expect(waitUntil { (try? host.history.steps(from: long, to: .distantFuture).steps) ?? 0 >= 118 })
      counts.append(try host.history.steps(from: long, to: .distantFuture))
    }
    #expect((118...122).contains(counts[0].steps) && counts[0] == counts[1])
  }

  @Test func aLiveSourceReadsTheRecordersFile() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try makeFile()
    let host = MotionHost(device: live(1))
    host.historyFile = HistoryFile(path: path, isNamed: false)
    #expect(host.history.keep() == nil)
    #expect(try host.history.steps(from: Date() - 7200, to: Date()).steps == 70)
    #expect(try host.history.activities(from: Date() - 7200, to: Date()).map(\.change.activity) == [.walking])
    let list = try #require(try host.history.accelerometer(from: Date() - 7200, to: Date()))
    #expect(Array(list).count == 1000)
    // The recorder keeps the accelerometer: nothing to do for this process, and its sensor stays off.
    host.history.recordAccelerometer(for: 60)
    #expect(host.device?.isRunning == false)
    withExtendedLifetime(store) {}
  }

  @Test func aSimulationNeverSeesThePersonsHistory() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try makeFile()
    let host = try walk()
    host.historyFile = HistoryFile(path: path, isNamed: false)
    #expect(try host.history.steps(from: long, to: Date()).steps == 0)
    // Unless MOTION_STORE says so.
    host.historyFile = HistoryFile(path: path, isNamed: true)
    #expect(try host.history.steps(from: long, to: Date()).steps == 70)
    withExtendedLifetime(store) {}
  }

  @Test func withoutARecorderTheProcessRecordsAndItsBatchesFollowTheFiles() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The recorder has been ended: nothing holds the lock.
    _ = try makeFile()
    let host = MotionHost(device: live(3), gate: .manual)
    host.historyFile = HistoryFile(path: path, isNamed: false)
    host.history.recordAccelerometer(for: 1)
    host.history.recordAccelerometer(for: 0.5)
    host.history.recordAccelerometer(for: .nan)
    host.play()
    // The request is over after a second: the sensor is released.
    #expect(waitUntil { host.device?.isRunning == false })
    let list = try #require(try host.history.accelerometer(from: Date() - 7200, to: Date() + 60))
    let identifiers = list.map(\.identifier)
    #expect((1049...1052).contains(identifiers.count) && Set(identifiers) == [1, 2, 3])
    #expect(identifiers == identifiers.sorted())
  }

  /// In virtual time: a request counts from the latest sample, and at full speed the next one would come seconds later.
  @Test func overlappingRequestsEndWithTheLater() async throws {
    let clock = VirtualClock()
    let walk = try SourceCatalog().open(SourceURI("simulate:walk?duration=100"))
    let host = MotionHost(device: walk.source, clock: clock)
    for seconds in [10.0, 30, 20] { host.history.recordAccelerometer(for: seconds) }
    await clock.advance(by: .seconds(5))
    host.history.recordAccelerometer(for: 20)
    await clock.advance(by: .seconds(24))
    #expect(host.device?.isRunning == true)
    await clock.advance(by: .seconds(2))
    #expect(host.device?.isRunning == false)
    let list = try #require(try host.history.accelerometer(from: long, to: .distantFuture))
    let times = list.map(\.instant.seconds)
    let (first, last) = (try #require(times.first), try #require(times.last))
    #expect(abs(last - first - 30) < 0.03 && (1499...1501).contains(times.count))
  }

  @Test func theEnvironmentNamesTheFile() throws {
    let home = ["HOME": "/people/ann"]
    #expect(
      try HostEnvironment(home).historyFile()
        == HistoryFile(path: "/people/ann/.local/state/opencoremotion/history.sqlite", isNamed: false))
    #expect(
      try HostEnvironment(home.merging(["XDG_STATE_HOME": "/state"]) { $1 }).historyFile()
        == HistoryFile(path: "/state/opencoremotion/history.sqlite", isNamed: false))
    #expect(
      try HostEnvironment(home.merging(["MOTION_STORE": "/data/h.sqlite"]) { $1 }).historyFile()
        == HistoryFile(path: "/data/h.sqlite", isNamed: true))
    #expect(try HostEnvironment([:]).historyFile() == nil)
    #expect(throws: SensorError.self) { try HostEnvironment(["MOTION_STORE": "relative"]).historyFile() }
  }
}
