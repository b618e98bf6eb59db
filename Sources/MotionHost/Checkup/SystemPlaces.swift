// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a system keeps what a checkup looks at; tests give a folder that stands for the root of the file system.
struct SystemPlaces: Sendable {
  var root = ""

  /// Whether a module of the kernel is loaded, or built in and has parameters.
  func hasModule(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/sys/module/\(name)") }

  /// The file in which udev finds a line; nil when there is none.
  func ruleFile(with text: String) -> String? {
    for folder in ["/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d"] {
      for name in names(in: folder) where name.hasSuffix(".rules") {
        let lines = (try? String(contentsOfFile: "\(root)\(folder)/\(name)", encoding: .utf8)) ?? ""
        if lines.split(separator: "\n").contains(where: { $0 == text }) { return "\(folder)/\(name)" }
      }
    }
    return nil
  }

  /// Names of the running programs that hold a file open, as far as this user may see it.
  func programs(holding path: String) -> [String] {
    processes.filter { process in
      names(in: "/proc/\(process)/fd").contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(root)/proc/\(process)/fd/\($0)")) == path
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
    (try? String(contentsOfFile: "\(root)/proc/\(process)/comm", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []).sorted()
  }
}
