// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import LinuxSources
import MotionMath
import MotionRecording
import MotionSensing
import TestSupport
import Testing

@testable import MotionHost
@testable import MotionServices

/// `MOTION_STRICT`, and what a process without any source says: in processes of their own, as a client's tests are.
@Suite struct StrictnessTests {
  /// What a test suite does that waits for no sample: it plays `source` and ends with success, unless the process ends
  /// before.
  private static func play(_ source: String, strict: String) {
    setenv("MOTION_SOURCE", source, 1)
    setenv("MOTION_STRICT", strict, 1)
    setenv("MOTION_MEMORY", "off", 1)
    let manager = CMMotionManager()
    manager.startDeviceMotionUpdates(to: OperationQueue()) { _, _ in }
    waitUntil { MotionHost.current.device?.hasEnded != false }
    manager.stopDeviceMotionUpdates()
    // The source's thread may have to say something about the run that is over.
    waitUntil { MotionHost.current.device?.isRunning != true }
  }

  private static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func aRecordingThatIsNotThereEndsTheProcess() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      Self.play("replay:/no/such/walk.csv?speed=max", strict: "1")
    }
    #expect(Self.text(result).contains("/no/such/walk.csv") && Self.text(result).contains("MOTION_STRICT"))
    await #expect(processExitsWith: .success) { Self.play("replay:/no/such/walk.csv?speed=max", strict: "0") }
  }

  @Test func aRecordingThatIsCutOffEndsTheProcess() async throws {
    let file = try RecordingFile { $0.removeLast(20) }
    let path = file.path
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      [path = path as String] in Self.play("replay:\(path)?speed=max", strict: "1")
    }
    #expect(Self.text(result).contains("ends early: it is cut off at \(path), line "))
    await #expect(processExitsWith: .success) {
      [path = path as String] in Self.play("replay:\(path)?speed=max", strict: "0")
    }
  }

  @Test func aWholeRecordingIsNoReason() async throws {
    let file = try RecordingFile()
    let path = file.path
    await #expect(processExitsWith: .success) {
      [path = path as String] in
      Self.play("replay:\(path)?speed=max", strict: "1")
      try #require(MotionHost.current.device?.statistics.gyroscope.delivered == RecordingFile.count)
    }
  }

  @Test func aMistakeInAVariableEndsTheProcess() async {
    await #expect(processExitsWith: .exitCode(1)) {
      setenv("MOTION_LOCATION", "north", 1)
      Self.play("simulate:rest?duration=1&speed=max", strict: "1")
    }
  }

  /// What is told, without the end of a process: damage that is skipped, failures, samples that the hub drops.
  @Test func everyLossIsOneSentence() async throws {
    let told = Lock<[String]>([])
    let strictness = Strictness { sentence in told.withLock { $0.append(sentence) } }
    func play(_ source: any SensorSource) async throws -> [String] {
      told.withLock { $0 = [] }
      let host = MotionHost(device: source, clock: FreeRunningClock(), strictness: strictness)
      let manager = host.run { CMMotionManager() }
      manager.startGyroUpdates()
      #expect(await eventually { host.device?.hasEnded != false })
      manager.stopGyroUpdates()
      return told.withLock { $0 }
    }
    func sample(_ milliseconds: Int64) -> SensorSample {
      let time = SensorInstant(nanoseconds: milliseconds * 1_000_000)
      return .gyroscope(GyroscopeSample(time: time, angularVelocity: .zero))
    }
    #expect(try await play(ScriptedSource([sample(10), sample(20)])) == [])
    let late = try await play(ScriptedSource([sample(10), sample(20), sample(10), sample(30)]))
    #expect(late.count == 1 && late.first?.contains("dropped a sample of the gyroscope at 0.01 s") == true)
    let broken = try await play(
      ScriptedSource([sample(10)], ending: .fails(SensorError(.malformed, "Line 2 is torn."))))
    #expect(broken.count == 1 && broken.first?.hasSuffix("has failed: Line 2 is torn.") == true)
    let damaged = try RecordingFile { bytes in
      let line = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[20]
      bytes[line.startIndex + line.count / 2] = 0x07
    }
    let entry = try SourceCatalog().open(SourceURI("replay:\(damaged.path)?errors=skip"))
    let skipped = try await play(entry.source)
    #expect(skipped.count == 1 && skipped.first?.contains("lacks 1 entries that are malformed") == true, "\(skipped)")
  }

  /// D43: a start that can never deliver is a failure of the run, with a handler and without.
  @Test func aStartThatCanNeverDeliverIsTold() {
    let told = Lock<[String]>([])
    let strictness = Strictness { sentence in told.withLock { $0.append(sentence) } }
    let host = MotionHost(
      device: ScriptedSource([.accelerometer(AccelerometerSample(time: .init(nanoseconds: 0), specificForce: .zero))]),
      clock: FreeRunningClock(), strictness: strictness)
    host.run {
      let manager = CMMotionManager()
      manager.startGyroUpdates()
      manager.startDeviceMotionUpdates(to: OperationQueue()) { _, _ in }
      CMAltimeter().startRelativeAltitudeUpdates(to: OperationQueue()) { _, _ in }
      CMHeadphoneMotionManager().startDeviceMotionUpdates()
      CMBatchedSensorManager().startDeviceMotionUpdates { _, _ in }
      _ = CMBatchedSensorManager().deviceMotionUpdates().makeAsyncIterator()
    }
    let sentences = told.withLock { $0 }
    #expect(sentences.count == 6 && sentences.prefix(2).allSatisfy { $0.contains("has no gyroscope") }, "\(sentences)")
    #expect(
      sentences.contains { $0.contains("no air pressure") } && sentences.contains { $0.contains("no headphones") })
  }

  /// The README's own program without a source: one line on standard error that says how to go on, however often it
  /// asks.
  @Test func withoutAnySourceTheProcessSaysSoOnce() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let host = HostEnvironment(["MOTION_MEMORY": "off"], root: SystemRoot("/nowhere")).makeHost()
      let installation = host.install()
      let manager = CMMotionManager()
      try #require(!manager.isDeviceMotionAvailable && !manager.isAccelerometerAvailable)
      manager.startDeviceMotionUpdates(to: .main) { _, _ in }
      _ = CMMotionManager().isGyroAvailable
      installation.remove()
    }
    let lines = Self.text(result).split(separator: "\n").filter { $0.contains("There is no motion") }
    #expect(lines.count == 1)
    for way in ["MOTION_SOURCE=simulate:handheld", "MOTION_SOURCE=replay:", "motionctl doctor"] {
      #expect(lines.first?.contains(way) == true)
    }
  }
}

