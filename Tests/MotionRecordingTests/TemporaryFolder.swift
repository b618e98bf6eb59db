// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A folder that lives as long as this object.
final class TemporaryFolder {
  let path: String

  init() throws {
    // In memory where that exists: the mutation test writes thousands of files.
    let memory = "/dev/shm"
    let root =
      FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
    path = "\(root)/recording-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    // Not Foundation's writer, which waits for the disk.
    let stream = try #require(fopen(file, "w"))
    #expect(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
    fclose(stream)
    return file
  }

  func makeFolder(_ name: String) throws -> String {
    let folder = "\(path)/\(name)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }
}
