// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
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
