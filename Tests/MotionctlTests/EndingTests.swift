// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing
import Testing

@testable import MotionTools
@testable import MotionViewer

/// How runs without a limit end.
@Suite struct EndingTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsAStreamWithItsSummary(signal: Int32) throws {
    let process = try MotionctlProcess(["stream", "simulate:rest", "--format", "csv", "--rate", "max"])
    var begun = process.readSome()
    while begun.split(separator: UInt8(ascii: "\n")).count < 5 { begun += process.readSome() }
    process.send(signal)
    let result = try process.finish(after: begun)
    #expect(result.code == 128 + signal)
    #expect(result.errors.contains("mean rate 100 Hz"))
    #expect(result.errors.contains("none dropped"))
    // Every line is whole.
    #expect(result.text.hasSuffix("\n"))
    #expect(result.cells.allSatisfy { $0.count == 24 })
  }

  /// `pkill -USR1 motionctl` recentres headphones; it reaches recordings and streams too.
  @Test func theKeyThatRecentresEndsNothingElse() throws {
    let folder = try TemporaryFolder()
    let stream = try MotionctlProcess(["stream", "simulate:rest", "--format", "csv"])
    let record = try MotionctlProcess(["record", "simulate:rest", "-o", folder.path("a.mcap")])
    var begun = stream.readSome()
    // More than its header: a recording that is stopped before its first sample is removed.
    #expect(waitUntil { (try? folder.read("a.mcap").count) ?? 0 > 1000 })
    for _ in 0..<3 {
      stream.send(SIGUSR1)
      record.send(SIGUSR1)
      begun += stream.readSome()
    }
    record.send(SIGINT)
    stream.send(SIGINT)
    #expect(try stream.finish(after: begun).code == 130)
    let recorded = try record.finish()
    #expect(recorded.code == 130, "\(recorded.errors)")
    #expect(try InfoOutput(of: folder.path("a.mcap")).isFinished == true)
  }

  /// As timeout(1), a closed terminal, systemd and a wrapper in a pipeline send them. Different ones that come while the
  /// process stands still are there together when it goes on.
  @Test(arguments: [
    [SIGTERM, SIGTERM], [SIGHUP, SIGHUP, SIGTERM], [SIGTERM, SIGCONT, SIGHUP], [SIGSTOP, SIGHUP, SIGTERM, SIGCONT],
    [SIGSTOP, SIGINT, SIGTERM, SIGCONT],
  ])
  func signalsThatComeTogetherAreOneWish(signals: [Int32]) throws {
    let folder = try TemporaryFolder()
    let process = try MotionctlProcess(["record", "simulate:walk", "-o", folder.path("a.mcap")])
    // More than its header: a recording that is stopped before its first sample is removed.
    #expect(waitUntil { (try? folder.read("a.mcap").count) ?? 0 > 1000 })
    for signal in signals { process.send(signal) }
    let result = try process.finish()
    #expect(signals.contains { result.code == 128 + $0 }, "\(result)")
    #expect(try InfoOutput(of: folder.path("a.mcap")).isFinished == true)
  }

  @Test func onlyASecondInterruptHalfASecondAfterTheFirstMeansAtOnce() {
    func meanings(_ signals: (number: Int32, milliseconds: Int64)...) -> [EndingSignals.Meaning] {
      var ending = EndingSignals()
      return signals.map { ending.take($0.number, at: .init(nanoseconds: $0.milliseconds * 1_000_000)) }
    }
    #expect(meanings((SIGINT, 0), (SIGINT, 499), (SIGINT, 500)) == [.finish, .nothing, .atOnce])
    #expect(meanings((SIGTERM, 0), (SIGTERM, 900), (SIGHUP, 5000)) == [.finish, .nothing, .nothing])
    // The first interrupt is the same wish, however late it comes.
    #expect(meanings((SIGTERM, 0), (SIGINT, 800), (SIGINT, 1300)) == [.finish, .nothing, .atOnce])
    #expect(meanings((SIGINT, 0), (SIGTERM, 900), (SIGINT, 901)) == [.finish, .nothing, .atOnce])
  }

  @Test func interruptsEndARecordingAtOnceThatCannotBeFinished() throws {
    let folder = try TemporaryFolder()
    // A pipe that is held open and not read.
    #expect(mkfifo(folder.path("a.mcap"), 0o600) == 0)
    let reader = FileHandle(fileDescriptor: open(folder.path("a.mcap"), O_RDONLY | O_NONBLOCK), closeOnDealloc: true)
    let process = try MotionctlProcess(["record", "simulate:walk?speed=max", "-o", folder.path("a.mcap"), "--force"])
    #expect(waitUntil { process.isAtWork })
    let started = ContinuousClock.now
    #expect(
      waitUntil {
        process.send(SIGINT)
        return !process.isRunning
      })
    #expect(ContinuousClock.now - started < .seconds(Interruption.graceForFiles.seconds))
    #expect(try process.finish().code == 128 + SIGINT)
    withExtendedLifetime(reader) {}
  }

  /// However it ends: by a signal, or by the time that it has.
  @Test(arguments: [
    "stream phone:browser", "stream phone:browser --batched --service accelerometer",
    "stream phone:browser --to foxglove:0", "record phone:browser -o OUT.mcap", "view phone:browser --port 0 --no-open",
    "headphones phone:browser --to opentrack", "calibrate gyro phone:browser --yes --output OUT.json",
    "altitude phone:sensorlogger", "fuse phone:browser --for 9", "steps phone:browser --for 9",
    "plot phone:browser -o OUT.svg --for 9",
    "history record phone:browser --store OUT.sqlite",
  ])
  func aRunWithoutASampleHasFailed(line: String) throws {
    let folder = try TemporaryFolder()
    let libraries = try TemporaryFolder()
    for name in ViewAssets.libraries { try libraries.write("// \(name)", to: name) }
    let words = line.split(separator: " ").map {
      $0.hasPrefix("phone:") ? "\($0)?port=0" : String($0).replacing("OUT", with: folder.path("out"))
    }
    func run(_ more: [String], _ signal: Int32?) throws -> MotionctlProcess.Result {
      let process = try MotionctlProcess(words + more, environment: ["MOTION_VIEWER": libraries.url.path])
      if let signal {
        #expect(waitUntil { process.isAtWork })
        process.send(signal)
      }
      return try process.finish()
    }
    let sentence = " gave no sample."
    let interrupted = try run([], SIGTERM)
    #expect(interrupted.code == 128 + SIGTERM)
    #expect(interrupted.errorLines.count { $0.contains(sentence) } == 1, "\(interrupted.errors)")
    // The history has no other end than a signal.
    guard words[0] != "history" else { return }
    let ended = try run(["--for", "0.1"], nil)
    #expect(ended.code == 1)
    #expect(ended.errorLines.count { $0.contains(sentence) } == 1, "\(ended.errors)")
  }

  /// In the middle of a long computation, of a write that nobody reads, and of waiting for devices and clients.
  @Test(arguments: [
    "stream simulate:rest?speed=max --format csv", "stream simulate:rest --to foxglove:0", "stream phone:browser",
    "fuse simulate:rest --for 1e9", "fuse simulate:rest --for 1e8 -o OUT.csv",
    "plot simulate:rest --for 1e7 -o OUT.svg",
    "steps simulate:walk --for 1e8", "altitude simulate:handheld",
    "depth simulate:dive", "headphones simulate:headphones --to opentrack", "record phone:browser -o OUT.mcap",
    "record simulate:handheld -o OUT.mcap", "view simulate:handheld --port 0", "view phone:browser --port 0",
  ])
  func theFirstSignalEndsEveryCommand(line: String) throws {
    let folder = try TemporaryFolder()
    // `view` does not start without its libraries.
    let libraries = try TemporaryFolder()
    for name in ViewAssets.libraries { try libraries.write("// \(name)", to: name) }
    let process = try MotionctlProcess(
      line.split(separator: " ").map { String($0).replacing("OUT", with: folder.path("out")) },
      environment: ["MOTION_VIEWER": libraries.url.path])
    // Past its start; one that has ended by itself would not be a case.
    #expect(waitUntil { process.isAtWork })
    process.send(SIGTERM)
    let result = try process.finish(readsOutput: false)
    #expect(result.code == 128 + SIGTERM, "\(result.errors)")
    #expect(try folder.names.allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test(arguments: [
    ["stream", "simulate:rest?speed=max", "--format", "csv"], ["fuse", "simulate:rest", "--for", "1e9"],
  ])
  func aReaderThatGoesAwayEndsItQuietly(arguments: [String]) throws {
    let process = try MotionctlProcess(arguments)
    #expect(!process.readSome().isEmpty)
    try process.closeOutput()
    let result = try process.finish(readsOutput: false)
    #expect(result.code == 0)
    #expect(!result.errors.contains("Error"))
  }
}

