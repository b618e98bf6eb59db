// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl fuse --learn` and `--learned`.
@Suite struct LearnTests {
  private static let source = "simulate:handheld?errors=phone&duration=40"

  @Test func whatOneRunLearnsTheNextOneUses() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("phone.json")
    let plain = try MotionctlProcess.run("fuse", Self.source)
    let first = try MotionctlProcess.run("fuse", Self.source, "--learned", file, "--learn", file)
    #expect(first.code == 0)
    // A file that is not there yet is no knowledge, and learning changes nothing of the run.
    #expect(first.output == plain.output)
    #expect(first.errors.contains("is not there yet"))
    let learned = try folder.read("phone.json")
    let second = try MotionctlProcess.run("fuse", Self.source, "--learned", file)
    #expect(second.code == 0)
    #expect(second.output != plain.output)
    #expect(!second.errors.contains("is not there yet"))
    #expect(try folder.read("phone.json") == learned)
    #expect(try MotionctlProcess.run("fuse", Self.source, "--learned", file).output == second.output)
    let third = try MotionctlProcess.run("fuse", Self.source, "--learned", file, "--learn", file)
    #expect(third.output == second.output)
    #expect(try folder.read("phone.json") != learned)
    #expect(try folder.names == ["phone.json"])
  }

  @Test func somethingElseIsNeitherReadNorWrittenOver() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "notes.json")
    for option in ["--learned", "--learn"] {
      let result = try MotionctlProcess.run(
        "fuse", "simulate:rest?duration=2", option, folder.path("notes.json"), "-o", folder.path("out.csv"))
      #expect(result.code != 0)
      #expect(result.errors.contains("This is not a file of the format “opencoremotion-learned”."))
      #expect(try folder.names == ["notes.json"])
    }
    #expect(try folder.read("notes.json") == Data("{}".utf8))
  }

  @Test func learningNeedsTheWholeOfASource() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run("fuse", "simulate:rest", "--for", "2", "--learn", folder.path("x.json"))
    #expect(result.code != 0)
    #expect(result.errors.contains("--learn needs all of a source"))
  }
}
