// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import LinuxSources
import MotionSensing

/// What was found when a user asked why there is no motion, or only part of it: `motionctl doctor`.
///
/// ```swift
/// let checkup = HostEnvironment(ProcessInfo.processInfo.environment).checkup()
/// for finding in checkup.findings where finding.level != .ok { print(finding.sentence, finding.remedy ?? "") }
/// ```
package struct Checkup: Sendable, Hashable, Encodable {
  /// How bad it is.
  package enum Level: String, Sendable, Hashable, Codable {
    /// As it should be.
    case ok
    /// It works, but not as well as it could.
    case warning
    /// It does not work.
    case problem
  }

  /// One thing that was looked at.
  package struct Finding: Sendable, Hashable, Codable {
    /// How bad it is.
    package var level: Level
    /// What was looked at: an address, a file, a variable.
    package var subject: String
    /// What was found, as a sentence.
    package var sentence: String
    /// What to do; nil when there is nothing to do.
    package var remedy: String?

    init(_ level: Level, _ subject: String, _ sentence: String, remedy: String? = nil) {
      self.level = level
      self.subject = subject
      self.sentence = sentence
      self.remedy = remedy
    }
  }

  /// In the order in which a person should read them.
  package var findings: [Finding] = []
  /// Whether a program that says `import CoreMotion` now gets samples of motion.
  package var canReadMotion = false

  /// The file that `motionctl doctor --rule` is for.
  package static let rulePath = "/etc/udev/rules.d/60-opencoremotion.rules"

  /// A file for ``rulePath`` with all rules, each with a line that says what it is for.
  package static var rules: String {
    "# OpenCoreMotion: motion sensors for people who are not root.\n"
      + [UdevRule.sensors, .controllers, .headTrackers].map { "# \($0.purpose)\n\($0.text)\n" }
      .joined()
  }
}

/// What a checkup reads from a system.
extension SystemRoot {
  /// Whether a module of the kernel is loaded, or built in and has parameters.
  func hasModule(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/sys/module/\(name)") }

  /// The file in which udev finds a line; nil when there is none.
  func ruleFile(with text: String) -> String? {
    for folder in ["/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d"] {
      for name in names(in: folder) where name.hasSuffix(".rules") {
        let lines = (try? String(contentsOfFile: "\(path)\(folder)/\(name)", encoding: .utf8)) ?? ""
        if lines.split(separator: "\n").contains(where: { $0 == text }) { return "\(folder)/\(name)" }
      }
    }
    return nil
  }

  /// Names of the running programs that hold a file open, as far as this user may see it.
  func programs(holding file: String) -> [String] {
    processes.filter { process in
      names(in: "/proc/\(process)/fd").contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/proc/\(process)/fd/\($0)")) == file
      }
    }.compactMap(name)
  }

  /// Whether a program of this name runs.
  func isRunning(_ program: String) -> Bool {
    // The kernel keeps 15 bytes of a name (proc(5), comm).
    processes.contains { name(of: $0) == String(program.prefix(15)) }
  }

  private var processes: [String] { names(in: "/proc").filter { Int($0) != nil } }

  private func name(of process: String) -> String? {
    (try? String(contentsOfFile: "\(path)/proc/\(process)/comm", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func names(in folder: String) -> [String] { SystemFiles.system.list(path + folder) }
}
