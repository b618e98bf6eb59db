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
      let run = try MotionctlProcess.shell("ulimit -n \(limit); \(command)").finish()
      #expect(run.code == 0 || run.code == 1 && run.errors.contains("(ulimit -n)"), "\(limit) descriptors: \(run)")
      codes.append(run.code)
      try? FileManager.default.removeItem(atPath: folder.path("a.mcap"))
    }
    #expect(codes.first == 1 && codes.last == 0, "\(codes)")
  }

  /// As for a device that is away: it goes on when there are descriptors again. Fewer than five are not enough for
  /// libdispatch, which ends the process.
  @Test func aProgramThatUsesCoreMotionHearsOfItInItsHandler() throws {
    let run = try MotionctlProcess.shell(
      "ulimit -n 5; exec \"$MOTIONCTL\" stream 'simulate:handheld?speed=max' --format csv --for 1")
    #expect(waitUntil { run.errorsSoFar.contains("(ulimit -n)") }, "\(run.errorsSoFar)")
    run.send(SIGTERM)
    #expect(try run.finish().code == 128 + SIGTERM)
  }
}