/// `MOTION_SOURCE=replay:… swift test`: what one test after the other hears (D29, D31).
@Suite struct ReplayRecipeTests {
  /// One test of a client: a manager of its own and a handler on a plain queue.
  private final class Session: @unchecked Sendable {
    let manager: CMMotionManager
    let queue = OperationQueue()
    private let heard = Lock<(rows: [[Double]], codes: [Int])>(([], []))

    init(_ host: MotionHost) {
      manager = host.run { CMMotionManager() }
      manager.deviceMotionUpdateInterval = 0
      start()
    }

    func start() {
      manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: queue) { [heard] motion, error in
        if let error { heard.withLock { $0.codes.append((error as NSError).code) } }
        guard let motion else { return }
        let (q, a) = (motion.attitude.quaternion, motion.userAcceleration)
        heard.withLock { $0.rows.append([motion.timestamp, q.x, q.y, q.z, q.w, a.x, a.y, a.z, motion.heading]) }
      }
    }

    var rows: [[Double]] { heard.withLock { $0.rows } }
    var codes: [Int] { heard.withLock { $0.codes } }

    /// Waits for what is in the queue.
    func settle() async { #expect(await eventually { queue.operationCount == 0 }) }

    /// Waits for so many samples.
    func wait(for count: Int) async { #expect(await eventually { rows.count >= count }) }
  }

  private static func host(_ file: borrowing RecordingFile, _ options: String) -> MotionHost {
    HostEnvironment(["MOTION_SOURCE": "replay:\(file.path)?\(options)", "MOTION_MEMORY": "off"]).makeHost()
  }

  private static func untilEnd(_ host: MotionHost) async {
    #expect(await eventually { host.device?.hasEnded != false })
  }

  /// The recipe of the README: three tests, one after the other, and a fourth whose predecessor left early.
  @Test(arguments: ["speed=max", "speed=20"]) func everyTestHearsTheWholeRecording(_ options: String) async throws {
    let file = try RecordingFile()
    let host = Self.host(file, options)
    var runs: [[[Double]]] = []
    var kept: [Session] = []
    for number in 0..<3 {
      let session = Session(host)
      await session.wait(for: RecordingFile.count)
      // One stops, one is dropped, one goes on listening for ever.
      if number == 0 { session.manager.stopDeviceMotionUpdates() }
      if number == 2 { kept.append(session) }
      runs.append(session.rows)
    }
    await Self.untilEnd(host)
    let early = Session(host)
    await early.wait(for: 20)
    early.manager.stopDeviceMotionUpdates()
    let last = Session(host)
    await last.wait(for: RecordingFile.count)
    runs.append(last.rows)
    #expect(runs[0].count == RecordingFile.count && runs[0].first?.first == 50)
    for run in runs { #expect(run == runs[0]) }
    // Who stayed hears nothing of the others, and may start again.
    let stayed = try #require(kept.first)
    #expect(stayed.rows.count == RecordingFile.count && stayed.manager.isDeviceMotionActive)
    await Self.untilEnd(host)
    stayed.start()
    await stayed.wait(for: 2 * RecordingFile.count)
    #expect(Array(stayed.rows.dropFirst(RecordingFile.count)) == runs[0] && stayed.codes.allSatisfy { $0 == 101 })
    #expect(host.droppedSampleCount == 0)
  }

  /// As an option a recording goes on where it was. Who starts after its end is told once, in pull mode by the log.
  @Test func withResumeARecordingPlaysOnce() async throws {
    let file = try RecordingFile()
    let host = Self.host(file, "speed=max&resume=yes")
    let first = Session(host)
    await first.wait(for: 20)
    first.manager.stopDeviceMotionUpdates()
    let stopped = first.rows.count
    let second = Session(host)
    await Self.untilEnd(host)
    await second.settle()
    #expect(second.rows.isEmpty || (second.rows.first?.first ?? 0) >= (first.rows[stopped - 1].first ?? 0))
    let third = Session(host)
    #expect(await eventually { !third.codes.isEmpty })
    #expect(third.rows.isEmpty && third.codes == [Int(CMErrorNotAvailable.rawValue)])
    #expect(third.manager.isDeviceMotionActive && third.manager.deviceMotion == nil)
  }

  /// A recording in which a service finds nothing: said, not silent.
  @Test func aRecordingWithoutSamplesIsTold() async throws {
    let info = SensorInfo(name: "recording", origin: .recording, pacing: .onDemand, channels: [.init(kind: .inertial)])
    let host = MotionHost(device: ScriptedSource([], info: info), clock: FreeRunningClock())
    let manager = host.run { CMMotionManager() }
    let queue = OperationQueue()
    let codes = Lock<[Int]>([])
    manager.startGyroUpdates(to: queue) { _, error in
      codes.withLock { $0.append((error as NSError?)?.code ?? 0) }
    }
    await Self.untilEnd(host)
    // It is told a moment after the end.
    #expect(await eventually { codes.withLock { !$0.isEmpty } })
    #expect(codes.withLock { $0 } == [Int(CMErrorNotAvailable.rawValue)])
    // A batch that never comes is an error as well, not an empty loop.
    let batches = host.run { CMBatchedSensorManager() }
    var iterator = batches.accelerometerUpdates().makeAsyncIterator()
    await #expect(throws: NSError.self) { _ = try await iterator.next() }
  }

  @Test func resumeIsAnOptionOfRecordings() throws {
    let file = try RecordingFile()
    #expect(try SourceCatalog().open(SourceURI("replay:\(file.path)?resume=yes")).pace.resumes)
    #expect(try !SourceCatalog().open(SourceURI("replay:\(file.path)")).pace.resumes)
    for address in ["replay:\(file.path)?resume=often", "simulate:rest?resume=yes"] {
      let error = #expect(throws: SensorError.self) { try SourceCatalog().open(SourceURI(address)) }
      #expect(error?.code == .invalidRequest)
    }
  }
}

/// A recording in the temporary folder: a device that turns, with a magnetometer, at 100 Hz and 50 Hz.
struct RecordingFile: ~Copyable {
  static let count = 300
  let path: String

  /// `change` damages the bytes of the file.
  init(_ change: (inout [UInt8]) -> Void = { _ in }) throws {
    path = NSTemporaryDirectory() + "recording-\(UUID().uuidString).ndjson"
    let info = SensorInfo(
      name: "made up", origin: .recording, pacing: .onDemand,
      channels: [.init(kind: .inertial, rates: [100]), .init(kind: .magnetometer, rates: [50])])
    let bytes = MemoryByteSink()
    let writer = NDJSONWriter(bytes, description: RecordingDescription(info: info))
    for index in 0..<Self.count {
      let time = SensorInstant(nanoseconds: 50_000_000_000 + Int64(index) * 10_000_000)
      let angle = 0.8 * sin(Double(index) / 40)
      let field = Vector3<Device>(x: 2e-5 * cos(angle), y: 0.5e-5, z: -4e-5 + 2e-5 * sin(angle))
      if index % 2 == 0 { try writer.write(.magnetometer(MagnetometerSample(time: time, magneticField: field))) }
      try writer.write(
        .inertial(
          InertialSample(
            time: time, angularVelocity: Vector3(x: 0.02, y: 2 * cos(Double(index) / 40), z: 0.1),
            specificForce: Vector3(x: -9.8 * sin(angle), y: 0.01, z: 9.8 * cos(angle)))))
    }
    try writer.finish()
    var damaged = bytes.bytes
    change(&damaged)
    try Data(damaged).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
