// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// The thread between a source and its recording.
@Suite struct RecorderTests {
  private static func sample(_ index: Int) -> RecordedItem {
    .sample(
      .gyroscope(
        GyroscopeSample(
          time: SensorInstant(nanoseconds: Int64(index) * 1_000_000),
          angularVelocity: Vector3(x: Double(index), y: 0, z: 0))))
  }

  @Test func whatWasHandedOverIsWrittenInOrderAndFinished() throws {
    let log = WriterLog()
    let recorder = Recorder(writer: LoggingWriter(log), waitsForRoom: true, capacity: 100)
    let items = (0..<5000).map(Self.sample)
    for item in items { recorder.append(item) }
    try recorder.finish()
    #expect(log.items == items)
    #expect(log.isFinished)
    #expect(recorder.progress.lost == 0)
    #expect(recorder.progress.streams.map(\.samples) == [5000])
    #expect(abs((recorder.progress.streams.first?.rate ?? 0) - 1000) < 1e-9)
  }

  /// A live source must never wait for a disk: what finds no room is counted, and the recording says so itself.
  @Test func aWriterThatHangsHoldsNoLiveSourceUp() throws {
    let log = WriterLog()
    let gate = WakeSignal()
    let recorder = Recorder(writer: LoggingWriter(log, gate: gate), waitsForRoom: false, capacity: 10)
    for index in 0..<1000 { recorder.append(Self.sample(index)) }
    gate.signal()
    try recorder.finish()
    let lost = recorder.progress.lost
    #expect(lost > 0)
    var gapsLost = 0
    for case .event(.gap(_, let service, let duration, let count), _) in log.items {
      #expect(service == "recorder")
      #expect(duration >= .zero)
      gapsLost += count ?? 0
    }
    #expect(gapsLost == lost)
    #expect(log.samples.count + lost == 1000)
  }

  @Test func aSourceOnDemandWaitsForASlowWriterAndLosesNothing() throws {
    let log = WriterLog()
    let gate = WakeSignal()
    let recorder = Recorder(writer: LoggingWriter(log, gate: gate), waitsForRoom: true, capacity: 4)
    let thread = JoinableThread { for index in 0..<100 { recorder.append(Self.sample(index)) } }
    gate.signal()
    thread.join()
    try recorder.finish()
    #expect(log.samples.count == 100)
    #expect(recorder.progress.lost == 0)
  }

  /// kill -9 costs a second at most, also when the source has fallen silent.
  @Test func aSilentSourceIsFlushedAllTheSame() throws {
    let log = WriterLog()
    let recorder = Recorder(writer: LoggingWriter(log), waitsForRoom: false)
    recorder.append(Self.sample(0))
    #expect(log.flushed.wait(limit: .seconds(60)))
    #expect(log.samples.count == 1)
    try recorder.finish()
  }

  @Test func aFailureIsToldOnceAndHoldsNobodyUp() {
    let log = WriterLog()
    let told = Lock(0)
    let recorder = Recorder(
      writer: LoggingWriter(log, failsAfter: 3), waitsForRoom: true, capacity: 2,
      onFailure: { _ in told.withLock { $0 += 1 } })
    for index in 0..<500 { recorder.append(Self.sample(index)) }
    #expect(throws: SensorError.self) { try recorder.finish() }
    #expect(throws: SensorError.self) { try recorder.finish() }
    #expect(log.samples.count == 3 && recorder.progress.samples == 3)
    #expect(log.isFinished)
    #expect(told.withLock { $0 } == 1)
  }
}

/// A recording in several files.
@Suite struct RotationTests {
  private static let items = (0..<1000).map { index in
    RecordedItem.sample(
      .gyroscope(
        GyroscopeSample(
          time: SensorInstant(nanoseconds: Int64(index) * 10_000_000),
          angularVelocity: Vector3(x: Double(index), y: 0, z: 0))))
  }

  private static func write(_ items: [RecordedItem], every duration: SensorDuration) throws -> [WriterLog] {
    let logs = Lock<[WriterLog]>([])
    let writer = try RotatingWriter(every: duration) { (number) throws(SensorError) in
      let log = WriterLog()
      let begun = logs.withLock { logs in
        logs.append(log)
        return logs.count
      }
      guard begun == number else { throw SensorError(.system, "The files are counted wrongly.") }
      return LoggingWriter(log)
    }
    for item in items { try writer.write(item) }
    try writer.finish()
    return logs.withLock { $0 }
  }

