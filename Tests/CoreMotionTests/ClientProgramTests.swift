// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
