// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The file of a recording belongs to one program, and what others do to it is said.
@Suite struct RecordFileTests {
  /// A recording at real speed whose first chunk is in the file.
  private static func recording(_ path: String, _ options: [String] = []) throws -> MotionctlProcess {
    let process = try MotionctlProcess(["record", "simulate:handheld", "-o", path] + options)
    let hasBegun = waitUntil { ((try? Data(contentsOf: URL(fileURLWithPath: path)).count) ?? 0) > 20_000 }
    if !hasBegun { Issue.record("The recording has not begun: \(process.errorsSoFar)") }
    return process
  }

  @Test func aSecondRecorderOfTheSameFileIsRefusedBeforeItChangesAnything() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mcap")
    let first = try Self.recording(path)
    let (fast, other) = ("simulate:rest?speed=max", folder.path("b.mcap"))
    #expect(try MotionctlProcess.run("record", fast, "-o", other, "--for", "1").code == 0)
    for arguments in [
      ["record", fast, "-o", path, "--for", "1", "--force"], ["cut", other, path, "--force"],
      ["convert", other, path, "--force"],
    ] {
      let second = try MotionctlProcess(arguments).finish()
      #expect(second.code == 1 && second.errors.contains("a.mcap"), "\(second.errors)")
      #expect(second.errors.contains("Another program writes this file") || second.errors.contains("being recorded"))
    }
    first.send(SIGTERM)
    let result = try first.finish()
    #expect(result.code == 128 + SIGTERM && result.errors.contains("none lost"), "\(result.errors)")
    let report = try InfoOutput(of: path)
    #expect(report.isFinished == true && report.streams.allSatisfy { $0["gaps"] as? Int == 0 })
    // The lock has gone with its owner.
    #expect(try MotionctlProcess.run("record", fast, "-o", path, "--for", "1", "--force").code == 0)
  }

  @Test func aFileDeletedWhileItIsRecordedEndsTheRecordingWithASentence() throws {
    let folder = try TemporaryFolder()
    let process = try Self.recording(folder.path("a.mcap"))
    try FileManager.default.removeItem(atPath: folder.path("a.mcap"))
    // Nobody has to end it.
    let result = try process.finish()
    #expect(result.code == 1 && result.errors.contains("a.mcap: The file was deleted"), "\(result.errors)")
  }

  @Test func aFileReplacedWhileItIsRecordedIsSaidAndLeftAlone() throws {
    let folder = try TemporaryFolder()
    let process = try Self.recording(folder.path("a.mcap"))
    try folder.write("another's", to: "b")
    #expect(rename(folder.path("b"), folder.path("a.mcap")) == 0)
    let result = try process.finish()
    #expect(result.code == 1 && result.errors.contains("replaced"), "\(result.errors)")
    #expect(String(decoding: try folder.read("a.mcap"), as: UTF8.self) == "another's")
  }

  @Test func aFileMovedWhileItIsRecordedIsWholeAndSaid() throws {
    let folder = try TemporaryFolder()
    let process = try Self.recording(folder.path("a.mcap"))
    #expect(rename(folder.path("a.mcap"), folder.path("b.mcap")) == 0)
    process.send(SIGTERM)
    let result = try process.finish()
    #expect(result.code == 1 && result.errors.contains("moved"), "\(result.errors)")
    #expect(try InfoOutput(of: folder.path("b.mcap")).isFinished == true)
  }
}
