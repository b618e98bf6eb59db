// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the system refuses is said, and ends no process by a trap.
@Suite struct ExhaustionTests {
  @Test func withoutFileDescriptorsARecordingFailsWithASentence() throws {
    let folder = try TemporaryFolder()
    let command = "exec \"$MOTIONCTL\" record 'simulate:handheld?speed=max' -o '\(folder.path("a.mcap"))' --for 1"
    var codes: [Int32] = []
    for limit in 4..<14 {
      let run = try Self.start("ulimit -n \(limit); \(command)")
      let (code, errors) = try run.finish()
      #expect(code == 0 || code == 1 && errors.contains("(ulimit -n)"), "\(limit) descriptors: \(code) \(errors)")
      codes.append(code)
      try? FileManager.default.removeItem(atPath: folder.path("a.mcap"))
    }
    #expect(codes.first == 1 && codes.last == 0, "\(codes)")
  }

  /// As for a device that is away: it goes on when there are descriptors again. Fewer than five are not enough for
  /// libdispatch, which ends the process.
  @Test func aProgramThatUsesCoreMotionHearsOfItInItsHandler() throws {
    let run = try Self.start(
      "ulimit -n 5; exec \"$MOTIONCTL\" stream 'simulate:handheld?speed=max' --format csv --for 1")
    #expect(waitUntil { run.errorsSoFar.contains("(ulimit -n)") }, "\(run.errorsSoFar)")
    run.process.terminate()
    #expect(try run.finish().code == 128 + SIGTERM)
  }

  private struct Run {
    let process = Process()
    let errors: TemporaryFile

    var errorsSoFar: String { (try? String(contentsOf: errors.url, encoding: .utf8)) ?? "" }

    /// The exit code, or 128 + the signal that ended it.
    func finish() throws -> (code: Int32, errors: String) {
      process.waitUntilExit()
      let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
      return (code, errorsSoFar)
    }
  }

  private static func start(_ script: String) throws -> Run {
    let run = Run(errors: try TemporaryFile())
    let process = run.process
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.environment = ["MOTIONCTL": MotionctlProcess.executable.path, "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: run.errors.url)
    try process.run()
    return run
  }
}
