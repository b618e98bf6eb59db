// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

@testable import AccuracyTrials
@testable import motion_accuracy

/// What learning is worth (`--learned-from-others`).
@Suite struct LearnedComparisonTests {
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
    let result = try MotionctlProcess(
      [folder.path, "--learned-from-others"], program: "motion-accuracy"
    ).finish()
    #expect(result.code != 0)
    #expect(result.errors.contains("needs two or more trials"))
  }
}
