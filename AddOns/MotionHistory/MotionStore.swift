// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
package import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerHistory: @convention(c) () -> Void = {
  SourceRegistry.atStart {
    HistoryProvider.register(
      HistoryProvider { path throws(SensorError) in
        try MotionStore.open(reading: path)
      } isKeepingAccelerometer: {
        WriterLock.holder(ofStore: $0)?.recordsAccelerometer == true
      })
  }
}

/// The history of a device: steps, activities, and the accelerometer at 50 Hz.
///
/// One file of SQLite. One program writes (``WriterLock``), any number read meanwhile. What is older than
/// ``HistoryRetention`` is removed every hour.
///
/// ```swift
/// let (store, notices) = try MotionStore.open(writing: path, as: holder)
/// try store.write(rows, source: "iio:", line: line, durably: true)
/// let day = try store.steps(from: midnight, to: midnight + 86_400)
/// ```
///
/// Nothing is logged here: what a person has to know comes back as `notices`, and errors are sentences.
package final class MotionStore: History {
  package let path: String
  package let database: Lock<Database>
  private let lock: WriterLock?
  /// The file that is open: another one may take its place under the same name.
  private let file: FileIdentity?

  private init(_ database: Database, path: String, lock: WriterLock?) {
    (self.database, self.path, self.lock) = (Lock(database), path, lock)
    file = FileIdentity(path: path, leastSize: 1)
  }

  /// Opens a file for questions; nil when there is none, or none that anything was written to. A program may write it
  /// meanwhile. What is not ours is refused (``StoreFile``).
  package static func open(reading path: String) throws(SensorError) -> MotionStore? {
    guard try StoreFile(at: path) == .own else { return nil }
    let path = StoreFile.resolved(path)
    try StoreFile.checkJournals(of: path)
    let database = try Database(path, isReadOnly: true)
    guard let version = try HistorySchema.version(database) else { return nil }
    try HistorySchema.check(version, of: path)
    return MotionStore(database, path: path, lock: nil)
  }

  /// Refuses a path at which no store can be begun or gone on with.
  package static func checkPlace(_ path: String) throws(SensorError) {
    _ = try StoreFile(at: path)
    try StoreFile.checkJournals(of: StoreFile.resolved(path))
    try WriterLock.check(store: path)
  }

  /// Whether there is a file; what is not ours is refused.
  package static func exists(at path: String) throws(SensorError) -> Bool { try StoreFile(at: path) != .absent }

  /// Opens a file for the one program that writes it, and makes it when there is none. A file that is damaged is put
  /// aside under another name, and one that is not ours is refused. The second value is what the person has to know.
  package static func open(
    writing path: String, as holder: WriterLock.Holder
  ) throws(SensorError) -> (store: MotionStore, notices: [String]) {
    // Before anything is made beside it.
    try checkPlace(path)
    let path = StoreFile.resolved(path)
    try makeFolder(of: path)
    let (store, notice) = try begin(path, lock: try WriterLock(store: path, holder: holder))
    return (store, notice.map { [$0] } ?? [])
  }

  /// Goes on under the lock that this store holds: in the file that now has its name, or in a new one.
  ///
  /// - Parameter damage: what was found in this store's file, which is put aside; nil: the file has gone.
  package func replaced(after damage: SensorError? = nil) throws(SensorError) -> (store: MotionStore, notice: String) {
    guard let lock else {
      throw SensorError(.invalidRequest, "Only a history that this program writes can be begun again.")
    }
    database.withLock { $0.close() }
    let aside = if let damage { try Self.putAside(path, damage) } else { String?.none }
    let found = try StoreFile(at: path)
    let (store, notice) = try Self.begin(path, lock: try lock.inPlace(ofStore: path))
    if let said = aside ?? notice { return (store, said) }
    if let damage { return (store, "\(damage.message) Nothing is left in it; a new history begins.") }
    return switch found {
    case .own: (store, "Another file has taken the place of the history; recording goes on in it.")
    case .empty: (store, "The file of the history was emptied while it was written; a new one begins.")
    case .absent: (store, "The file of the history was removed while it was written; a new one begins.")
    }
  }

  /// Whether the file has been removed or emptied, another has taken its name, or an attempt to begin again has failed.
  package var isReplaced: Bool { FileIdentity(path: path, leastSize: 1) != file || database.withLock { $0.isClosed } }

  package var damagedRows: Int { database.withLock { $0.damagedRows } }

  /// Runs questions that see one state of the file.
  func read<Result>(_ body: (Database) throws(SensorError) -> Result) throws(SensorError) -> Result {
    try database.withLock { database throws(SensorError) in
      try database.transaction(.reading) { () throws(SensorError) in try body(database) }
    }
  }

  /// Opens a file, or puts it aside when it is damaged and opens a new one; then what the person has to know.
  private static func begin(
    _ path: String, lock: WriterLock
  ) throws(SensorError) -> (store: MotionStore, notice: String?) {
    try checkPlace(path)
    do {
      return (try open(path, lock: lock), nil)
    } catch  where error.code == .malformed {
      let notice = try putAside(path, error)
      return (try open(path, lock: lock), notice)
    }
  }

  private static func open(_ path: String, lock: WriterLock) throws(SensorError) -> MotionStore {
    // SQLite gives its companions (-wal, -shm) the rights of the file.
    let descriptor = MotionSensing.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
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
    try HistorySchema.create(in: database)
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

  /// Renames a damaged file of ours and its journal; what the person has to know. Nil when there is none. What cannot
  /// be told to be ours keeps its name.
  private static func putAside(_ path: String, _ damage: SensorError) throws(SensorError) -> String? {
    guard try StoreFile(at: path) == .own else { return nil }
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
    return "\(damage.message) The damaged file is kept as \(name); a new history begins."
  }
}

/// A file on its disk, whatever it is called.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Nil when there is none of that size.
  init?(path: String, leastSize: Int = 0) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size >= leastSize else { return nil }
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
  }

  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
  }
}
