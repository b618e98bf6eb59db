// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import Testing

@testable import MotionTools

/// `motionctl headphones watch --control`: who has the path, and what is left at the end.
@Suite struct ControlSocketTests {
  @Test func theSocketEndsTheRun() throws {
    let folder = try TemporaryFolder()
    let process = try MotionctlProcess(["headphones", "simulate:headphones", "--control", folder.path("head")])
    let begun = process.readSome()
    try sendDatagram("nonsense", to: folder.path("head"))
    try sendDatagram("quit", to: folder.path("head"))
    let result = try process.finish(after: begun)
    #expect(result.code == 0 && result.errors.contains("knows recentre and quit"))
    #expect(try folder.names.isEmpty)
  }

  /// The kernel says of a socket that is shut, for ever, that an empty datagram has come.
  @Test func aSocketThatIsClosedReceivesNothingMore() throws {
    let folder = try TemporaryFolder()
    let heard = Lock<[String]>([])
    let control = try ControlSocket(path: folder.path("head"))
    // Sent before there is a listener, it waits.
    try sendDatagram("recentre", to: folder.path("head"))
    // Held by the listening thread, and by nothing else.
    var token: Token? = Token()
    weak let held = token
    control.listen(otherwise: { heard.withLock { $0.append("?") } }) { [token] command in
      withExtendedLifetime(token) { heard.withLock { $0.append(command.rawValue) } }
    }
    token = nil
    try sendDatagram("", to: folder.path("head"))
    waitUntil { heard.withLock { $0.count } >= 2 }
    control.close()
    waitUntil { held == nil }
    #expect(held == nil, "the thread goes on")
    #expect(heard.withLock { $0 } == ["recentre", "?"])
  }

  private final class Token: Sendable {}

  @Test func aSecondRunLeavesTheSocketOfTheFirstAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("head")
    let first = try MotionctlProcess(["headphones", "simulate:headphones", "--control", path])
    let begun = first.readSome()
    // Refused, it leaves no recording that would refuse the next try.
    let second = try MotionctlProcess.run(
      "headphones", "simulate:headphones?speed=max", "--for", "1", "--control", path, "--record",
      folder.path("head.mcap"))
    #expect(second.code == 1 && second.errors.contains("the socket of another run"), "\(second.errors)")
    #expect(try folder.names == ["head"])
    try sendDatagram("quit", to: path)
    #expect(try first.finish(after: begun).code == 0)
    #expect(try folder.names.isEmpty)
  }

  @Test func aSocketThatAnEarlierRunLeftIsReplaced() throws {
    let folder = try TemporaryFolder()
    close(try boundSocket(folder.path("head")))
    #expect(try folder.names == ["head"])
    let result = try MotionctlProcess.run(
      "headphones", "simulate:headphones?speed=max", "--for", "1", "--control", folder.path("head"))
    #expect(try result.code == 0 && folder.names.isEmpty, "\(result.errors)")
  }

  @Test func aSocketThatHasTakenThePlaceStays() throws {
    let folder = try TemporaryFolder()
    let process = try MotionctlProcess(["headphones", "simulate:headphones", "--control", folder.path("head")])
    let begun = process.readSome()
    try FileManager.default.removeItem(atPath: folder.path("head"))
    let other = try boundSocket(folder.path("head"))
    defer { close(other) }
    process.send(SIGINT)
    #expect(try process.finish(after: begun).code == 130)
    #expect(try folder.names == ["head"])
  }

  /// Nothing, or the head of the file only, can be written: what is left would refuse the next try.
  @Test(arguments: [0, 2]) func aRecordingThatFailsWithoutASampleLeavesNoFile(blocks: Int) throws {
    let folder = try TemporaryFolder()
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\"", MotionctlProcess.executable.path, "headphones",
      "simulate:headphones?connected=no&duration=1&speed=max", "--record", folder.path("head.mcap"),
    ]
    let errors = Pipe()
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = errors
    try shell.run()
    let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 1 && text.contains("file size limit"), "\(text)")
    #expect(try folder.names.isEmpty)
  }

  private func boundSocket(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    try #require(withSocketAddress(path) { bind(descriptor, $0, $1) } == 0)
    return descriptor
  }
}

/// Sends a word to a socket in the file system.
func sendDatagram(_ word: String, to path: String) throws {
  let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  defer { close(descriptor) }
  let bytes = Array(word.utf8)
  try #require(withSocketAddress(path) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) } == bytes.count)
}

private func withSocketAddress<Result>(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result
{
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  }
}
