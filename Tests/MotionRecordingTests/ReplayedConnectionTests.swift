// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import TestSupport
import Testing

@testable import MotionRecording

/// What a recording of headphones says of their coming and going is said again when it plays.
@Suite struct ReplayedConnectionTests {
  /// What a run says, in order: "left", "right", "gone", or the milliseconds of a sample.
  private final class Listener: Sendable {
    private let heard = Lock<[String]>([])
    var all: [String] { heard.withLock { $0 } }
    /// Reports without the samples between them.
    var reports: [String] { all.filter { Int($0) == nil } }

    func session(
      clock: any SensorClock = FreeRunningClock(), resumeAfter: SensorInstant? = nil, kinds: SensorKinds = []
    ) -> SensorSession {
      SensorSession(
        clock: clock, resumeAfter: resumeAfter, request: SensorRequest(kinds: kinds, interval: .zero),
        connectionSink: { [heard] (state, _) throws(SourceStopped) in
          let side = state.location == .headphoneLeft ? "left" : state.location == .headphoneRight ? "right" : "default"
          heard.withLock { $0.append(state.isConnected ? side : "gone") }
        },
        sink: { [heard] (sample, _) throws(SourceStopped) in
          heard.withLock { $0.append("\(sample.time.nanoseconds / 1_000_000)") }
        })
    }
  }

  private static func at(_ milliseconds: Int64) -> SensorInstant {
    SensorInstant(nanoseconds: milliseconds * 1_000_000)
  }

  private static func sample(_ milliseconds: Int64, _ side: MotionRow.Location) -> RecordedItem {
    .sample(
      .motion(
        MotionRow(
          time: at(milliseconds), w: 1, vector: Vector3(x: 0, y: 0, z: 0), reference: .xArbitrary,
          angularVelocity: Vector3(x: 0, y: 0, z: 0), gravity: Vector3(x: 0, y: 0, z: standardGravity),
          linearAcceleration: Vector3(x: 0, y: 0, z: 0), accelerationUnit: .gravity, location: side)))
  }

  private static func report(_ milliseconds: Int64, _ device: String, _ isConnected: Bool) -> RecordedItem {
    .event(.connection(at(milliseconds), device: device, isConnected: isConnected))
  }

  /// The left bud speaks, then the right one; taken off, put on again, and taken off at the end.
  private static let story: [RecordedItem] = [
    report(900, "left", true), sample(1000, .headphoneLeft), sample(1020, .headphoneLeft),
    report(1030, "right", true), sample(1040, .headphoneRight), report(1050, "right", false),
    report(1500, "right", true), sample(1510, .headphoneRight), report(1520, "right", false),
  ]
  private static let heard = ["left", "1000", "1020", "right", "1040", "gone", "right", "1510", "gone"]

  private func write(_ items: [RecordedItem], _ folder: TemporaryFolder, _ name: String) throws -> String {
    let sink = MemoryByteSink()
    let description = RecordingDescription(
      info: SensorInfo(
        name: "headphones", origin: .hardware, pacing: .live, deviceClass: .headphones,
        channels: [.init(kind: .motion), .init(kind: .connection)]))
    let writer: any RecordingWriter =
      try name.hasSuffix(".mcap") ? MCAPWriter(sink, description) : NDJSONWriter(sink, description: description)
    for item in items { try writer.write(item) }
    try writer.finish()
    return try folder.write(name, sink.bytes)
  }

  @Test(arguments: ["head.mcap", "head.ndjson"])
  func reportsComeInOrderWithTheSamples(name: String) throws {
    let folder = try TemporaryFolder()
    let source = try ReplaySource(path: write(Self.story, folder, name), options: [:])
    #expect(source.info.kinds == [.motion, .connection])
    let listener = Listener()
    try source.run(listener.session())
    #expect(listener.all == Self.heard)
    // Nothing is missing, and nothing was passed over.
    #expect(source.statistics.samples == 4 && source.statistics.passedOver.isEmpty)
  }

  /// Of two devices in one file each has its own story, in text as well.
  @Test(arguments: ["heads.mcap", "heads.ndjson"])
  func eachDeviceHasReportsOfItsOwn(name: String) throws {
    let folder = try TemporaryFolder()
    let isBinary = name.hasSuffix(".mcap")
    let sinks = (binary: MemoryByteSink(), text: MemoryByteSink())
    let description = RecordingDescription(
      info: SensorInfo(name: "headphones", origin: .hardware, pacing: .live, channels: [.init(kind: .motion)]))
    let (binary, text) = (
      try MCAPWriter(sinks.binary, description), NDJSONWriter(sinks.text, description: description)
    )
    for device in ["mine", "yours"] {
      var own = description
      own.device = device
      var encoder = TopicEncoder(own)
      for item in device == "mine" ? Self.story : [Self.sample(1000, .device)] {
        try encoder.encode(item) { (topic, time, body) throws(SensorError) in
          let message = TopicMessage(topic: topic, time: time, body: body)
          if isBinary { try binary.write(message) } else { try text.write(message) }
        }
      }
    }
    try binary.finish()
    try text.finish()
    let path = try folder.write(name, isBinary ? sinks.binary.bytes : sinks.text.bytes)
    let mine = Listener()
    try ReplaySource(path: path, options: ["device": "mine"]).run(mine.session())
    #expect(mine.all == Self.heard)
    let yours = try ReplaySource(path: path, options: ["device": "yours"])
    #expect(yours.info.kinds == .motion)
  }

