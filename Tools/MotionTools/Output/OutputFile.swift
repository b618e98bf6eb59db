// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// Where results go: standard output, or a file that appears only when it is whole (``Draft``), so that an error, a
/// signal or a kill leaves neither half a file nor the old one destroyed. Devices, pipes and what is open already
/// (`/dev/stdout`) are written to directly.
package struct OutputFile: Sendable {
  /// As the person wrote it; nil = what is open already, such as standard output.
  package let path: String?
  private let descriptor: Descriptor
  private let place: String
  /// Nil when it is written directly.
  private let draft: Draft?

  package static var standardOutput: OutputFile {
    OutputFile(path: nil, descriptor: Descriptor(STDOUT_FILENO), place: "standard output", draft: nil)
  }

  /// Opens the output; `-` and nil mean standard output. Refuses to write over the input, a file or a folder of files.
  package static func open(_ path: String?, readingFrom input: String? = nil) throws -> OutputFile {
    guard let path, path != "-" else { return .standardOutput }
    let (place, number) = target(of: path)
    var status = stat()
    let exists = stat(place, &status) == 0
    if let input, let identity = FileIdentity(path: place), isPart(identity, of: input) {
      throw CommandFailure(
        "“\(path)” is what is being read: give the output another name, so that the recording stays.")
    }
    if exists, place.hasSuffix(".mcap"), FileLock.isLocked(place) {
      throw CommandFailure("“\(path)” is being recorded: give the output another name.")
    }
    if let number { return OutputFile(path: nil, descriptor: Descriptor(number), place: "“\(path)”", draft: nil) }
    do throws(SystemFailure) {
      if exists, status.st_mode & S_IFMT == S_IFDIR { throw SystemFailure(errno: EISDIR) }
      if exists, status.st_mode & S_IFMT != S_IFREG {
        return OutputFile(path: path, descriptor: try .open(place, flags: 0), place: place, draft: nil)
      }
      if exists, access(place, W_OK) != 0 { throw SystemFailure(errno: errno) }
      let draft = try Draft(at: place)
      return OutputFile(path: path, descriptor: draft.descriptor, place: place, draft: draft)
    } catch {
      throw CommandFailure("“\(path)” cannot be written: \(error.reason).")
    }
  }

  /// Behind links, one after the other, so that none is replaced by a file. They end at what is open in this program
  /// (`/dev/stdout`, `/dev/fd/3`), with its number: a file that a shell has opened keeps what is in it.
  private static func target(of path: String) -> (place: String, number: Int32?) {
    var place = path
    for _ in 0..<40 {
      let url = URL(fileURLWithPath: place)
      let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
      place = folder.appendingPathComponent(url.lastPathComponent).path
      if folder.path == "/proc/\(getpid())/fd", let number = Int32(url.lastPathComponent) { return (place, number) }
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else { break }
      place = next.hasPrefix("/") ? next : folder.appendingPathComponent(next).path
    }
    return (place, nil)
  }

  /// Whether a name is what is open already, or a device, a pipe or a folder that is there: its ending says nothing.
  package static func isStream(_ path: String) -> Bool {
    path == "-" || target(of: path).number != nil || access(path, F_OK) == 0 && FileIdentity(path: path) == nil
  }

  /// Does the work that fills the file; then the file takes its place. An error leaves things as they were.
  func whole<Result>(_ body: (OutputFile) throws -> Result) throws -> Result {
    let result: Result
    do { result = try body(self) } catch {
      discard()
      throw error
    }
    try commit()
    return result
  }

  /// Whether a file is the input, or lies in the folder that is the input.
  private static func isPart(_ file: FileIdentity, of input: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: input)) ?? []
    return ([input] + names.map { input + "/" + $0 }).contains { FileIdentity(path: $0) == file }
  }

  /// What is written to it in small pieces, on its way.
  var sink: FileByteSink { FileByteSink(descriptor: descriptor.number, name: path ?? place) }

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
    defer { discard() }
    do throws(SystemFailure) { try draft?.takePlace() } catch {
      throw CommandFailure("“\(place)” cannot be written: \(error.reason).")
    }
  }

  /// Leaves things as they were, but for what has taken its place.
  package func discard() {
    guard path != nil else { return }
    draft?.remove()
    descriptor.close()
  }
}

/// A file on its way to its place. It has no name until it is whole, so nothing of it is left, however the program
/// ends.
///
/// It has a name beside its place where the file system has no such files, and for the moment in which it replaces
/// another file.
struct Draft: Sendable {
  /// O_TMPFILE (open(2)), a macro that Swift does not import.
  private static let nameless = 0o20_000_000 | O_DIRECTORY
  private static let unfinished = Lock<Set<String>>([])
  private static let mostNames = 100

