// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
@_exported import TestSupport
import Testing

/// `motionctl record`: what is in the file, and what becomes of it when things go wrong.
@Suite struct RecordTests {
  /// Ten seconds, as fast as they go: 1000 inertial samples, 500 of the magnetometer, 250 pressures, 10 temperatures.
  private static let fast = "simulate:handheld?speed=max"

  @Test func everySensorIsRecordedToTheSample() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run("record", Self.fast, "-o", folder.path("a.mcap"), "--for", "10s")
    #expect(result.code == 0)
    #expect(result.errors.contains("a simulation, no sensor is read"))
    #expect(result.errors.contains("accelerometer and gyroscope: 1,000 samples (100 Hz)"))
    #expect(result.errors.contains("none lost"))
    let report = try InfoOutput(of: folder.path("a.mcap"))
    #expect(
      report.samples == [
        "accelerometer": 1000, "gyroscope": 1000, "magnetometer": 500, "air pressure": 250, "temperature": 10,
      ])
    #expect(report.isFinished == true)
    #expect(report.grade == "good")
    #expect(report["source"] as? String == "simulate:handheld")
    #expect(report["origin"] as? String == "simulation")
  }

  @Test func computedMotionStandsBesideTheSensors() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "record", Self.fast, "-o", folder.path("a.mcap"), "--for", "2", "--with", "motion", "--with", "ros2")
    #expect(result.code == 0)
    let report = try InfoOutput(of: folder.path("a.mcap"))
    #expect(report.samples["fused motion"] == 200)
    #expect((report["otherTopics"] as? [String: Int])?["/imu/data"] == 200)
  }

  @Test func whatIsReadIsNeverWrittenOver() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mcap")
    _ = try MotionctlProcess.run("record", Self.fast, "-o", path, "--for", "1")
    let bytes = try folder.read("a.mcap")
    try FileManager.default.createSymbolicLink(atPath: folder.path("b.mcap"), withDestinationPath: path)
    for output in ["a.mcap", "b.mcap"] {
      let result = try MotionctlProcess.run("record", "\(path)?speed=max", "-o", folder.path(output), "--force")
      #expect(result.code == 1 && result.errors.contains("what is being read"), "\(result.errors)")
      #expect(try folder.read("a.mcap") == bytes)
    }
  }

  /// The name of the file is in the recording, its folder is not.
  @Test func aRecordingHoldsNoFolderOfThisComputer() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mcap")
    _ = try MotionctlProcess.run("record", Self.fast, "-o", path, "--for", "1")
    #expect(try MotionctlProcess.run("record", "replay:\(path)?speed=max", "-o", folder.path("b.mcap")).code == 0)
    #expect(try folder.read("b.mcap").range(of: Data(folder.url.path.utf8)) == nil)
    #expect((try InfoOutput(of: folder.path("b.mcap"))["source"] as? String)?.hasPrefix("replay:a.mcap") == true)
  }

  /// What a disk may leave of the last second: a part of a chunk, or a length without content.
  @Test(arguments: [[UInt8](repeating: 0, count: 5000), [UInt8](repeating: 0xFF, count: 300), [6, 9, 0]])
  func whatAPowerCutLeavesBehindTheLastSecondCostsNothingBefore(tail: [UInt8]) throws {
    let folder = try TemporaryFolder()
    _ = try MotionctlProcess.run("record", Self.fast, "-o", folder.path("a.mcap"), "--for", "10")
    // The first two thirds: cut in the middle of a chunk.
    let bytes = try folder.read("a.mcap")
    let part = bytes.prefix(bytes.count * 2 / 3)
    try part.write(to: folder.url.appendingPathComponent("b.mcap"))
    try (part + tail).write(to: folder.url.appendingPathComponent("c.mcap"))
    let (cut, torn) = (try InfoOutput(of: folder.path("b.mcap")), try InfoOutput(of: folder.path("c.mcap")))
    #expect(cut.isFinished == false && torn.isFinished == false)
    #expect((cut.samples["gyroscope"] ?? 0) >= 500 && cut.samples == torn.samples)
  }

  @Test func partsOfAnEarlierRecordingAreFoundAtTheStart() throws {
    let folder = try TemporaryFolder()
    for name in ["a-0003.mcap", "a-b.mcap", "a-03.mcap"] { try folder.write("x", to: name) }
    let options = ["record", Self.fast, "-o", folder.path("a.mcap"), "--for", "4", "--rotate-every", "1"]
    let refused = try MotionctlProcess(options).finish()
    #expect(refused.code == 1 && refused.errors.contains("a-0003.mcap"), "\(refused.errors)")
    #expect(try folder.names.count == 3)
    let forced = try MotionctlProcess(options + ["--force"]).finish()
    #expect(
      try forced.code == 0
        && folder.names == ["a-0001.mcap", "a-0002.mcap", "a-0003.mcap", "a-0004.mcap", "a-03.mcap", "a-b.mcap"])
  }

  @Test func aFileIsNotWrittenOverUnlessAskedFor() throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "a.mcap")
    let refused = try MotionctlProcess.run("record", Self.fast, "-o", folder.path("a.mcap"), "--for", "1")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("--force"))
    #expect(String(decoding: try folder.read("a.mcap"), as: UTF8.self) == "precious")
    let forced = try MotionctlProcess.run("record", Self.fast, "-o", folder.path("a.mcap"), "--for", "1", "--force")
    #expect(forced.code == 0)
    #expect(try InfoOutput(of: folder.path("a.mcap")).samples["gyroscope"] == 100)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalFinishesTheFile(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let process = try MotionctlProcess(["record", "simulate:handheld", "-o", folder.path("a.mcap")])
    try Self.waitForSamples(in: folder, process)
    process.send(signal)
    let result = try process.finish()
    #expect(result.code == 128 + signal)
    #expect(result.errors.contains("none lost"))
    let report = try InfoOutput(of: folder.path("a.mcap"))
    #expect(report.isFinished == true)
    #expect((report.samples["gyroscope"] ?? 0) > 50)
    #expect(report["began"] as? String != nil)
  }

  /// Everything up to the last chunk is there, and `cut` makes a finished file of it.
  @Test func aKilledRecordingIsReadableUpToItsLastChunk() throws {
    let folder = try TemporaryFolder()
    let process = try MotionctlProcess(["record", "simulate:handheld", "-o", folder.path("a.mcap")])
    // Two chunks: on a busy computer the first one, which is a second long, begins without samples.
    try Self.waitForSamples(in: folder, process, bytes: 80_000)
    process.send(SIGKILL)
    #expect(try process.finish().code == 128 + SIGKILL)
    let report = try InfoOutput(of: folder.path("a.mcap"))
    #expect(report.isFinished == false)
    let count = report.samples["gyroscope"] ?? 0
    #expect(count >= 90)
    #expect(report.grade == "usable")
    #expect(report.reasons.contains { $0.contains("unfinished") })

    let cut = try MotionctlProcess.run("cut", folder.path("a.mcap"), folder.path("b.mcap"))
    #expect(cut.code == 0)
    let whole = try InfoOutput(of: folder.path("b.mcap"))
    #expect(whole.isFinished == true)
    #expect(whole.samples["gyroscope"] == count)
  }

  /// The first chunk is on its way to the disk a second after the first sample.
  private static func waitForSamples(
    in folder: TemporaryFolder, _ process: MotionctlProcess, bytes: Int = 20_000
  ) throws {
    let hasBegun = waitUntil { ((try? folder.read("a.mcap").count) ?? 0) > bytes }
    if !hasBegun { Issue.record("The recording has not begun: \(process.errorsSoFar)") }
  }

  /// A limit of the shell stands for a full disk: the same failure of write(2), on every machine.
  @Test func aFileThatMayNotGrowEndsWithASentenceAndStaysReadable() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.shell(
      "ulimit -f 600; exec \"$MOTIONCTL\" record '\(Self.fast)' -o '\(folder.path("a.mcap"))' --for 600"
    ).finish()
    #expect(result.code == 1)
    #expect(result.errors.contains("a.mcap"))
    #expect(result.errors.contains("bytes"))
    let report = try InfoOutput(of: folder.path("a.mcap"))
    #expect(report.isFinished == false)
    #expect((report.samples["gyroscope"] ?? 0) > 500)
  }

  @Test(.enabled(if: Tmpfs.isPossible, "A file system of its own can be mounted by root only."))
  func aFullDiskEndsWithASentenceAndStaysReadable() throws {
    let disk = try Tmpfs(kilobytes: 1024)
    let result = try MotionctlProcess.run("record", Self.fast, "-o", disk.path("a.mcap"), "--for", "600")
    #expect(result.code == 1)
    #expect(result.errors.contains("no space left"))
    #expect(result.errors.contains("a.mcap"))
    let report = try InfoOutput(of: disk.path("a.mcap"))
    #expect(report.isFinished == false)
    #expect((report.samples["gyroscope"] ?? 0) > 1000)
  }

  @Test func theFilesOfARotationAreCompleteAndTogetherTheWhole() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "record", Self.fast, "-o", folder.path("day.mcap"), "--for", "35", "--rotate-every", "10s")
    #expect(result.code == 0)
    let names = try folder.names
    #expect(names == ["day-0001.mcap", "day-0002.mcap", "day-0003.mcap", "day-0004.mcap"])
    let reports = try names.map { try InfoOutput(of: folder.path($0)) }
    #expect(reports.map { $0.samples["gyroscope"] ?? 0 } == [1000, 1000, 1000, 500])
    #expect(reports.allSatisfy { $0.isFinished == true && $0.grade == "good" })
    // The same seed gives the same samples: in one file they are the same bytes.
    let whole = try TemporaryFolder()
    let once = try MotionctlProcess.run("record", Self.fast, "-o", whole.path("day.mcap"), "--for", "35")
    #expect(once.code == 0)
    let parts = try names.flatMap { try RecordedMessage.all(of: folder.path($0)) }
    let all = try RecordedMessage.all(of: whole.path("day.mcap"))
    #expect(parts.map(\.withoutSequence) == all.map(\.withoutSequence))
  }

  @Test(arguments: [
    (["-o", "walk.csv"], "end its name with .mcap"), (["-o", "a.mcap", "--for", "0"], "--for"),
    (["-o", "a.mcap", "--compress", "rar"], "--compress"),
    (["-o", "a.mcap", "--rotate-every", "10x"], "--rotate-every"), ([], "--output"),
  ])
  func whatMakesNoSenseIsRefused(arguments: [String], word: String) throws {
    let result = try MotionctlProcess(["record", "simulate:rest"] + arguments).finish()
    #expect(result.code == 64)
    #expect(result.errors.contains(word))
  }

  /// Unplugged in the middle: both halves are there, and the person and the file are told.
  @Test func aDeviceThatLeavesAndComesBackCostsItsAbsence() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "record", "simulate:handheld?disconnectAt=1&reconnectAfter=0.5", "-o", folder.path("a.mcap"), "--for", "2")
    #expect(result.code == 0)
    #expect(result.errors.contains("goes on when it is back"))
    let report = try InfoOutput(of: folder.path("a.mcap"))
    #expect(report["events"] as? [String: Int] == ["/event/error": 1, "/event/gap": 1])
    #expect(report.isFinished == true)
    #expect(report.streams.allSatisfy { $0["kind"] as? String == "temperature" || $0["gaps"] as? Int == 1 })
    #expect((report.samples["gyroscope"] ?? 0) > 100)
  }

  @Test func headphonesAreRecordedWithTheirConnection() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "record", "--headphones", "-o", folder.path("a.mcap"), "--for", "2",
      environment: ["MOTION_HEADPHONES": "simulate:headphones?speed=max"])
    #expect(result.code == 0)
    let report = try InfoOutput(of: folder.path("a.mcap"))
    #expect((report["events"] as? [String: Int])?["/event/connection"] == 1)
    #expect(report.samples.values.allSatisfy { $0 > 0 } && !report.samples.isEmpty)
    let none = try MotionctlProcess.run("record", "--headphones", "-o", folder.path("b.mcap"))
    #expect(none.code == 1)
    #expect(none.errors.contains("MOTION_HEADPHONES"))
  }
}

