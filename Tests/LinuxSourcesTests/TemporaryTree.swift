// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxSystem

/// A folder that stands for the root of a file system, and goes with this value.
final class TemporaryTree: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "opencoremotion-\(UUID().uuidString.prefix(12))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func folder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  func file(_ name: String, _ text: String) throws { try file(name, Array(text.utf8)) }

  func file(_ name: String, _ bytes: [UInt8]) throws {
    try folder((name as NSString).deletingLastPathComponent)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

  /// A link, relative as those of sysfs.
  func link(_ name: String, to target: String) throws {
    try folder((name as NSString).deletingLastPathComponent)
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
  }
}
