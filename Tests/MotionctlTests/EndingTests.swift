// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

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
