// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import LinuxSources
import MotionMath
import MotionSensing
import MotionTesting
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
    for _ in 0..<100_000 where MotionHost.current.device?.hasEnded == false { usleep(1000) }
    manager.stopDeviceMotionUpdates()
    // The source's thread may have to say something about the run that is over.
    for _ in 0..<100_000 where MotionHost.current.device?.isRunning == true { usleep(1000) }
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
      while host.device?.hasEnded == false { try await Task.sleep(for: .milliseconds(1)) }
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
    #expect(skipped.count == 1 && skipped.first?.contains("drops 1 rows that are malformed") == true, "\(skipped)")
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
