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

/// `motionctl replay`.
@Suite struct ReplayTests {
  private let folder: TemporaryFolder
  /// Two seconds of a device in the hand: 200 samples.
  private let walk: String

  init() throws {
    folder = try TemporaryFolder()
    walk = folder.path("walk.mcap")
    let made = try MotionctlProcess.run("record", "simulate:handheld?speed=max", "--for", "2", "-o", walk)
    try #require(made.code == 0, "\(made.errors)")
  }

  @Test func itPrintsWhatStreamPrintsOfTheRecording() throws {
    let replayed = try MotionctlProcess.run("replay", walk, "--speed", "max", "--format", "csv", "--rate", "max")
    let streamed = try MotionctlProcess.run("stream", "\(walk)?speed=max", "--format", "csv", "--rate", "max")
    #expect(replayed.code == 0 && replayed.output == streamed.output && replayed.lines.count == 201)
    #expect(replayed.errors.contains("a recording"))
  }

  @Test func aPartOfItIsPlayed() throws {
    let part = try MotionctlProcess.run(
      "replay", walk, "--from", "500ms", "--for", "1", "--speed", "max", "--format", "csv", "--service", "gyro",
      "--rate",
      "max")
    let whole = try MotionctlProcess.run(
      "replay", walk, "--speed", "max", "--format", "csv", "--service", "gyro", "--rate", "max")
    #expect(part.code == 0 && part.lines.dropFirst() == whole.lines[51...150])
    let behind = try MotionctlProcess.run("replay", walk, "--from", "2m")
    #expect(behind.code == 1 && behind.errors.contains("lasts 1.99 s") && behind.errors.contains(walk))
  }

  @Test func theSpeedIsTheWantedOne() throws {
    // What an address makes of it is asked of the hub, whose clock a test owns.
    for (options, address) in [([], walk), (["--from", "1", "--speed", "0.5"], "\(walk)?from=1.0&speed=0.5")] {
      let result = try MotionctlProcess(["replay", walk] + options + ["--", "env"]).finish()
      #expect(result.lines.contains("MOTION_SOURCE=replay:\(address)"))
    }
    let wrong = try MotionctlProcess.run("replay", walk, "--speed", "fast")
    #expect(wrong.code == 1 && wrong.errors.contains("“speed” takes max") && wrong.errors.contains("“fast”"))
  }

  @Test func aLoopGoesOnUntilTheLimit() throws {
    let result = try MotionctlProcess.run(
      "replay", "\(walk)?loop=yes", "--speed", "max", "--for", "5", "--format", "csv", "--rate", "max")
    #expect(result.code == 0 && result.lines.count == 501)
    let times = result.cells.dropFirst().compactMap { Double($0[0]) }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// The program is the client that it would be without motionctl, told by its environment.
  @Test func aProgramGetsTheRecordingAsItsDevice() throws {
    let own = MotionctlProcess.executable.path
    let given = try MotionctlProcess.run(
      "replay", walk, "--from", "1", "--speed", "max", "--", own, "stream", "--format", "csv")
    let printed = try MotionctlProcess.run("replay", walk, "--from", "1", "--speed", "max", "--format", "csv")
    #expect(given.code == 0 && given.output == printed.output && given.lines.count == 101, "\(given.errors)")
    #expect(given.errors.contains("MOTION_SOURCE='replay:\(walk)?from=1.0&speed=max'"))
    let limited = try MotionctlProcess.run("replay", walk, "--from", "1", "--for", "0.5", "--", "env")
    #expect(limited.lines.contains("MOTION_SOURCE=replay:\(walk)?from=1.0&to=1.5"))
    #expect(!limited.text.contains("MOTION_HEADPHONES"))
  }

  /// The address may name a part already; what the options say lies within it.
  @Test func theLimitCountsFromTheBeginningOfThePart() throws {
    for (address, options, wanted) in [
      ("?from=0.5&to=1.5", ["--for", "2"], "from=0.5&to=1.5"), ("?from=0.5&to=1.9", ["--for", "1"], "from=0.5&to=1.5"),
      ("?to=1", ["--for", "8"], "to=1.0"), ("?from=0.5", ["--from", "1", "--for", "0.5"], "from=1.0&to=1.5"),
    ] {
      let result = try MotionctlProcess(["replay", walk + address] + options + ["--", "env"]).finish()
      #expect(result.lines.contains("MOTION_SOURCE=replay:\(walk)?\(wanted)"), "\(result.text)\(result.errors)")
    }
    let loop = try MotionctlProcess.run("replay", "\(walk)?loop=yes", "--for", "1", "--", "env")
    #expect(loop.code == 1 && loop.errors.contains("leave out one"))
  }

  @Test func aRecordingOfHeadphonesIsGivenAsHeadphones() throws {
    let head = folder.path("head.mcap")
    _ = try MotionctlProcess.run("record", "simulate:headphones?speed=max", "--for", "1", "-o", head)
    let given = try MotionctlProcess.run("replay", head, "--", "env", environment: ["MOTION_SOURCE": "simulate:rest"])
    #expect(given.lines.contains("MOTION_HEADPHONES=replay:\(head)"))
    #expect(given.lines.contains("MOTION_SOURCE=simulate:rest"))
    // As text it is one as well.
    _ = try MotionctlProcess.run("convert", head, folder.path("head.ndjson"))
    let text = try MotionctlProcess.run("replay", folder.path("head.ndjson"), "--", "env")
    #expect(text.lines.contains("MOTION_HEADPHONES=replay:\(folder.path("head.ndjson"))"))
    let forced = try MotionctlProcess.run("replay", walk, "--headphones", "--", "env")
    #expect(forced.lines.contains("MOTION_HEADPHONES=replay:\(walk)"))
  }

  @Test func theProgramsEndIsTheEnd() throws {
    let result = try MotionctlProcess.run("replay", walk, "--", "sh", "-c", "echo \"$1\"; exit 3", "sh", "two words")
    #expect(result.code == 3 && result.text == "two words\n")
    // What motionctl ignores is not ignored by its successor.
    let signals = try MotionctlProcess.run("replay", walk, "--", "grep", "SigIgn", "/proc/self/status")
    let plain = try MotionctlProcess.run("replay", walk, "--", "sh", "-c", "kill -PIPE $$; echo survived")
    #expect(signals.code == 0 && plain.code == 128 + SIGPIPE && plain.text.isEmpty, "\(signals.text)")
    #expect(try MotionctlProcess.run("replay", walk, "--", "no-such-program").code == 127)
    #expect(try MotionctlProcess.run("replay", walk, "--", folder.url.path).code == 126)
  }

  @Test func whatCannotBeIsSaid() throws {
    let simulation = try MotionctlProcess.run("replay", "simulate:rest")
    #expect(simulation.code == 1 && simulation.errors.contains("is no recording"))
    #expect(try MotionctlProcess.run("replay", "nowhere.csv").errors.contains("no file or folder"))
    for options in [["--format", "csv"], ["--to", "foxglove"], ["--rate", "50"]] {
      let result = try MotionctlProcess(["replay", walk] + options + ["--", "env"]).finish()
      #expect(result.code == 64 && result.errors.contains("only --for and --location"), "\(options)")
    }
    #expect(try MotionctlProcess.run("replay", walk, "--headphones").code == 64)
  }
}
