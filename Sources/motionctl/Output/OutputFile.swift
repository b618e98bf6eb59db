// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where results go: standard output, or a file that appears only when it is whole.
///
/// A file is written under a temporary name beside its place and renamed at the end, so that an error or a signal leaves
/// neither half a file nor the old one destroyed. Devices and pipes (`/dev/stdout`, a FIFO) are written to directly.
struct OutputFile: Sendable {
  /// As the person wrote it; nil = standard output.
  let path: String?
  private let descriptor: Descriptor
  private let place: String
  /// Nil when nothing has to be renamed.
  private let temporary: String?

  static var standardOutput: OutputFile {
    OutputFile(path: nil, descriptor: Descriptor(STDOUT_FILENO), place: "standard output", temporary: nil)
  }

  /// The same with one input or none.
  static func open(_ path: String?, readingFrom input: String? = nil) throws -> OutputFile {
    try open(path, readingFrom: input.map { [$0] } ?? [])
  }

  /// Opens the output; `-` and nil mean standard output. Refuses to write over one of `inputs`, files or folders of files.
  static func open(_ path: String?, readingFrom inputs: [String]) throws -> OutputFile {
    guard let path, path != "-" else { return .standardOutput }
    // Through links, so that the rename does not replace a link by a file.
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var status = stat()
    let exists = stat(place, &status) == 0
    if exists, inputs.contains(where: { isPart(status, of: $0) }) {
      throw CommandFailure(
        "“\(path)” is what is being read: give the output another name, so that the recording stays.")
    }
    do throws(SystemFailure) {
      if exists, status.st_mode & S_IFMT == S_IFDIR { throw SystemFailure(errno: EISDIR) }
      if exists, status.st_mode & S_IFMT != S_IFREG {
        return OutputFile(path: path, descriptor: try .open(place, flags: 0), place: place, temporary: nil)
      }
      if exists, access(place, W_OK) != 0 { throw SystemFailure(errno: errno) }
      let (temporary, descriptor) = try TemporaryFiles.create(beside: place)
      return OutputFile(path: path, descriptor: descriptor, place: place, temporary: temporary)
    } catch {
      throw CommandFailure("“\(path)” cannot be written: \(error.reason).")
    }
  }

  /// Whether a file is the input, or lies in the folder that is the input.
  private static func isPart(_ status: stat, of input: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: input)) ?? []
    return ([input] + names.map { input + "/" + $0 }).contains { name in
      var other = stat()
      return stat(name, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
    }
  }

  private init(path: String?, descriptor: Descriptor, place: String, temporary: String?) {
    self.path = path
    self.descriptor = descriptor
    self.place = place
    self.temporary = temporary
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(SystemFailure) {
      try descriptor.write(bytes)
    } catch {
      if error.errno == EPIPE { throw BrokenPipe() }
      throw CommandFailure("Writing \(path.map { "“\($0)”" } ?? place) failed: \(error.reason).")
    }
  }

  /// Everything has been written: the file takes its place.
  func commit() throws {
    guard path != nil else { return }
    do throws(SystemFailure) {
      try descriptor.close()
      if let temporary { try TemporaryFiles.move(temporary, to: place) }
    } catch {
      if let temporary { TemporaryFiles.remove(temporary) }
      throw CommandFailure("“\(place)” cannot be written: \(error.reason).")
    }
  }

  /// Leaves things as they were.
  func discard() {
    guard path != nil else { return }
    try? descriptor.close()
    if let temporary { TemporaryFiles.remove(temporary) }
  }
}