/// A small disk.
final class Tmpfs {
  private let folder: TemporaryFolder

  /// Root, and a kernel that lets it mount.
  static let isPossible = geteuid() == 0 && (try? Tmpfs(kilobytes: 64)) != nil

  init(kilobytes: Int) throws {
    folder = try TemporaryFolder()
    guard mount("tmpfs", folder.url.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  func path(_ name: String) -> String { folder.path(name) }

  deinit { umount(folder.url.path) }
}

/// `motionctl info --json` of one file.
struct InfoOutput {
  private let members: [String: Any]

  init(of path: String) throws {
    let result = try MotionctlProcess.run("info", path, "--json")
    try #require(result.code == 0, "\(result.errors)")
    members = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  }

  subscript(name: String) -> Any? { members[name] }
  var isFinished: Bool? { members["isFinished"] as? Bool }
  var grade: String? { (members["verdict"] as? [String: Any])?["grade"] as? String }
  var reasons: [String] { (members["verdict"] as? [String: Any])?["reasons"] as? [String] ?? [] }
  var streams: [[String: Any]] { members["streams"] as? [[String: Any]] ?? [] }
  /// Samples by kind.
  var samples: [String: Int] {
    Dictionary(
      uniqueKeysWithValues: streams.compactMap { stream in
        guard let kind = stream["kind"] as? String, let count = stream["samples"] as? Int else { return nil }
        return (kind, count)
      })
  }
}
