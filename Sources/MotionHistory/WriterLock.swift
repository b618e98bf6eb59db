// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Glibc
package import MotionSensing

/// The one program that may write a store: a file beside it that is locked as long as that program lives.
///
/// The lock is the system's (flock(2)), so it ends with the process however that ends; the file's text says who holds
/// it.
package final class WriterLock: Sendable {
  /// Who writes.
  package struct Holder: Sendable, Equatable, Codable {
    package var pid: Int32
    /// The address of the source.
    package var source: String
    /// Whether accelerations are kept beside steps and activities.
    package var recordsAccelerometer: Bool
    package var since: Date

    package init(source: String, recordsAccelerometer: Bool, since: Date) {
      (pid, self.source) = (getpid(), source)
      (self.recordsAccelerometer, self.since) = (recordsAccelerometer, since)
    }
  }

  /// `deinit` closes it, also after an initialiser that throws.
  private let descriptor: Int32
  private let holder: Holder

  /// Takes the lock of the store at a path, or says who has it.
  package init(store path: String, holder: Holder) throws(SensorError) {
    let file = Self.file(of: path)
    self.holder = holder
    descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SensorError(
        .notPermitted, "The lock of the history cannot be made: \(String(cString: strerror(errno))).",
        at: .init(file: file), errno: errno)
    }
    // A reader that looks whether there is a writer holds the lock for an instant.
    var isTaken = false
    for attempt in 0..<10 where !isTaken {
      if attempt > 0 { usleep(20_000) }
      isTaken = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
    guard isTaken else {
      let other = Self.read(file)
      throw SensorError(
        .busy,
        "\(other.map { "Process \($0.pid) writes this history already (from \($0.source))" } ?? "Another process writes this history already"). End it (motionctl recorder disable, or kill \(other.map { String($0.pid) } ?? "PID")), or name another file with --store.",
        at: .init(file: path))
    }
    try Self.check(store: path)
    ftruncate(descriptor, 0)
    let text = Array((try? JSONEncoder().encode(holder)) ?? Data())
    // Only for people: without the text the lock holds all the same.
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit { close(descriptor) }

  /// This lock, or a new one when its file was removed: without it a second writer would find no lock.
  func inPlace(ofStore path: String) throws(SensorError) -> WriterLock {
    guard FileIdentity(path: Self.file(of: path)) != FileIdentity(descriptor: descriptor) else { return self }
    return try WriterLock(store: path, holder: holder)
  }

  /// Who writes the store at a path now; nil when nothing does.
  package static func holder(ofStore path: String) -> Holder? {
    let file = file(of: path)
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
    return read(file) ?? .unknown()
  }

  private static func file(of store: String) -> String { StoreFile.resolved(store) + ".lock" }

  /// Refuses a store whose lock would be a file of another program: many programs use this ending (Cargo.lock). A
  /// writer leaves a text about itself, nothing, or, after a cut of the power, zeros.
  static func check(store path: String) throws(SensorError) {
    let file = file(of: path)
    var status = stat()
    // One that cannot be read cannot be written either, which is said then.
    guard stat(file, &status) == 0, access(file, R_OK) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFREG, let content = FileManager.default.contents(atPath: file),
      read(file) != nil || content.allSatisfy({ $0 == 0 })
    {
      return
    }
    throw SensorError(
      .foreignFile,
      "This is no lock of a history, but has the name that the lock of \(path) needs. It is left as it is: move it away, or name another file for the history with --store or MOTION_STORE.",
      at: .init(file: file))
  }

  private static func read(_ file: String) -> Holder? {
    FileManager.default.contents(atPath: file).flatMap { try? JSONDecoder().decode(Holder.self, from: $0) }
  }
}

extension WriterLock.Holder {
  private init(pid: Int32, source: String, recordsAccelerometer: Bool, since: Date) {
    (self.pid, self.source, self.recordsAccelerometer, self.since) = (pid, source, recordsAccelerometer, since)
  }

  fileprivate static func unknown() -> Self {
    Self(pid: 0, source: "unknown", recordsAccelerometer: false, since: .distantPast)
  }
}
