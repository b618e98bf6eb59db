// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionSensing
import MotionServices
import MotionTesting
import Testing

@testable import MotionHost

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
    func settle() async throws { while queue.operationCount > 0 { try await Task.sleep(for: .milliseconds(1)) } }

    /// Waits for so many samples.
    func wait(for count: Int) async throws { while rows.count < count { try await Task.sleep(for: .milliseconds(1)) } }
  }

  private static func host(_ file: borrowing RecordingFile, _ options: String) -> MotionHost {
    HostEnvironment(["MOTION_SOURCE": "replay:\(file.path)?\(options)", "MOTION_MEMORY": "off"]).makeHost()
  }

  private static func untilEnd(_ host: MotionHost) async throws {
    while host.device?.hasEnded == false { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// The recipe of the README: three tests, one after the other, and a fourth whose predecessor left early.
  @Test(arguments: ["speed=max", "speed=20"]) func everyTestHearsTheWholeRecording(_ options: String) async throws {
    let file = try RecordingFile()
    let host = Self.host(file, options)
    var runs: [[[Double]]] = []
    var kept: [Session] = []
    for number in 0..<3 {
      let session = Session(host)
      try await session.wait(for: RecordingFile.count)
      // One stops, one is dropped, one goes on listening for ever.
      if number == 0 { session.manager.stopDeviceMotionUpdates() }
      if number == 2 { kept.append(session) }
      runs.append(session.rows)
    }
    try await Self.untilEnd(host)
    let early = Session(host)
    try await early.wait(for: 20)
    early.manager.stopDeviceMotionUpdates()
    let last = Session(host)
    try await last.wait(for: RecordingFile.count)
    runs.append(last.rows)
    #expect(runs[0].count == RecordingFile.count && runs[0].first?.first == 50)
    for run in runs { #expect(run == runs[0]) }
    // Who stayed hears nothing of the others, and may start again.
    let stayed = try #require(kept.first)
    #expect(stayed.rows.count == RecordingFile.count && stayed.manager.isDeviceMotionActive)
    try await Self.untilEnd(host)
    stayed.start()
    try await stayed.wait(for: 2 * RecordingFile.count)
    #expect(Array(stayed.rows.dropFirst(RecordingFile.count)) == runs[0] && stayed.codes.allSatisfy { $0 == 101 })
    #expect(host.droppedSampleCount == 0)
  }

  /// As an option a recording goes on where it was. Who starts after its end is told once, in pull mode by the log.
  @Test func withResumeARecordingPlaysOnce() async throws {
    let file = try RecordingFile()
    let host = Self.host(file, "speed=max&resume=yes")
    let first = Session(host)
    try await first.wait(for: 20)
    first.manager.stopDeviceMotionUpdates()
    let stopped = first.rows.count
    let second = Session(host)
    try await Self.untilEnd(host)
    try await second.settle()
    #expect(second.rows.isEmpty || (second.rows.first?.first ?? 0) >= (first.rows[stopped - 1].first ?? 0))
    let third = Session(host)
    while third.codes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
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
    try await Self.untilEnd(host)
    // It is told a moment after the end.
    while codes.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(codes.withLock { $0 } == [Int(CMErrorNotAvailable.rawValue)])
    // A batch that never comes is an error as well, not an empty loop.
    let batches = host.run { CMBatchedSensorManager() }
    var iterator = batches.accelerometerUpdates().makeAsyncIterator()
    await #expect(throws: NSError.self) { _ = try await iterator.next() }
  }

  @Test func resumeIsAnOptionOfRecordings() throws {
    let file = try RecordingFile()
    #expect(try SourceCatalog().open(SourceURI("replay:\(file.path)?resume=yes")).resumes)
    #expect(try !SourceCatalog().open(SourceURI("replay:\(file.path)")).resumes)
    for address in ["replay:\(file.path)?resume=often", "simulate:rest?resume=yes"] {
      let error = #expect(throws: SensorError.self) { try SourceCatalog().open(SourceURI(address)) }
      #expect(error?.code == .invalidRequest)
    }
  }
}
