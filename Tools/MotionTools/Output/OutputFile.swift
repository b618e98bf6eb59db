// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// Where results go: standard output, or a file that appears only when it is whole.
///
/// A file is written under a temporary name beside its place and renamed at the end, so that an error or a signal
/// leaves neither half a file nor the old one destroyed. Devices and pipes (`/dev/stdout`, a FIFO) are written to
/// directly.
package struct OutputFile: Sendable {
  /// As the person wrote it; nil = standard output.
  package let path: String?
  private let descriptor: Descriptor
  private let place: String
  /// Nil when nothing has to be renamed.
  private let temporary: String?

  package static var standardOutput: OutputFile {
    OutputFile(path: nil, descriptor: Descriptor(STDOUT_FILENO), place: "standard output", temporary: nil)
  }

  /// The same with one input or none.
  package static func open(_ path: String?, readingFrom input: String? = nil) throws -> OutputFile {
    try open(path, readingFrom: input.map { [$0] } ?? [])
  }

  /// Opens the output; `-` and nil mean standard output. Refuses to write over one of `inputs`, files or folders of
  /// files.
  package static func open(_ path: String?, readingFrom inputs: [String]) throws -> OutputFile {
    guard let path, path != "-" else { return .standardOutput }
    // Through links, so that the rename does not replace a link by a file.
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var status = stat()
    let exists = stat(place, &status) == 0
    if exists, inputs.contains(where: { isPart(status, of: $0) }) {
      throw CommandFailure(
        "“\(path)” is what is being read: give the output another name, so that the recording stays.")
    }
    if exists, place.hasSuffix(".mcap"), FileLock.isLocked(place) {
      throw CommandFailure("“\(path)” is being recorded: give the output another name.")
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

  /// Whether a name is standard output, or a device, a pipe or a folder that is there: its ending says nothing.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    return path == "-" || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// A file of these bytes.
  static func write(_ bytes: [UInt8], to path: String, readingFrom input: String? = nil) throws {
    try open(path, readingFrom: input).whole { try $0.write(bytes) }
  }

  /// Does the work that fills the file; then the file takes its place. An error leaves things as they were.
  func whole<Result>(_ body: (OutputFile) throws -> Result) throws -> Result {
    do {
      let result = try body(self)
      try commit()
      return result
    } catch {
      discard()
      throw error
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

  package func write(_ bytes: [UInt8]) throws { try write(bytes.span) }

  /// Lines for people: nothing in them acts on a terminal, whatever the names in them hold. Data (CSV, JSON) has
  /// its own quoting and goes through `write`.
  package func print(_ lines: [String]) throws {
    try write(Array(lines.map { $0.printable(keepingLines: false) + "\n" }.joined().utf8))
  }

  package func write(_ bytes: Span<UInt8>) throws {
    do throws(SystemFailure) {
      try descriptor.write(bytes)
    } catch {
      if error.errno == EPIPE { throw BrokenPipe() }
      throw CommandFailure("Writing \(path.map { "“\($0)”" } ?? place) failed: \(error.reason).")
    }
  }

  /// Everything has been written: the file takes its place.
  package func commit() throws {
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
  package func discard() {
    guard path != nil else { return }
    try? descriptor.close()
    if let temporary { TemporaryFiles.remove(temporary) }
  }
}

/// The files that are written under a temporary name beside their place, and renamed when they are whole.
enum TemporaryFiles {
  private static let unfinished = Lock<Set<String>>([])
  private static let mostNames = 100

  /// Creates one. The name can be guessed, and in a shared folder anybody can put something there: what lies there
  /// already, a link too, is left as it is, and another name used.
  static func create(beside place: String) throws(SystemFailure) -> (path: String, descriptor: Descriptor) {
    var number = 1
    while true {
      let path = "\(place).\(getpid())\(number == 1 ? "" : "-\(number)").part"
      do {
        // Under the lock, so that a signal never finds a file that is not in the list yet.
        let descriptor = try unfinished.withLock { (unfinished) throws(SystemFailure) in
          let descriptor = try Descriptor.open(path, flags: O_CREAT | O_EXCL | O_NOFOLLOW)
          unfinished.insert(path)
          return descriptor
        }
        return (path, descriptor)
      } catch {
        guard error.errno == EEXIST, number < mostNames else { throw error }
        number += 1
      }
    }
  }

  /// Moves a complete file to its name, or removes it when that fails. Content and name are on the disk when this
  /// returns.
  static func move(_ path: String, to place: String) throws(SystemFailure) {
    do throws(SystemFailure) {
      try sync(path)
      guard rename(path, place) == 0 else { throw SystemFailure(errno: errno) }
    } catch {
      remove(path)
      throw error
    }
    FileSync.syncFolder(of: place)
    unfinished.withLock { _ = $0.remove(path) }
  }

  /// Before the rename: a file that replaces another must not be empty after a power cut.
  private static func sync(_ path: String) throws(SystemFailure) {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(errno: errno) }
    defer { close(descriptor) }
    let code = FileSync.sync(descriptor, whole: true)
    guard code == 0 else { throw SystemFailure(errno: code) }
  }

  /// Removes one that will not be whole.
  static func remove(_ path: String) {
    guard unfinished.withLock({ $0.contains(path) }) else { return }
    unlink(path)
    unfinished.withLock { _ = $0.remove(path) }
  }

  /// Removes all, before the program ends at once.
  static func removeAll() {
    for path in unfinished.withLock({ $0 }) { remove(path) }
  }
}

/// A failed system call: its errno, captured where it happened.
struct SystemFailure: Error {
  let errno: Int32
  /// The system's words for it, as a part of a sentence: "permission denied".
  var reason: String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// A file descriptor that is written to. The system calls of the program are here.
struct Descriptor: Sendable {
  let number: Int32
  init(_ number: Int32) { self.number = number }

  /// Creates or opens a file for writing.
  static func open(_ path: String, flags: Int32) throws(SystemFailure) -> Descriptor {
    let number = Foundation.open(path, O_WRONLY | O_CLOEXEC | flags, 0o666)
    guard number >= 0 else { throw SystemFailure(errno: errno) }
    return Descriptor(number)
  }

  func write(_ bytes: [UInt8]) throws(SystemFailure) { try write(bytes.span) }

  /// Writes everything, however often the system accepts only a part.
  func write(_ bytes: Span<UInt8>) throws(SystemFailure) {
    var start = 0
    while start < bytes.count {
      // unsafe: the kernel reads the bytes during the call.
      let written = bytes.extracting(start...).withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
      if written >= 0 {
        start += written
      } else if errno == EAGAIN {
        // Another process has made a shared terminal or pipe non-blocking.
        var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
      } else if errno != EINTR {
        throw SystemFailure(errno: errno)
      }
    }
  }

  func close() throws(SystemFailure) {
    guard Foundation.close(number) == 0 || errno == EINTR else { throw SystemFailure(errno: errno) }
  }
}

/// Whether two names lead to one file, through links as well: what is read must not be written.
package enum SameFile {
  /// False where one of them is not there.
  package static func `is`(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}

/// Why a command could not do what it was asked for: one sentence on standard error, exit code 1.
package struct CommandFailure: Error, CustomStringConvertible {
  package let description: String
  package init(_ sentence: String) { description = sentence }
}

/// The reader of standard output has gone away (`| head`). Not a failure: the program ends quietly.
package struct BrokenPipe: Error {}
