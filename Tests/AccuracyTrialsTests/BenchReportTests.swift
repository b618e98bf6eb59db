// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

@testable import MotionTools
@testable import motion_accuracy

/// What `motion-accuracy` prints, and what it says when it cannot measure.
@Suite struct BenchReportTests {
  private static func result(
    _ name: String, _ figures: OrientationFigures, layout: TrialLayout = .broad, nanoseconds: Double = 3000
  ) -> TrialResult {
    TrialResult(
      layout: layout, name: name, figures: figures, values: layout.columns.map { _ in figures.inclination },
      updates: 10,
      nanoseconds: nanoseconds, subtitle: "", times: [], curves: [])
  }

  private static let nothingStated =
    #""known":null,"firstHeading":null,"headingBeyond45":null,"inclinationWithin95":null,"headingWithin95":null"#

  private static func json(_ results: [TrialResult]) -> String {
    var buffer = JSONText()
    AccuracyReport(results: results, options: TrialOptions()).appendJSON(to: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  @Test func theJSONHasExactlyItsMembers() {
    let text = Self.json([
      Self.result("a", OrientationFigures(total: 1, heading: 0.5, inclination: 0.25)),
      Self.result("b \"2\"", OrientationFigures(total: 2, heading: 1.5, inclination: 0.75), nanoseconds: 1000),
    ])
    #expect(
      text == """
        {"mean":{"total":1.5,"heading":1.0,"inclination":0.5,\(Self.nothingStated)},"trials":[\
        {"name":"a","total":1.0,"heading":0.5,"inclination":0.25,\(Self.nothingStated)},\
        {"name":"b \\"2\\"","total":2.0,"heading":1.5,"inclination":0.75,\(Self.nothingStated)}],\
        "nanosecondsPerUpdate":200.0}

        """)
  }

  @Test func withoutAMagnetometerTotalAndHeadingAreNull() {
    let text = Self.json([Self.result("a", OrientationFigures(inclination: 0.25))])
    #expect(text.hasPrefix("{\"mean\":{\"total\":null,\"heading\":null,\"inclination\":0.25,"))
  }

  @Test func figuresOfDifferentLayoutsHaveNoMean() {
    let text = Self.json([
      Self.result("a", OrientationFigures(inclination: 0.25)),
      Self.result("b", OrientationFigures(inclination: 0.75), layout: .apple),
    ])
    #expect(text.hasPrefix("{\"mean\":{\"total\":null,\"heading\":null,\"inclination\":null,"))
  }

  @Test func theTableEndsWithTheMeans() throws {
    var buffer = JSONText()
    let results = [
      Self.result("first", OrientationFigures(total: 1, heading: 1, inclination: 0.25)),
      Self.result("second", OrientationFigures(total: 1, heading: 1, inclination: 0.75)),
    ]
    AccuracyReport(results: results, options: TrialOptions()).appendTables(to: &buffer)
    let lines = String(decoding: buffer.bytes, as: UTF8.self).split(separator: "\n")
    let last = try #require(lines.last).split(separator: " ").map(String.init)
    #expect(last == ["mean", "of", "2", "0.500", "0.500", "0.500", "–", "0.5", "–", "–", "300"])
  }

  // MARK: Sentences

  /// What is said about a path that cannot be measured; nil when it can.
  private static func complaint(_ path: String) -> String? {
    do {
      for trial in try TrialSearch(path: path).trials { _ = try trial.measure(TrialOptions()) }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func anEmptyFolderAndAMissingOneAreNamed() throws {
    let folder = try TemporaryFolder()
    #expect(Self.complaint(folder.path)?.contains("holds no trial: a trial is") == true)
    #expect(Self.complaint(folder.path("nowhere"))?.contains("does not exist") == true)
  }

  @Test func aFileThatIsCutShortIsRefused() throws {
    let folder = try TemporaryFolder()
    let whole = MadeUpTrial(seconds: 1, stillSeconds: 0).broad
    try folder.write(whole.dropLast(3), to: "cut.f32")
    #expect(Self.complaint(folder.path)?.contains("not a whole number of rows") == true)
    try folder.write(Data(), to: "cut.f32")
    #expect(Self.complaint(folder.path)?.contains("has 0 bytes") == true)
    // Cut at the end of a row: only the index can tell.
    try folder.write(whole.dropLast(68), to: "cut.f32")
    try folder.write("{\"cut\":{\"rows\":\(whole.count / 68),\"rate\":285.7}}", to: "index.json")
    #expect(Self.complaint(folder.path)?.contains("index.json says") == true)
  }

  @Test func floatsOfAnotherLayoutAreRefused() throws {
    let folder = try TemporaryFolder()
    let whole = MadeUpTrial(seconds: 1, stillSeconds: 0).broad
    // A shift by one column: whole rows, wrong meaning.
    try folder.write(whole.dropFirst(4) + Data(count: 4), to: "shifted.f32")
    #expect(Self.complaint(folder.path)?.contains("this is not the BROAD layout") == true)
  }

  @Test func aTrialWithoutMovementIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write(MadeUpTrial(seconds: 2, stillSeconds: 3).broad, to: "still.f32")
    #expect(Self.complaint(folder.path)?.contains("there is nothing to measure") == true)
  }

  @Test func aBrokenIndexIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write(MadeUpTrial(seconds: 1, stillSeconds: 0).broad, to: "a.f32")
    for index in ["{", "{\"a\":{\"rate\":0}}"] {
      try folder.write(index, to: "index.json")
      #expect(Self.complaint(folder.path)?.contains("index.json: The index is not an object of trials") == true)
    }
  }

  @Test func aDamagedTruthIsNamedWithItsLine() throws {
    let folder = try TemporaryFolder()
    try MadeUpTrial(seconds: 8).writeCapture(to: folder, in: "turn")
    try folder.write("t_s,qw,qx,qy,qz,bad\n0,1,0,0,0,0\n0,1,0,0,0,0\n", to: "turn/qualisys.csv")
    #expect(Self.complaint(folder.path)?.contains("qualisys.csv, line 3: ") == true)
    try folder.write("t_s,qw,qx,qy,bad\n", to: "turn/qualisys.csv")
    #expect(Self.complaint(folder.path)?.contains("has no column qz") == true)
  }
}
