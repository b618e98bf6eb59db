// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import Testing

/// Client code in the shapes of programs for Apple's framework, compiled in both language modes, runs on simulated
/// sensors.
///
/// The shapes stand in `Tests/Fixtures/ClientSwift5/Shapes`. They are programs of their own, because they conform the
/// module's structs to protocols that a test of this process expects them not to have.
@Suite(.clientProgramsBuilt) struct ClientProgramTests {
  @Test(arguments: ["client-swift5", "client-swift6"])
  func everyShapeDoesWhatItShould(_ name: String) async throws {
    // The test bundle is an executable among the other products.
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(name)
    try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path) is not built")
    let process = Process()
    process.executableURL = program
    process.environment = ["MOTION_SOURCE": "simulate:handheld", "SWIFT_BACKTRACE": "enable=no"]
    let output = Pipe()
    process.standardOutput = output
    let status = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
      separator: "\n")
    let shapes = lines.filter { $0.hasPrefix("ok ") }
    let problems = lines.filter { $0.hasPrefix("FAILED") || $0.hasPrefix("NEVER") }
    #expect(status == 0 && problems.isEmpty, "\(problems)")
    #expect(shapes.count >= 64)
  }
}

@Suite(.clientProgramsBuilt) struct MainActorMisuseTests {
  /// Why the `CoreMotion` target is in Swift 5 mode: the compiler then checks a client's isolation when its closure
  /// runs.
  @Test(arguments: [
    ("motion", "CMDeviceMotion", true), ("pedometer", "CMPedometerData", false),
    ("batches", "Array<CMAccelerometerData>", false),
  ])
  func aMainActorHandlerOnABackgroundQueueStopsTheProgram(
    _ service: String, _ sample: String, takesQueue: Bool
  ) async throws {
    // The test bundle is an executable among the other products.
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("main-actor-misuse")
    try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path) is not built")
    let process = Process()
    process.executableURL = program
    process.arguments = [service]
    process.environment = ["MOTION_SOURCE": "simulate:walk?speed=20", "SWIFT_BACKTRACE": "enable=no"]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    let status = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<(Process.TerminationReason, Int32), any Error>) in
      process.terminationHandler = { continuation.resume(returning: ($0.terminationReason, $0.terminationStatus)) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    // A shell calls it 132: 128 + SIGILL.
    #expect(status.0 == .uncaughtSignal)
    #expect(status.1 == SIGILL)
    #expect(!String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).contains("ran on"))
    // G29: the program says which handler it was, and what to change.
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("The handler for \(sample) belongs to the main actor"), "\(text)")
    // The remedy is one that the call has.
    #expect(text.contains("OperationQueue.main") == takesQueue && text.contains("@Sendable"))
  }

  /// A trap of another kind in a handler is the client's own: it has Swift's message, and not ours.
  @Test func anotherTrapInAHandlerIsNotExplained() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let manager = Bench(ScriptedSource(count: 1)).manager()
      let empty: [Int] = []
      manager.startGyroUpdates(to: OperationQueue()) { _, _ in _ = empty[3] }
      // Never signalled: the trap ends the process.
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 300)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Index out of range") && !text.contains("CoreMotion:"))
  }
}
