// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `Scripts/install-dependencies.sh`, with which `make demo`, `test` and `view` begin, on a system that has few programs.
@Suite struct InstallDependenciesTests {
  /// What it says, its status, and what it has run as root. `answer`: at a terminal; nil = there is none.
  private func run(ci: String = "", answer: String? = nil) throws -> (text: String, code: Int32, commands: String?) {
    let folder = try TemporaryFolder()
    for name in ["mktemp", "rm", "tail", "uname"] { try folder.link(name, to: "/usr/bin/\(name)") }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../Scripts/install-dependencies.sh")
    let start = try folder.write(
      "start",
      """
      PATH=\(folder.path) CI=\(ci)
      id() { echo 1000; }
      sudo() { echo "$*" >>\(folder.path("commands")); }
      apt-get() { :; }
      swift() { :; }
      . \(script.path)
      """)
    let terminal = answer.map { "echo \($0) | script -qec '/bin/bash \(start)' /dev/null" }
    let result = try MotionctlProcess.shell(terminal ?? "/bin/bash \(start) 2>&1").finish()
    return (result.text, result.code, folder.text("commands"))
  }

  @Test func itSaysWhatItWouldInstallAndAsks() throws {
    let refused = try run(answer: "n")
    #expect(refused.text.contains("Missing Debian packages: git") && refused.text.contains("sudo apt-get? [y/N]"))
    #expect(refused.code == 1 && refused.commands == nil)
    let agreed = try run(answer: "y")
    #expect(agreed.code == 0 && agreed.commands?.contains("apt-get install --yes --no-install-recommends git") == true)
  }

  @Test func withoutATerminalItInstallsInCIOnly() throws {
    let stopped = try run()
    #expect(stopped.code == 1 && stopped.commands == nil)
    #expect(stopped.text.contains("Nothing was installed. Run it by hand: sudo apt-get install git"))
    let installed = try run(ci: "true")
    #expect(installed.code == 0 && installed.commands?.contains("--no-install-recommends git") == true)
    #expect(installed.text.contains("Missing Debian packages: git"))
  }
}
