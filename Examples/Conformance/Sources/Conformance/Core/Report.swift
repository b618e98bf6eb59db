// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The difference file: one line of JSON for each statement that was asked. The first line of a run empties it.
public actor Report {
  public static let shared = Report(file: Settings.current.file)
  public let file: URL
  private var lines: [String] = []

  init(file: URL) { self.file = file }

  /// One line of the file.
  struct Line: Codable {
    var code: String
    var result: Answer.Result
    var findings: [Finding]
    var reason: String?
    var sentence: String
    var device = Line.device
    var system = Line.system
    var framework = Line.framework
    var date = ISO8601DateFormatter().string(from: Date())

    /// The kind of device, such as “iPhone16,1”; never its name or the person's.
    static var device: String {
      var names = utsname()
      uname(&names)
      return withUnsafeBytes(of: names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    static var system: String {
      #if os(watchOS)
      let name = "watchOS"
      #elseif os(iOS)
      let name = "iOS"
      #elseif os(macOS)
      let name = "macOS"
      #else
      let name = "Linux"
      #endif
      return "\(name), \(ProcessInfo.processInfo.operatingSystemVersionString)"
    }

    /// Whose CoreMotion has answered.
    static var framework: String {
      #if canImport(Darwin)
      let information = Bundle(identifier: "com.apple.CoreMotion")?.infoDictionary
      return "CoreMotion \(information?["CFBundleVersion"] as? String ?? "of an unknown version")"
      #else
      let environment = ProcessInfo.processInfo.environment
      return "OpenCoreMotion on \(environment["MOTION_SOURCE"] ?? "the sensors of this computer")"
      #endif
    }
  }

  /// Adds a line and writes the file.
  public func add(_ answer: Answer, to statement: Statement) throws {
    let line = Line(
      code: statement.code, result: answer.result, findings: answer.findings, reason: answer.reason,
      sentence: statement.sentence)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    lines.append(String(decoding: try encoder.encode(line), as: UTF8.self))
    try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
  }
}
