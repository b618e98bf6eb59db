// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct MainActorMisuseTests {
  /// Why the `CoreMotion` target is in Swift 5 mode: the compiler then checks a client's isolation when its closure runs.
  @Test func aMainActorHandlerOnABackgroundQueueStopsTheProgram() async throws {
    // The test bundle is an executable among the other products.
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("main-actor-misuse")
    try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path) is not built")
    let process = Process()
    process.executableURL = program
    process.environment = ["MOTION_SOURCE": "simulate:rest", "SWIFT_BACKTRACE": "enable=no"]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, Pipe())
    let status = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<(Process.TerminationReason, Int32), any Error>) in
      process.terminationHandler = { continuation.resume(returning: ($0.terminationReason, $0.terminationStatus)) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    // A shell calls it 132: 128 + SIGILL.
    #expect(status.0 == .uncaughtSignal)
    #expect(status.1 == SIGILL)
    #expect(!String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).contains("ran on"))
  }
}
