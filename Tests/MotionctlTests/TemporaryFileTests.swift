// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing
import Testing

@testable import MotionTools

/// The name under which a file is written until it is whole.
@Suite struct TemporaryFileTests {
  /// In a shared folder another user may have put a link where the file would be written.
  @Test func whatLiesUnderTheTemporaryNameIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "victim")
    for name in ["table.csv", "part.mcap"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("\(name).\(getpid()).part"), withDestinationPath: folder.path("victim"))
    }
    let table = try OutputFile.open(folder.path("table.csv"))
    try table.write(Array("1,2,3".utf8))
    try table.commit()
    let part = ConvertOutput(readingFrom: [folder.path("other.mcap")], force: false)
    try part.sink(folder.path("part.mcap")).finish()
    try part.commit()
    #expect(try folder.read("victim") == Data("precious".utf8))
    #expect(try folder.read("table.csv") == Data("1,2,3".utf8))
    let links = ["table.csv", "part.mcap"].map { "\($0).\(getpid()).part" }
    #expect(try folder.names == (links + ["part.mcap", "table.csv", "victim"]).sorted())
  }

  @Test func whatIsDiscardedOrCannotTakeItsPlaceLeavesNothing() throws {
    let folder = try TemporaryFolder()
    try OutputFile.open(folder.path("table.csv")).discard()
    let file = try OutputFile.open(folder.path("table.csv"))
    try FileManager.default.createDirectory(atPath: folder.path("table.csv"), withIntermediateDirectories: true)
    #expect(throws: CommandFailure.self) { try file.commit() }
    #expect(try folder.names == ["table.csv"])
  }

  @Test func aSecondSignalLeavesNoTemporaryFile() throws {
    let folder = try TemporaryFolder()
    let process = try MotionctlProcess([
      "fuse", "simulate:rest?speed=max", "--for", "1e9", "-o", folder.path("table.csv"),
    ])
    try waitUntil { try !folder.names.isEmpty }
    #expect(try folder.names.contains { $0.hasSuffix(".part") })
    // Both at once: no time for an orderly end in between.
    for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] { process.send(signal) }
    #expect(try process.finish().code > 128)
    #expect(try !folder.names.contains { $0.hasSuffix(".part") })
  }
}
