// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A folder that goes with its owner; it may stand for the root of a file system. In memory where that exists, because
/// some tests write thousands of files.
package final class TemporaryFolder: Sendable {
  package let path: String
  package var url: URL { URL(fileURLWithPath: path) }

  package init() throws {
    let root = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()
    path = root + "opencoremotion-\(UUID().uuidString.prefix(12))"
    try makeFolder("")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func path(_ name: String) -> String { path + "/" + name }

  @discardableResult package func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  /// Writes a file, with the folders that it lies in, and returns its path.
  @discardableResult package func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  @discardableResult package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    if name.contains("/") { try makeFolder((name as NSString).deletingLastPathComponent) }
    // Not Foundation's writer, which waits for the disk.
    guard let stream = fopen(path(name), "w") else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let count = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, count == bytes.count else { throw POSIXError(.EIO) }
    return path(name)
  }

  package func write(_ text: String, to name: String) throws { try write(name, text) }

  package func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }
  package func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }
  package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
  package var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

  /// A link, relative as those of sysfs.
  package func link(_ name: String, to target: String) throws {
    try makeFolder((name as NSString).deletingLastPathComponent)
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }
}
