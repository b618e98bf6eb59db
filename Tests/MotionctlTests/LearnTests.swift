// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

@testable import AccuracyTrials
@testable import motionctl

/// `motionctl fuse --learn` and `--learned`, and what it is worth (`bench accuracy --learned-from-others`).
@Suite(.timeLimit(.minutes(15))) struct LearnTests {
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

  // MARK: Bench

  @Test func trialsOfOneSensorAreComparedAndOthersLeftOut() throws {
    let folder = try BenchFolder()
    try folder.write(MadeUpTrial().broad, to: "a.f32")
    try folder.write(MadeUpTrial(rate: 0.7).broad, to: "b.f32")
    let trials = try TrialSearch(path: folder.path).trials.compactMap { $0 as? BroadTrial }
    let comparison = try LearnedComparison(trials, usesMagnetometer: true) { _ in }
    #expect(comparison.rows.map(\.name) == ["a", "b"])
    #expect(comparison.rows.allSatisfy { $0.afterOne.count == 1 && ($0.afterAll.total ?? 9) < 0.2 })
    var buffer = JSONText()
    comparison.appendJSON(to: &buffer)
    let json = try JSONSerialization.jsonObject(with: Data(buffer.bytes)) as? [String: Any]
    #expect((json?["trials"] as? [Any])?.count == 2)
    #expect((json?["mean"] as? [String: Double])?["afterAll"] != nil)
  }

  @Test func itNeedsTwoTrialsOfTheBroadLayout() throws {
    let folder = try BenchFolder()
    try folder.write(MadeUpTrial(seconds: 8).broad, to: "a.f32")
    let result = try MotionctlProcess.run("bench", "accuracy", folder.path, "--learned-from-others")
    #expect(result.code != 0)
    #expect(result.errors.contains("needs two or more trials"))
  }
}