  @Test func aRunThatGoesOnBeginsWithTheStateThatHolds() throws {
    let folder = try TemporaryFolder()
    let source = try ReplaySource(path: write(Self.story, folder, "head.mcap"), options: [:])
    for (time, expected) in [
      (1000, ["left", "1020", "right", "1040", "gone", "right", "1510", "gone"]),
      (1040, ["right", "gone", "right", "1510", "gone"]), (1100, ["gone", "right", "1510", "gone"]),
    ] as [(Int64, [String])] {
      let listener = Listener()
      try source.run(listener.session(resumeAfter: Self.at(time)))
      #expect(listener.all == expected)
    }
  }

  @Test func whereAPartSaysNothingASampleProvesTheConnection() throws {
    let folder = try TemporaryFolder()
    let items = [
      Self.sample(1000, .headphoneRight), Self.report(1010, "right", false), Self.sample(1020, .headphoneRight),
    ]
    let source = try ReplaySource(
      path: write(items + [Self.report(1030, "left", true)], folder, "part.mcap"), options: [:])
    let listener = Listener()
    try source.run(listener.session())
    #expect(listener.all == ["right", "1000", "gone", "right", "1020", "left"])
  }

  @Test func aRecordingWithoutReportsSaysNothing() throws {
    let folder = try TemporaryFolder()
    let source = try ReplaySource(path: write([Self.sample(1000, .device)], folder, "head.mcap"), options: [:])
    let listener = Listener()
    try source.run(listener.session())
    #expect(listener.all == ["1000"] && source.info.kinds == .motion)
  }

  /// As `CMHeadphoneMotionManager` does: first the connection, then motion. On a clock that never waits the recording must
  /// not be over before motion is requested.
  @Test(arguments: [false, true]) func motionThatIsWantedAMomentLaterMissesNothing(waits: Bool) throws {
    let folder = try TemporaryFolder()
    let source = try ReplaySource(path: write(Self.story, folder, "head.mcap"), options: [:])
    let listener = Listener()
    let clock = RecordingClock(base: MonotonicClock(), anchor: MonotonicClock().now, origin: Self.at(1000))
    let session = waits ? listener.session(clock: clock, kinds: .connection) : listener.session(kinds: .connection)
    let ended = Lock(false)
    Thread.detachNewThread {
      try? source.run(session)
      ended.withLock { $0 = true }
    }
    #expect(waitUntil { !listener.all.isEmpty })
    // Its thread has a thousand turns to go on wrongly.
    for _ in 0..<1000 where !waits { sched_yield() }
    #expect(waits || listener.all == ["left"] && !ended.withLock { $0 })
    session.update(SensorRequest(kinds: [.motion, .connection], interval: .zero))
    #expect(waitUntil { ended.withLock { $0 } })
    #expect(listener.all == Self.heard)
  }

  @Test func onAClockThatWaitsTimePassesWithoutSamples() throws {
    let folder = try TemporaryFolder()
    let source = try ReplaySource(path: write(Self.story, folder, "head.mcap"), options: [:])
    let listener = Listener()
    let clock = RecordingClock(base: MonotonicClock(), anchor: MonotonicClock().now, origin: Self.at(1000), rate: 20)
    try source.run(listener.session(clock: clock, kinds: .connection))
    #expect(listener.all == ["left", "right", "gone", "right", "gone"])
    #expect(clock.now >= Self.at(1520))
  }

  /// Rounds without a listener for samples are rounds.
  @Test func aLoopGoesOnWhileOnlyTheConnectionIsWanted() throws {
    let folder = try TemporaryFolder()
    let source = try ReplaySource(path: write(Self.story, folder, "head.mcap"), options: ["loop": "yes"])
    let listener = Listener()
    let clock = RecordingClock(base: MonotonicClock(), anchor: MonotonicClock().now, origin: Self.at(1000), rate: 100)
    let session = listener.session(clock: clock, kinds: .connection)
    let ended = Lock(false)
    Thread.detachNewThread {
      try? source.run(session)
      ended.withLock { $0 = true }
    }
    waitUntil { listener.all.count >= 13 || ended.withLock { $0 } }
    session.stop()
    #expect(listener.all.prefix(9) == ["left", "right", "gone", "right", "gone", "left", "right", "gone", "right"])
    #expect(waitUntil { ended.withLock { $0 } })
  }

  @Test(arguments: [[:], ["loop": "yes"], ["clock": "now"]])
  func itKeepsThePromisesOfASource(options: [String: String]) async throws {
    let folder = try TemporaryFolder()
    let source = try ReplaySource(path: write(Self.story, folder, "head.mcap"), options: options)
    let conformance = SourceConformance(source: source, sampleLimit: 40, checksGravity: false)
    #expect(await conformance.violations() == [], "\(options)")
  }

  /// A file of nothing but reports costs no memory, and a sensor of an unknown name is passed over.
  @Test func reportsOfAnyNumberAndNameAreTaken() throws {
    let folder = try TemporaryFolder()
    var items = (0..<5000).map { Self.report(900, $0.isMultiple(of: 2) ? "left" : "right", true) }
    items.append(.event(.connection(Self.at(950), device: "nose", isConnected: false)))
    let path = try write(items + [Self.sample(1000, .headphoneRight)], folder, "head.mcap")
    let source = try ReplaySource(path: path, options: [:])
    let listener = Listener()
    try source.run(listener.session())
    #expect(listener.all == ["right", "1000"] && source.statistics.passedOver == ["/event/connection": 1])
    let reader = try source.recording.makeReader(hearsConnection: true)
    _ = try reader.next()
    #expect(reader.readConnections().count == 1000)
  }
}
