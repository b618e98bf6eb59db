// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the system refuses is said, and ends no process by a trap.
@Suite(.timeLimit(.minutes(15))) struct ExhaustionTests {
  /// The façade (`stream`) needs two more than a recording: libdispatch ends a process that has none for its queues.
  @Test(arguments: [("record -o OUT.mcap", 4), ("stream --format csv", 5)])
  func withoutFileDescriptorsASourceFailsWithASentence(line: String, least: Int) throws {
    let folder = try TemporaryFolder()
    var words = line.split(separator: " ").map { String($0).replacing("OUT", with: folder.path("out")) }
    words.insert("'simulate:handheld?speed=max'", at: 1)
    var codes: [Int32] = []
    for limit in least..<(least + 5) {
      let command = (words + ["--for", "1"]).joined(separator: " ")
      let (code, errors) = try Self.run("ulimit -n \(limit); exec \"$MOTIONCTL\" \(command)")
      #expect(code == 0 || code == 1 && errors.contains("(ulimit -n)"), "\(limit) descriptors: \(code) \(errors)")
      codes.append(code)
      try? FileManager.default.removeItem(atPath: folder.path("out.mcap"))
    }
    #expect(codes.first == 1 && codes.last == 0, "\(codes)")
  }

  private static func run(_ script: String) throws -> (code: Int32, errors: String) {
    let process = Process()
    let errors = try TemporaryFile()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.environment = ["MOTIONCTL": MotionctlProcess.executable.path, "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors.url)
    try process.run()
    process.waitUntilExit()
    let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return (code, try String(contentsOf: errors.url, encoding: .utf8))
  }
}
