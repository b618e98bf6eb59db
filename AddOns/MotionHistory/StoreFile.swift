// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing

/// What lies at the path of a store: nothing yet, or a store of ours. Anything else is refused.
///
/// A store says that it is ours in the four bytes that SQLite's header keeps for that, the `application_id`, at byte
/// 68 of the file. Stores from before 2026-12 have 0 there, as most databases do: they are known by their tables, and
/// get the number from their next writer.
///
/// The bytes are read without SQLite. Opening a database of another program, even to read it, can make files beside it
/// (`-wal`, `-shm`), take up a journal of it or throw that away.
enum StoreFile: Equatable {
  /// There is no file.
  case absent
  /// A file of no bytes: SQLite takes it as a database without tables, and it holds nothing that could be lost. A
  /// recorder that is killed in its first instant leaves one.
  case empty
  /// A store of ours, sound or damaged.
  case own

  /// "OCMH", the history of OpenCoreMotion.
  static let applicationID: Int64 = 0x4F43_4D48

  private static let magic = Array("SQLite format 3\0".utf8)
  /// Bytes of a page of a store, and the end of its first one.
  private static let page = 16_384
  private static let firstTable = Array("CREATE TABLE meta(schema_version INTEGER NOT NULL)".utf8)
  /// Bytes of a file in which the names of our tables are looked for. They are on its first page (16 kB), or on one of
  /// the next few where a person has rebuilt the file with smaller pages.
  private static let head = 65_536
  /// Bytes of a journal, which is written back into the file when it has this size (`wal_autocheckpoint`).
  private static let journal = 1_048_576
  /// Links that follow each other, as Linux counts them.
  private static let mostLinks = 40