  let descriptor: Descriptor
  private let place: String
  /// Nil = it has none.
  private let name: String?

  init(at place: String) throws(SystemFailure) {
    self.place = place
    let folder = URL(fileURLWithPath: place).deletingLastPathComponent().path
    if let descriptor = try? Descriptor.open(folder, flags: Self.nameless) {
      // Without /proc it would never get a name.
      if access(descriptor.path, F_OK) == 0 {
        (self.descriptor, name) = (descriptor, nil)
        return
      }
      descriptor.close()
    }
    (name, descriptor) = try Self.named(beside: place) { (name) throws(SystemFailure) in
      try .open(name, flags: O_CREAT | O_EXCL | O_NOFOLLOW)
    }
  }

  /// Content and name are on the disk when this returns. What is replaced hands on its mode.
  func takePlace() throws(SystemFailure) {
    // Before it has its name: a file that replaces another must not be empty after a power cut.
    let code = FileSync.sync(descriptor.number, whole: true)
    guard code == 0 else { throw SystemFailure(errno: code) }
    var status = stat()
    if stat(place, &status) == 0 { fchmod(descriptor.number, status.st_mode & 0o777) }
    do throws(SystemFailure) {
      if let name { try Self.move(name, to: place) } else { try link(as: place) }
    } catch {
      guard name == nil, error.errno == EEXIST else { throw error }
      try Self.move(Self.named(beside: place, link).name, to: place)
    }
    FileSync.syncFolder(of: place)
  }

  /// Removes the name, if it has one.
  func remove() { if let name { Self.remove(name) } }

  private func link(as name: String) throws(SystemFailure) {
    guard linkat(AT_FDCWD, descriptor.path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
      throw SystemFailure(errno: errno)
    }
  }

  /// Makes a file with a name beside a place. The name can be guessed, and in a shared folder anybody can put something
  /// there: what lies there already, a link too, is left as it is, and another name used.
  private static func named<Result>(
    beside place: String, _ make: (String) throws(SystemFailure) -> Result
  ) throws(SystemFailure) -> (name: String, result: Result) {
    var number = 1
    while true {
      let name = "\(place).\(getpid())\(number == 1 ? "" : "-\(number)").part"
      do {
        // Under the lock, so that a signal never finds a file that is not in the list yet.
        return try unfinished.withLock { (unfinished) throws(SystemFailure) in
          let result = try make(name)
          unfinished.insert(name)
          return (name, result)
        }
      } catch {
        guard error.errno == EEXIST, number < mostNames else { throw error }
        number += 1
      }
    }
  }

  private static func move(_ name: String, to place: String) throws(SystemFailure) {
    let code = rename(name, place) == 0 ? 0 : errno
    guard code == 0 else {
      remove(name)
      throw SystemFailure(errno: code)
    }
    unfinished.withLock { _ = $0.remove(name) }
  }

  private static func remove(_ name: String) {
    unfinished.withLock { if $0.remove(name) != nil { unlink(name) } }
  }

  /// Removes all names, before the program ends at once.
  static func removeAll() {
    for name in unfinished.withLock({ $0 }) { remove(name) }
  }
}

extension SystemFailure {
  /// The system's words for it, as a part of a sentence: "permission denied".
  var reason: String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// A file descriptor that is written to.
struct Descriptor: Sendable {
  let number: Int32
  init(_ number: Int32) { self.number = number }

  /// The open file as a path.
  var path: String { "/proc/self/fd/\(number)" }

  /// Creates or opens a file for writing. Motion is private: only its owner reads it, also under a wider umask.
  static func open(_ path: String, flags: Int32) throws(SystemFailure) -> Descriptor {
    let number = Foundation.open(path, O_WRONLY | O_CLOEXEC | flags, 0o600)
    guard number >= 0 else { throw SystemFailure(errno: errno) }
    return Descriptor(number)
  }

  func write(_ bytes: [UInt8]) throws(SystemFailure) { try write(bytes.span) }

  func write(_ bytes: Span<UInt8>) throws(SystemFailure) {
    let (_, code) = FileWriting.write(bytes, to: number)
    guard code == 0 else { throw SystemFailure(errno: code) }
  }

  func close() { _ = Foundation.close(number) }
}

/// Why a command could not do what it was asked for: one sentence on standard error, exit code 1.
package struct CommandFailure: Error, CustomStringConvertible {
  package let description: String
  package init(_ sentence: String) { description = sentence }
}

/// The reader of standard output has gone away (`| head`). Not a failure: the program ends quietly.
package struct BrokenPipe: Error {}
