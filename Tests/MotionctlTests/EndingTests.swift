// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// How runs without a limit end.
@Suite(.timeLimit(.minutes(15))) struct EndingTests {
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
    #expect(waitUntil { (try? folder.read("a.mcap").isEmpty) == false })
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
