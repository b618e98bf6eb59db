// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A program in Swift 6 whose declarations belong to the main actor by default: `Tests/Fixtures/StreamsMainActor`. That
/// it compiles without a diagnostic is shown by its build with warnings as errors; here it runs.
@Suite struct ClientTests {
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("streams-main-actor")

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program.path), "built with CLIENTS=1 only"))
  func aProgramOfTheMainActorReadsStreamsOnEveryActor() async throws {
    let process = Process()
    process.executableURL = Self.program
    process.environment = ["MOTION_SOURCE": "simulate:handheld", "SWIFT_BACKTRACE": "enable=no"]
    let output = Pipe()
    process.standardOutput = output
    let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
      separator: "\n")
    #expect(status == 0 && lines.allSatisfy { $0.hasPrefix("ok ") } && lines.count == 6, "\(lines)")
  }
}
