// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing

/// The history of a device: steps, activities, and the accelerometer at 50 Hz.
///
/// One file of SQLite. One program writes (``WriterLock``), any number read meanwhile. What is older than ``Retention`` is removed every hour.
/// A history in memory has the same tables and answers the same questions.
///
/// ```swift
/// let (store, notices) = try MotionStore.open(writing: path, as: holder)
/// try store.write(rows, source: "iio:", line: line, durably: true)
/// let day = try store.steps(from: midnight, to: midnight + 86_400)
/// ```
///
/// Nothing is logged here: what a person has to know comes back as `notices`, and errors are sentences.
package final class MotionStore: Sendable {
  /// Seconds after which rows are removed.
  package enum Retention {
    /// Three days of the accelerometer.
    package static let accelerometer: TimeInterval = 3 * 86_400
    /// Seven days of steps and activities.
    package static let history: TimeInterval = 7 * 86_400
  }

  /// The file; nil = in memory.
  package let path: String?
  package let database: Lock<Database>
  private let lock: WriterLock?
  /// The file that is open: another one may take its place under the same name.
  private let file: FileIdentity?

  private init(_ database: Database, path: String?, lock: WriterLock?) {
    (self.database, self.path, self.lock) = (Lock(database), path, lock)
    file = path.flatMap { FileIdentity(path: $0) }
  }

  /// A history that ends with the process. Its batches are numbered after `lastIdentifier`.
  package static func inMemory(after lastIdentifier: UInt64 = 0) throws(SensorError) -> MotionStore {
    let database = try Database(nil)
    try HistorySchema.create(in: database, isFile: false)
    if lastIdentifier > 0 {
      try database.run("INSERT INTO sqlite_sequence(name, seq) VALUES ('batch', ?)", Int64(clamping: lastIdentifier))
    }
    return MotionStore(database, path: nil, lock: nil)
  }

  /// Opens a file for questions; nil when there is none, or none that anything was written to. A program may write it meanwhile.
  package static func open(reading path: String) throws(SensorError) -> MotionStore? {
    guard access(path, F_OK) == 0 else { return nil }
    let database = try Database(path, isReadOnly: true)
    guard let version = try HistorySchema.version(database) else { return nil }
    try HistorySchema.check(version, of: path)
    return MotionStore(database, path: path, lock: nil)
  }

  /// Opens a file for the one program that writes it, and makes it when there is none. A file that is damaged is put aside under another
  /// name. The second value is what the person has to know.
  package static func open(
    writing path: String, as holder: WriterLock.Holder
  ) throws(SensorError) -> (store: MotionStore, notices: [String]) {
    try makeFolder(of: path)
    let lock = try WriterLock(store: path, holder: holder)
    do {
      return (try open(path, lock: lock), [])
    } catch  where error.code == .malformed {
      let aside = try putAside(path)
      return (
        try open(path, lock: lock),
        ["\(error.message) The damaged file is kept as \(aside); a new history begins."]
      )
    }
  }

  /// Puts a damaged file aside and begins a new one, with the lock that this store holds.
  package func replaced() throws(SensorError) -> (store: MotionStore, notice: String) {
    guard let path, let lock else {
      throw SensorError(.invalidRequest, "Only a history in a file that this program writes can be begun again.")
    }
    database.withLock { $0.close() }
    let aside = access(path, F_OK) == 0 ? try Self.putAside(path) : nil
    return (
      try Self.open(path, lock: lock),
      aside.map { "The damaged history is kept as \($0); a new one begins." }
        ?? "The file of the history was removed while it was written; a new one begins."
    )
  }

  /// Whether the file has been removed or another has taken its name.
  package var isReplaced: Bool { path.map { FileIdentity(path: $0) != file } ?? false }

  /// Rows that answers left out so far because a value of theirs has a wrong type or is out of its range.
  package var damagedRows: Int { database.withLock { $0.damagedRows } }

  /// Runs questions that see one state of the file.
  func read<Result>(_ body: (Database) throws(SensorError) -> Result) throws(SensorError) -> Result {
    try database.withLock { database throws(SensorError) in
      try database.transaction(.reading) { () throws(SensorError) in try body(database) }
    }
  }

  private static func open(_ path: String, lock: WriterLock) throws(SensorError) -> MotionStore {
    // SQLite gives its companions (-wal, -shm) the rights of the file.
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SensorError(
        .notPermitted, "The history cannot be opened for writing: \(String(cString: strerror(errno))).",
        at: .init(file: path), errno: errno)
    }
    fchmod(descriptor, 0o600)
    close(descriptor)
    let database = try Database(path)
    if let version = try HistorySchema.version(database) {
      try HistorySchema.check(version, of: path)
      let answer = try database.row("PRAGMA quick_check(1)") { try $0.text(0) }
      guard answer == "ok" else { throw database.damage(answer ?? "it cannot be checked") }
    }
    try HistorySchema.create(in: database, isFile: true)
    return MotionStore(database, path: path, lock: lock)
  }

  private static func makeFolder(of path: String) throws(SensorError) {
    let folder = (path as NSString).deletingLastPathComponent
    guard !folder.isEmpty, access(folder, F_OK) != 0 else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw SensorError(
        .notPermitted, "The folder of the history cannot be made: \(error.localizedDescription)",
        at: .init(file: folder))
    }
  }

  /// Renames a file and its companions; the new name.
  private static func putAside(_ path: String) throws(SensorError) -> String {
    var name = path + ".damaged"
    var number = 1
    while access(name, F_OK) == 0 {
      number += 1
      name = path + ".damaged-\(number)"
    }
    guard rename(path, name) == 0 else {
      throw SensorError(
        .system, "The damaged history cannot be put aside: \(String(cString: strerror(errno))). Move it away.",
        at: .init(file: path), errno: errno)
    }
    for companion in ["-wal", "-shm"] where access(path + companion, F_OK) == 0 {
      rename(path + companion, name + companion)
    }
    return name
  }
}

/// A file on its disk, whatever it is called.
private struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
