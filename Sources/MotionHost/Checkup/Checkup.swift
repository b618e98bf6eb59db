// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources

/// What was found when somebody asked why there is no motion, or only part of it: `motionctl doctor`.
///
/// ```swift
/// let checkup = HostEnvironment(ProcessInfo.processInfo.environment).checkup()
/// for finding in checkup.findings where finding.level != .ok { print(finding.sentence, finding.remedy ?? "") }
/// ```
public struct Checkup: Sendable, Hashable {
  /// How bad it is.
  public enum Level: String, Sendable, Hashable, Codable {
    /// As it should be.
    case ok
    /// It works, but not as well as it could.
    case warning
    /// It does not work.
    case problem
  }

  /// One thing that was looked at.
  public struct Finding: Sendable, Hashable, Codable {
    /// How bad it is.
    public var level: Level
    /// What was looked at: an address, a file, a variable.
    public var subject: String
    /// What was found, as a sentence.
    public var sentence: String
    /// What to do; nil when there is nothing to do.
    public var remedy: String?

    init(_ level: Level, _ subject: String, _ sentence: String, remedy: String? = nil) {
      self.level = level
      self.subject = subject
      self.sentence = sentence
      self.remedy = remedy
    }
  }

  /// In the order in which a person should read them.
  public var findings: [Finding] = []
  /// Whether a program that says `import CoreMotion` now gets samples of motion.
  public var canReadMotion = false

  /// The file that `motionctl doctor --rule` is for.
  public static let rulePath = "/etc/udev/rules.d/60-opencoremotion.rules"

  /// A file for ``rulePath`` with all rules, each with a line that says what it is for.
  public static var rules: String {
    "# OpenCoreMotion: motion sensors for people who are not root.\n"
      + UdevRule.all.map { "# \($0.purpose)\n\($0.text)\n" }.joined()
  }
}
