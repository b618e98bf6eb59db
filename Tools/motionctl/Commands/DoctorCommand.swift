// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionRecording
import MotionTools

/// `motionctl doctor`: what keeps this user from reading motion on this computer, and what to do.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check whether motion can be read here, and say what to do.",
    discussion: """
      Looks at sensors, controllers, permissions, buffers, the kernel's modules, udev's rules, MOTION_SOURCE and calibrations, and changes \
      nothing. The exit code is 0 when a program gets motion now, and 1 when it does not.

      Examples:
        motionctl doctor
        motionctl doctor --json
        motionctl doctor --rule | sudo tee /etc/udev/rules.d/60-opencoremotion.rules
      """)

  @OptionGroup var json: JSONOption

  @Flag(help: "Print the udev rules and nothing else.")
  var rule = false

  func validate() throws {
    if json.isOn, rule { throw ValidationError("Give only one of --json and --rule.") }
  }

  func run() throws {
    if rule { return try OutputFile.standardOutput.write(Array(Checkup.rules.utf8)) }
    let checkup = HostEnvironment(ProcessInfo.processInfo.environment).checkup()
    try json.print(checkup, isIndented: true, or: Self.lines(checkup))
    guard checkup.canReadMotion else { throw ProgramEnd.failure }
  }

  private static func lines(_ checkup: Checkup) -> [String] {
    var lines = checkup.findings.flatMap { finding in
      let level = Text.padded(finding.level.rawValue, 9, toRight: false)
      let line = level + "\(finding.subject): \(finding.sentence)"
      return [line] + (finding.remedy.map { ["         what to do: \($0)"] } ?? [])
    }
    if checkup.findings.contains(where: { $0.remedy?.contains("--rule") == true }) {
      lines += ["", "The rules (motionctl doctor --rule):", ""]
      lines += Checkup.rules.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
    }
    return lines
  }
}