  /// Looks at a path; throws a refusal, in a sentence, when what is there is not ours.
  init(at path: String) throws(SensorError) {
    let target = Self.resolved(path)
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw Self.unreadable(path, errno) }
      self = .absent
      return
    }
    let kind: String? =
      switch status.st_mode & S_IFMT {
      case S_IFREG: nil
      case S_IFDIR: "a directory"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    if let kind { throw Self.refusal(path, target, kind) }
    let bytes = try Self.read(path, Self.head)
    if bytes.isEmpty {
      self = .empty
    } else if let foreign = Self.foreignKind(bytes, target) {
      throw Self.refusal(path, target, foreign)
    } else {
      self = .own
    }
  }

  /// The file that a path leads to when it is a link, whether it exists or not. Its journal, its lock and its damaged
  /// predecessors lie beside that file, so that a store has one lock under all its names.
  static func resolved(_ path: String) -> String {
    var path = path
    for _ in 0..<mostLinks {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = URL(fileURLWithPath: target, relativeTo: URL(fileURLWithPath: path).deletingLastPathComponent()).path
    }
    return path
  }

  /// Refuses a place whose neighbours are files of other programs with the names of SQLite's journals: SQLite would
  /// throw them away (https://sqlite.org/tempfiles.html).
  static func checkJournals(of path: String) throws(SensorError) {
    // The first bytes of each: of a write-ahead log in both orders, of the index of it, and of a rollback journal,
    // which is zeros when it is done.
    let heads: [String: [[UInt8]]] = [
      "-wal": [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]],
      // 3,007,000, in the machine's order.
      "-shm": [[0x18, 0xE2, 0x2D, 0x00]],
      "-journal": [[0xD9, 0xD5, 0x05, 0xF9]],
    ]
    for (end, known) in heads {
      var status = stat()
      guard stat(path + end, &status) == 0 else { continue }
      let bytes = status.st_mode & S_IFMT == S_IFREG ? try read(path + end, 4) : [1]
      guard bytes.contains(where: { $0 != 0 }), !known.contains(bytes) else { continue }
      throw SensorError(
        .foreignFile,
        "This is no file of SQLite's, but has the name of one that the history \(path) needs. It is left as it is: move it away, or name another file for the history with --store or MOTION_STORE.",
        at: .init(file: path + end))
    }
  }

  /// What a file is that is not ours; nil when it is.
  private static func foreignKind(_ bytes: [UInt8], _ path: String) -> String? {
    guard bytes.starts(with: magic), bytes.count >= 100 else {
      // The header may be what is damaged. The first row of the schema ends where the first page does; in an archive
      // that holds a store it does not lie there.
      if bytes.prefix(page).suffix(firstTable.count).elementsEqual(firstTable), holdsTables(bytes) { return nil }
      let isText = !bytes.prefix(1024).contains { $0 < 9 || (14..<32).contains($0) || $0 == 127 }
      return isText
        ? "a text file" : "neither a text nor a database that can be read (a damaged or an encrypted one may be)"
    }
    let identifier = bytes[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    guard identifier != applicationID else { return nil }
    guard identifier == 0 else { return "a database of another program (application_id \(identifier))" }
    guard holdsTables(bytes) || holdsTables((try? read(path + "-wal", journal)) ?? []) else {
      return "a database of another program"
    }
    let others = foreignTables(path)
    return others.isEmpty
      ? nil
      : "a database of another program that holds a history, too (other tables: \(others.joined(separator: ", ")))"
  }

  /// Whether rows of SQLite's schema are among the bytes that name our tables: the kind, the name twice, the number of
  /// a page, and how the table was made. A text about these tables does not have them so.
  private static func holdsTables(_ bytes: [UInt8]) -> Bool {
    let data = Data(bytes)
    return ["meta", "batch", "step_epoch"].allSatisfy { name in
      guard let row = data.range(of: Data("table\(name)\(name)".utf8)) else { return false }
      return data[row.upperBound...].prefix(24 + name.utf8.count).range(of: Data("CREATE TABLE \(name)(".utf8)) != nil
    }
  }

  /// The tables of a database that are not ours. Nothing is made, locked or taken up beside it; the journal does not
  /// count. What cannot be read has none.
  private static func foreignTables(_ path: String) -> [String] {
    let names = try? Database(immutable: path).rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      try $0.text(0)
    }
    return (names ?? []).filter { !HistorySchema.tables.contains($0) && !$0.hasPrefix("sqlite_") }
  }

  private static func read(_ path: String, _ count: Int) throws(SensorError) -> [UInt8] {
    // A pipe that takes the file's place meanwhile must not hold the program.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece = [UInt8](repeating: 0, count: count - bytes.count)
      let read = pread(descriptor, &piece, piece.count, off_t(bytes.count))
      guard read >= 0 else { throw unreadable(path, errno) }
      guard read > 0 else { break }
      bytes += piece.prefix(read)
    }
    return bytes
  }

  private static func unreadable(_ path: String, _ number: Int32) -> SensorError {
    SensorError(
      .notPermitted,
      "The file cannot be read (\(String(cString: strerror(number)))), so it cannot be told whether it is a history. It is left as it is: make it readable for yourself, or name another file with --store or MOTION_STORE.",
      at: .init(file: path), errno: number)
  }

  private static func refusal(_ path: String, _ target: String, _ kind: String) -> SensorError {
    SensorError(
      .foreignFile,
      "This is \(target == path ? kind : "a link to \(target), which is \(kind)"), and no history of OpenCoreMotion. It is left as it is: name another file with --store or MOTION_STORE, or move this one away.",
      at: .init(file: path))
  }
}

extension SensorError.Code {
  /// A file that is not ours, and stays as it is.
  package static let foreignFile = SensorError.Code(rawValue: "foreign-file")
}

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

    package init(source: String, recordsAccelerometer: Bool, since: Date, pid: Int32 = getpid()) {
      (self.pid, self.source) = (pid, source)
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
        "\(other.map { "Process \($0.pid) writes this history already (from \($0.source))" } ?? "Another process writes this history already"). End it (systemctl --user stop opencoremotion-recorder, or kill \(other.map { String($0.pid) } ?? "PID")), or name another file with --store.",
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
    return read(file) ?? Holder(source: "unknown", recordsAccelerometer: false, since: .distantPast, pid: 0)
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
