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

  // MARK: Recordings, which run in parallel

  /// A PyojinKim folder: lies face up, then turns about z; `rate` in Hz.
  private static func makeRecording(
    _ name: String, count: Int, rate: Int, turning: Double, damage: [Int: String] = [:], in folder: TemporaryFolder
  ) throws -> String {
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    var (accelerometer, gyroscope, magnetometer) = ("", "", "")
    for index in 0..<count {
      let time = 1_000_000_000_000 + index * (1_000_000_000 / rate)
      let isTurning = index > count / 3
      let angle = isTurning ? turning * Double(index - count / 3) / Double(rate) : 0
      accelerometer += damage[index] ?? "\(time + 1_000_000) \(isTurning ? 0.0981 : 0.001) 0.0 -9.81"
      accelerometer += "\n"
      gyroscope += "\(time) 0.001 0.0 \(isTurning ? turning : 0)\n"
      if index % 2 == 0 { magnetometer += "\(time) \(20 * sin(angle)) \(20 * cos(angle)) -40.0\n" }
    }
    try folder.write(accelerometer, to: "\(name)/acce.txt")
    try folder.write(gyroscope, to: "\(name)/gyro_uncalib.txt")
    try folder.write(magnetometer, to: "\(name)/magnet_uncalib.txt")
    return folder.path(name)
  }

  /// What is said of a run, without the time that it took.
  private static func withoutElapsed(_ lines: some Sequence<Substring>) -> [String] {
    lines.map { line in
      guard line.contains(" rows over "), let comma = line.range(of: ", in ", options: .backwards) else {
        return String(line)
      }
      return String(line[..<comma.lowerBound])
    }
  }

  @Test(arguments: ["arbitrary", "corrected", "magnetic"])
  func recordingsTogetherGiveTheRowsAndTheWordsOfEachAlone(frame: String) throws {
    let folder = try TemporaryFolder()
    let inputs = [
      try Self.makeRecording("a", count: 600, rate: 100, turning: 0.5, in: folder),
      try Self.makeRecording("b", count: 900, rate: 200, turning: -1, in: folder),
      try Self.makeRecording("c", count: 300, rate: 50, turning: 2, in: folder),
      try Self.makeRecording("d", count: 400, rate: 100, turning: 0.1, in: folder),
      try Self.makeRecording("e", count: 500, rate: 125, turning: 3, in: folder),
      try Self.makeRecording("f", count: 1200, rate: 200, turning: 0, in: folder),
    ]
    let out = try TemporaryFolder()
    let arguments = ["--frame", frame, "--skip-errors"]
    let together = try MotionctlProcess(["fuse"] + inputs + ["--out", out.url.path] + arguments).finish()
    #expect(together.code == 0 && together.output.isEmpty)
    var words: [String] = []
    for (input, name) in zip(inputs, ["a", "b", "c", "d", "e", "f"]) {
      let alone = try MotionctlProcess(["fuse", input] + arguments).finish()
      #expect(try out.read("\(name).motion.csv") == alone.output, "\(name)")
      words += Self.withoutElapsed(alone.errorLines)
    }
    #expect(Self.withoutElapsed(together.errorLines) == words)
  }

  @Test func aDamagedRecordingAmongOthersIsNamedAndLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    let out = try TemporaryFolder()
    let inputs = [
      try Self.makeRecording("a", count: 300, rate: 100, turning: 0.5, in: folder),
      try Self.makeRecording("b", count: 300, rate: 100, turning: 0.5, damage: [200: "oops"], in: folder),
      folder.path("missing"),
      try Self.makeRecording("c", count: 300, rate: 100, turning: 1, in: folder),
      try Self.makeRecording("d", count: 300, rate: 100, turning: 1, in: folder),
    ]
    let result = try MotionctlProcess(["fuse"] + inputs + ["--out", out.url.path]).finish()
    #expect(result.code == 1)
    #expect(try out.names == ["a.motion.csv", "c.motion.csv", "d.motion.csv"])
    let errors = result.errorLines.filter { $0.hasPrefix("Error: ") }
    #expect(errors.count == 2)
    #expect(errors.first?.hasPrefix("Error: \(inputs[1]): ") == true && errors.first?.contains("line 201") == true)
    #expect(errors.last?.contains("There is no file or folder") == true)
    #expect(result.errorLines.last == "2 of 5 inputs failed.")
    #expect(try out.read("a.motion.csv").count > 10_000)
  }

  /// With a memory a recording runs in a hub, without one it is pulled.
  @Test(arguments: ["arbitrary", "magnetic"])
  func aRecordingThatIsPulledHasTheNumbersOfAHub(frame: String) throws {
    let folder = try TemporaryFolder()
    let input = try Self.makeRecording("a", count: 900, rate: 200, turning: 1, damage: [400: "oops"], in: folder)
    let arguments = ["fuse", input, "--frame", frame, "--skip-errors"]
    let pulled = try MotionctlProcess(arguments).finish()
    let hub = try MotionctlProcess(arguments + ["--learned", folder.path("nothing.json")]).finish()
    #expect(pulled.code == 0 && pulled.lines.count > 800)
    #expect(pulled.output == hub.output)
    #expect(
      Self.withoutElapsed(pulled.errorLines)
        == Self.withoutElapsed(hub.errorLines).filter { !$0.contains("starts with nothing learned") })
    #expect(pulled.errors.contains("left out of the recording: 1 "))
  }

  @Test func theLimitHoldsForEachOfSeveral() throws {
    let folder = try TemporaryFolder()
    let inputs = try (0..<5).map {
      try Self.makeRecording("r\($0)", count: 300, rate: [50, 100, 200][$0 % 3], turning: 0.5, in: folder)
    }
    let out = try TemporaryFolder()
    let result = try MotionctlProcess(["fuse"] + inputs + ["--for", "1", "--out", out.url.path]).finish()
    #expect(result.code == 0)
    for (index, input) in inputs.enumerated() {
      let alone = try MotionctlProcess.run("fuse", input, "--for", "1")
      #expect(alone.lines.count == 1 + [50, 100, 200][index % 3])
      #expect(try out.read("r\(index).motion.csv") == alone.output)
    }
  }

  /// What is learned belongs to one device, and a simulation has a hub of its own: they run alone, in the order of the
  /// inputs.
  @Test func whatCannotRunInParallelRunsAloneInItsTurn() throws {
    let folder = try TemporaryFolder()
    let recording = try Self.makeRecording("a", count: 300, rate: 100, turning: 0.5, in: folder)
    let result = try MotionctlProcess.run(
      "fuse", recording, "simulate:spin", "--for", "1", "--out", folder.path("motion"))
    #expect(result.code == 0)
    let headlines = result.errorLines.filter { $0.hasSuffix("(a recording)") || $0.contains("(a simulation") }
    #expect(headlines.count == 2 && headlines.first?.hasPrefix(recording) == true)
    let other = try Self.makeRecording("b", count: 300, rate: 100, turning: 1, in: folder)
    let learned = try MotionctlProcess.run(
      "fuse", recording, other, "--learned", folder.path("none.json"), "--out", folder.path("learned"))
    #expect(learned.code == 0)
    #expect(learned.errorLines.count { $0.contains("starts with nothing learned") } == 2)
    #expect(try folder.read("learned/b.motion.csv") == MotionctlProcess.run("fuse", other).output)
  }
}
