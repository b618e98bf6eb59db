// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl fuse` on several inputs at once.
@Suite struct FuseSeveralTests {
  @Test func eachInputGetsTheFileThatItWouldGetAlone() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "fuse", "simulate:handheld?seed=7", "simulate:spin", "--for", "2", "--out", folder.path("motion"))
    #expect(result.code == 0)
    #expect(result.output.isEmpty)
    for (source, name) in [
      ("simulate:handheld?seed=7", "simulate-handheld-seed-7"), ("simulate:spin", "simulate-spin"),
    ] {
      let alone = try MotionctlProcess.run("fuse", source, "--for", "2")
      #expect(try folder.read("motion/\(name).motion.csv") == alone.output)
    }
  }

  @Test func oneThatFailsDoesNotStopTheOthers() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "fuse", folder.path("missing.csv"), "simulate:spin", "--for", "1", "--out", folder.path("motion"))
    #expect(result.code == 1)
    #expect(result.errors.contains("missing.csv: There is no file or folder"))
    #expect(result.errors.contains("1 of 2 inputs failed."))
    #expect(try folder.read("motion/simulate-spin.motion.csv").count > 1000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("motion")) == ["simulate-spin.motion.csv"])
  }

  @Test func twoInputsNeverShareAnOutput() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", to: "walk.csv")
    try folder.write("b", to: "walk.txt")
    let result = try MotionctlProcess.run("fuse", folder.path("walk.csv"), folder.path("walk.txt"))
    #expect(result.code == 1)
    #expect(result.errors.contains("would both become"))
    #expect(try folder.names == ["walk.csv", "walk.txt"])
  }

  @Test func anInputIsNeverWrittenOver() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", to: "walk.csv")
    try folder.write("b", to: "walk.motion.csv")
    let result = try MotionctlProcess.run("fuse", folder.path("walk.csv"), folder.path("walk.motion.csv"))
    #expect(result.code == 1)
    #expect(result.errors.contains("is an input"))
    #expect(try folder.read("walk.motion.csv") == Data("b".utf8))
  }

  @Test func oneOutputForSeveralInputsIsWrongUsage() throws {
    let result = try MotionctlProcess.run("fuse", "simulate:spin", "simulate:rest", "--for", "1", "-o", "x.csv")
    #expect(result.code == 64)
    #expect(result.errors.contains("--out"))
  }
}
