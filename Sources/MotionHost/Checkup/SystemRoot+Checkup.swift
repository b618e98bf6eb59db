// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources

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

  private func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + folder)) ?? []).sorted()
  }
}
