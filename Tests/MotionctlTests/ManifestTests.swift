// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl fuse` and `day` with `--manifest LIST --shard K/N -o FOLDER`.
@Suite struct ManifestTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A recording of two seconds, simulated.
  private func makeRecording(_ name: String, seed: Int) throws {
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: folder.path(name)).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    let result = try MotionctlProcess.run(
      "record", "simulate:handheld?seed=\(seed)&speed=max&duration=2", "-o", folder.path(name))
    try #require(result.code == 0, "\(result.errors)")
  }

  private func fuse(_ list: String, _ more: String...) throws -> MotionctlProcess.Result {
    try folder.write(list, to: "list.txt")
    return try MotionctlProcess(
      ["fuse", "--manifest", folder.path("list.txt"), "-o", folder.path("out")] + more
    ).finish()
  }

  private func outputs() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).filter { $0.hasSuffix(".csv") }.sorted()
  }

  @Test func eachShardFusesItsLinesWithTheRowsOfEachAlone() throws {
    for (name, seed) in [("a.mcap", 1), ("deep/b.mcap", 2), ("c.mcap", 3)] { try makeRecording(name, seed: seed) }
    let list = "a.mcap\r\n\ndeep/b.mcap\tsub/other.csv\n\(folder.path("c.mcap"))\n"
    let first = try fuse(list, "--shard", "1/2")
    #expect(first.code == 0, "\(first.errors)")
    #expect(try outputs() == ["a.motion.csv", "c.motion.csv", "summary-1-of-2.csv"])
    let second = try fuse(list, "--shard", "2/2")
    #expect(second.code == 0 && second.errors.contains("1 recording: 1 done, 0 finished before, 0 failed"))
    #expect(try outputs().contains("sub/other.csv"))
    for (name, output) in [("a.mcap", "a.motion.csv"), ("deep/b.mcap", "sub/other.csv"), ("c.mcap", "c.motion.csv")] {
      let alone = try MotionctlProcess.run("fuse", folder.path(name))
      #expect(try folder.read("out/\(output)") == alone.output, "\(name)")
    }
    #expect(try folder.read("out/summary-1-of-2.csv") == first.output)
    #expect(first.cells.map { $0[2] } == ["state", "done", "done"])
    #expect(first.cells[1][3] == "\(try folder.read("out/a.motion.csv").split(separator: 0x0A).count - 1)")
  }

  @Test func aSecondRunTriesOnlyWhatFailed() throws {
    try makeRecording("a.mcap", seed: 1)
    let list = "a.mcap\nlate.mcap\n"
    let first = try fuse(list)
    #expect(first.code == 1 && first.errors.contains("1 done, 0 finished before, 1 failed"), "\(first.errors)")
    #expect(try outputs() == ["a.motion.csv", "summary-1-of-1.csv"])
    #expect(first.cells.map { $0[2] } == ["state", "done", "failed"])
    #expect(first.lines.last?.contains("There is no file or folder") == true)
    // What stands there is not touched again.
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("out/a.motion.csv")))
    try makeRecording("late.mcap", seed: 2)
    let second = try fuse(list)
    #expect(second.code == 0 && second.errors.contains("1 done, 1 finished before, 0 failed"), "\(second.errors)")
    #expect(second.cells.map { $0[2] } == ["state", "finished before", "done"])
    #expect(try folder.read("out/a.motion.csv") == Data("mine".utf8))
    #expect(try outputs() == ["a.motion.csv", "late.motion.csv", "summary-1-of-1.csv"])
  }

  @Test func daysOfAListAreThoseOfEachAloneAndAFailureIsALine() throws {
    for (name, seed) in [("a.mcap", 1), ("b.mcap", 2)] { try makeRecording(name, seed: seed) }
    try folder.write("a.mcap\nb.mcap\tsub/b.json\nabsent.cwa\n", to: "list.txt")
    let result = try MotionctlProcess.run(
      "day", "--manifest", folder.path("list.txt"), "-o", folder.path("out"))
    #expect(result.code == 1 && result.errors.contains("3 recordings: 2 done, 0 finished before, 1 failed"))
    #expect(result.cells.map { $0[2] } == ["state", "done", "done", "failed"])
    for (name, output) in [("a.mcap", "a.days.csv"), ("b.mcap", "sub/b.json")] {
      let alone = folder.path(output.hasSuffix("json") ? "alone.json" : "alone.csv")
      #expect(try MotionctlProcess.run("day", folder.path(name), "-o", alone).code == 0)
      #expect(try folder.read("out/\(output)") == Data(contentsOf: URL(fileURLWithPath: alone)), "\(name)")
    }
    try folder.write("a.mcap\tdays.txt\n", to: "list.txt")
    let unknown = try MotionctlProcess.run("day", "--manifest", folder.path("list.txt"), "-o", folder.path("out"))
    #expect(unknown.code == 1 && unknown.errors.contains("line 1: The name “days.txt” does not say the format"))
  }

  @Test func aNameInNDJSONGivesNDJSON() throws {
    try makeRecording("a.mcap", seed: 1)
    #expect(try fuse("a.mcap\ta.ndjson\n").code == 0)
    #expect(try folder.read("out/a.ndjson").starts(with: Data("{\"topic\":".utf8)))
  }

  @Test(arguments: [
    ("walk/a.csv\nride/a.csv\n", "line 2: the output would be “a.motion.csv”, as that of line 1"),
    ("a.csv\t../b.csv\n", "line 1: “../b.csv” cannot be the name of an output"),
    ("a.csv\t/tmp/b.csv\n", "cannot be the name of an output"),
    ("a.csv\tsummary-1-of-1.csv\n", "cannot be the name of an output"),
    ("a.csv\tb.csv\tc.csv\n", "line 1: expected a recording"), ("\n\n", "names no recording"),
  ])
  func aListThatCannotBeFollowedStopsBeforeItBegins(list: String, sentence: String) throws {
    let result = try fuse(list, "--shard", "1/1")
    #expect(result.code == 1 && result.errors.contains(sentence), "\(result.errors)")
    #expect(try folder.names == ["list.txt"])
  }

  @Test(arguments: ["0/4", "5/4", "1", "1/0", "a/b", "1/2/3", "-1/2"])
  func aShardIsOneOfSeveral(shard: String) throws {
    let result = try fuse("a.csv\n", "--shard=\(shard)")
    #expect(result.code == 64 && result.errors.contains("--shard"), "\(result.errors)")
  }

  @Test func aShardBeyondTheListHasNothingToDo() throws {
    let result = try fuse("a.csv\n", "--shard", "2/3")
    #expect(result.code == 0 && result.errors.contains("0 recordings: 0 done"), "\(result.errors)")
    #expect(result.lines.count == 1)
  }

  @Test func aListIsReadOnlyWithAFolder() throws {
    try folder.write("a.csv\n", to: "list.txt")
    let list = folder.path("list.txt")
    for arguments in [["--manifest", list], ["--manifest", list, "-o", "x", "y.csv"], ["a.csv", "--shard", "1/2"]] {
      #expect(try MotionctlProcess(["fuse"] + arguments).finish().code == 64, "\(arguments)")
    }
    let missing = try MotionctlProcess.run("fuse", "--manifest", folder.path("no.txt"), "-o", folder.path("out"))
    #expect(missing.code == 1 && missing.errors.contains("cannot be read"))
  }
}