  @Test func theFilesTogetherAreTheRecording() throws {
    let logs = try Self.write(Self.items, every: .seconds(3))
    #expect(logs.count == 4)
    #expect(logs.flatMap(\.items) == Self.items)
    #expect(logs.allSatisfy { $0.isFinished && !$0.items.isEmpty })
  }

  /// A file that did not say whether the headphones are on could not be read alone.
  @Test func eachFileSaysTheStateOfTheConnection() throws {
    let start = RecordedItem.event(.connection(Self.items[0].time, device: "left", isConnected: true))
    let logs = try Self.write([start] + Self.items, every: .seconds(5))
    #expect(logs.count == 2)
    for log in logs {
      guard case .event(.connection(_, let device, let isConnected), _) = log.items.first else {
        Issue.record("The file does not begin with the connection.")
        continue
      }
      #expect(device == "left" && isConnected)
    }
    #expect(logs.flatMap(\.samples).count == Self.items.count)
  }

  @Test(arguments: [
    ("walk.mcap", 1, "walk-0001.mcap"), ("a.b/walk", 12, "a.b/walk-0012"),
    ("/x/day.1.mcap", 10_000, "/x/day.1-10000.mcap"),
    (".mcap", 2, ".mcap-0002"),
  ])
  func theNumberStandsBeforeTheEnding(path: String, number: Int, expected: String) {
    #expect(RotatingWriter.path(path, number: number) == expected)
  }
}

/// A part of a recording, named by the options `from` and `to`, is a recording.
@Suite struct RecordingSpanTests {
  /// One second: late samples of four sensors.
  private func whole(_ folder: TemporaryFolder) throws -> (path: String, samples: [SensorSample]) {
    let path = try folder.write("a.mcap", MCAPFixture.file(MCAPFixture.items(count: 100)))
    return (path, try read(path).samples)
  }

  private func source(_ path: String, _ options: [String: String]) throws -> ReplaySource {
    try ReplaySource(path: path, options: options)
  }

  private func samples(_ recording: Recording) throws -> [SensorSample] {
    let reader = try recording.makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    #expect(try reader.next() == nil)
    return samples
  }

  @Test(
    arguments: [("0.25", nil), (nil, "0.5"), ("0.25", "0.5"), ("0", "100"), ("0.2501", "0.2601")]
      as [(String?, String?)])
  func theSamplesOfThePartAreThoseBetweenItsEnds(from: String?, to: String?) throws {
    let folder = try TemporaryFolder()
    let (path, all) = try whole(folder)
    let start = try #require(all.map(\.time).min())
    let options = ["from": from, "to": to].compactMapValues(\.self)
    let part = try source(path, options).recording
    let ends = (Double(from ?? "0") ?? 0, Double(to ?? "1e9") ?? 0)
    let wanted = all.filter { (ends.0..<ends.1).contains(($0.time - start).seconds) }
    #expect(try samples(part) == wanted && !wanted.isEmpty)
    #expect(part.start == start + (SensorDuration(seconds: ends.0) ?? .zero))
    let last = try #require(wanted.map(\.time).max())
    #expect(abs((part.duration ?? .zero).seconds - (last - part.start).seconds) < 0.02)
  }

  @Test func aPartThatIsNotThereIsRefused() throws {
    let folder = try TemporaryFolder()
    let (path, _) = try whole(folder)
    for (options, words) in [
      (["from": "5"], "nothing after 5.0 s"), (["from": "0.5", "to": "0.5"], "is empty"),
      (["from": "-1"], "seconds"), (["to": "nan"], "seconds"), (["to": "1e300"], "seconds"),
    ] {
      do throws(SensorError) {
        _ = try ReplaySource(path: path, options: options)
        Issue.record("\(options) was taken.")
      } catch {
        #expect(error.message.contains(words) && error.code == .invalidRequest)
      }
    }
  }

  @Test(arguments: [[:], ["loop": "yes"], ["clock": "now"]])
  func aPartKeepsThePromisesOfASource(options: [String: String]) async throws {
    let folder = try TemporaryFolder()
    let (path, _) = try whole(folder)
    let part = try source(path, options.merging(["from": "0.2", "to": "0.6"]) { $1 })
    let conformance = SourceConformance(source: part, sampleLimit: 1000, checksGravity: false)
    #expect(await conformance.violations() == [], "\(options)")
  }
}