/// What the system refuses is said, and ends no process by a trap.
@Suite struct ExhaustionTests {
  @Test func withoutFileDescriptorsARecordingFailsWithASentence() throws {
    let folder = try TemporaryFolder()
    let command = "exec \"$MOTIONCTL\" record 'simulate:handheld?speed=max' -o '\(folder.path("a.mcap"))' --for 1"
    var codes: [Int32] = []
    for limit in 4..<14 {
      let run = try MotionctlProcess.shell("ulimit -n \(limit); \(command)").finish()
      #expect(run.code == 0 || run.code == 1 && run.errors.contains("(ulimit -n)"), "\(limit) descriptors: \(run)")
      codes.append(run.code)
      try? FileManager.default.removeItem(atPath: folder.path("a.mcap"))
    }
    #expect(codes.first == 1 && codes.last == 0, "\(codes)")
  }

  /// As for a device that is away: it goes on when there are descriptors again. Fewer than five are not enough for
  /// libdispatch, which ends the process.
  @Test func aProgramThatUsesCoreMotionHearsOfItInItsHandler() throws {
    let run = try MotionctlProcess.shell(
      "ulimit -n 5; exec \"$MOTIONCTL\" stream 'simulate:handheld?speed=max' --format csv --for 1")
    #expect(waitUntil { run.errorsSoFar.contains("(ulimit -n)") }, "\(run.errorsSoFar)")
    run.send(SIGTERM)
    #expect(try run.finish().code == 128 + SIGTERM)
  }
}

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
    try folder.write("old", to: "table.csv")
    let table = try OutputFile.open(folder.path("table.csv"))
    try table.write(Array("1,2,3".utf8))
    try table.commit()
    let part = ConvertOutput(readingFrom: folder.path("other.mcap"), force: false)
    try part.sink(folder.path("part.mcap")).finish()
    try part.commit()
    #expect(try folder.read("victim") == Data("precious".utf8))
    #expect(try folder.read("table.csv") == Data("1,2,3".utf8))
    let links = ["table.csv", "part.mcap"].map { "\($0).\(getpid()).part" }
    #expect(try folder.names == (links + ["part.mcap", "table.csv", "victim"]).sorted())
  }

  /// What a shell has opened is appended to; a link that leads nowhere yet stays a link. The number of a closed standard
  /// stream goes to no file, which would get what is said.
  @Test func whatIsOpenIsWrittenToAndWhatIsClosedIsNot() throws {
    let folder = try TemporaryFolder()
    let run = try MotionctlProcess.shell(
      """
      cd '\(folder.path)'; fuse='fuse simulate:rest --for 0.04'; echo keep > a.csv; echo keep > b.csv; mkdir sub
      ln -s c.csv sub/link.csv; ln -s sub/link.csv link.csv; ln -s round.csv round.csv
      $MOTIONCTL $fuse -o /dev/stdout >> a.csv && $MOTIONCTL $fuse -o /dev/fd/5 5>> b.csv &&
        $MOTIONCTL $fuse -o link.csv && [ -L link.csv ] && [ -L sub/link.csv ] && wc -l a.csv b.csv sub/c.csv || exit 1
      $MOTIONCTL $fuse -o round.csv || [ -L round.csv ] || exit 1
      $MOTIONCTL record 'simulate:walk?speed=max' --for 1 -o x.mcap 2>&- || exit 1
      $MOTIONCTL fuse x.mcap > x.csv; $MOTIONCTL fuse x.mcap -o y.csv 2>&- <&- && cmp x.csv y.csv || exit 1
      ! $MOTIONCTL fuse x.mcap >&-
      """
    ).finish()
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.text.split(separator: "\n").dropLast().map { $0.drop { $0 == " " }.prefix(1) } == ["6", "6", "5"])
    #expect(["a.csv", "b.csv"].allSatisfy { folder.text($0)?.hasPrefix("keep\n") ?? false })
    #expect(try InfoOutput(of: folder.path("x.mcap")).isFinished == true)
  }

  @Test func whatIsDiscardedOrCannotTakeItsPlaceLeavesNothing() throws {
    let folder = try TemporaryFolder()
    try OutputFile.open(folder.path("table.csv")).discard()
    let file = try OutputFile.open(folder.path("table.csv"))
    try FileManager.default.createDirectory(atPath: folder.path("table.csv"), withIntermediateDirectories: true)
    #expect(throws: CommandFailure.self) { try file.commit() }
    #expect(try folder.names == ["table.csv"])
  }

  @Test(arguments: [false, true])
  func aKillLeavesNothingBesideTheOutput(isThere: Bool) throws {
    let folder = try TemporaryFolder()
    if isThere { try folder.write("1,2,3", to: "table.csv") }
    let process = try MotionctlProcess([
      "fuse", "simulate:rest?speed=max", "--for", "1e9", "-o", folder.path("table.csv"),
    ])
    #expect(waitUntil { process.isAtWork })
    process.send(SIGKILL)
    #expect(try process.finish().code == 128 + SIGKILL)
    #expect(try folder.names == (isThere ? ["table.csv"] : []))
    #expect(folder.text("table.csv") == (isThere ? "1,2,3" : nil))
  }

  /// A stricter umask holds, a file that is there keeps its mode, and the shell decides about what it opens itself.
  @Test func whatIsWrittenIsForItsOwnerAlone() throws {
    let folder = try TemporaryFolder()
    let run = try MotionctlProcess.shell(
      """
      set -e; cd '\(folder.path)'; umask 022; echo old > kept.csv; echo old > kept.mcap; chmod 640 kept.*
      $MOTIONCTL record 'simulate:walk?speed=max' --for 2 -o walk.mcap
      $MOTIONCTL record 'simulate:walk?speed=max' --for 2 --force -o kept.mcap
      $MOTIONCTL convert walk.mcap walk.ndjson; $MOTIONCTL convert walk.mcap walk.csv
      $MOTIONCTL cut walk.mcap part.mcap --to 1; $MOTIONCTL plot walk.mcap -o walk.svg
      $MOTIONCTL fuse walk.mcap -o motion.csv; $MOTIONCTL fuse walk.mcap -o kept.csv
      $MOTIONCTL fuse walk.mcap > shell.csv; umask 0277; $MOTIONCTL fuse walk.mcap -o strict.csv
      stat -c '%a %n' *
      """
    ).finish()
    #expect(run.code == 0, "\(run.errors)")
    let others = ["640 kept.csv", "640 kept.mcap", "644 shell.csv", "400 strict.csv"]
    let names = Set(run.text.split(separator: "\n").map(String.init))
    #expect(names.isSuperset(of: others) && names.contains("600 walk.sensor.gyroscope.csv"))
    #expect(names.subtracting(others).allSatisfy { $0.hasPrefix("600 ") }, "\(names)")
  }
}
