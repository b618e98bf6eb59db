// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
package import MotionSensing

/// A connection to a database of SQLite, for one thread at a time: what the history needs of SQLite's C interface, no
/// more.
///
/// Why not a library: GRDB was 70,986 lines and 86 s of processor in a release build, for a store of 1,287 lines. The
/// one writer needs nothing of it that its readers do not need, so it has gone from both.
///
/// Nothing traps on what a file holds: a value of a wrong type or out of its range makes its row a damaged one, which
/// is left out and counted. Statements are prepared once; scripts are not, because they run once.
package final class Database {
  /// Whether a transaction only reads, or writes: then another writer is met at its beginning, not in the middle.
  package enum Transaction: String { case reading = "BEGIN", writing = "BEGIN IMMEDIATE" }

  /// Milliseconds for which another program may hold the file.
  private static let patience: Int32 = 5000

  private let path: String
  private var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]
  /// Rows that were left out so far because a value has a wrong type or is out of its range.
  package private(set) var damagedRows = 0

  /// Opens a file, and makes it when it may be written and there is none.
  package convenience init(_ path: String, isReadOnly: Bool = false) throws(SensorError) {
    try self.init(path, path, isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
  }

  /// Reads a file as its bytes are now, and nothing beside it: SQLite makes, locks and takes up no other file.
  package convenience init(immutable path: String) throws(SensorError) {
    let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    try self.init(path, "file:\(name)?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  private init(_ path: String, _ name: String, _ access: Int32) throws(SensorError) {
    self.path = path
    try check(sqlite3_open_v2(name, &connection, access | SQLITE_OPEN_NOMUTEX, nil))
    sqlite3_extended_result_codes(connection, 1)
    sqlite3_busy_timeout(connection, Self.patience)
    // A list of samples is read with little memory: 256 kB of pages.
    let settings = "PRAGMA foreign_keys = ON; PRAGMA cache_size = -256"
    do throws(SensorError) {
      try execute(settings)
    } catch {
      // A program that is killed while it makes the file ready for its tables leaves a journal of what was there before.
      // A connection that only reads must not bring that back; one that may write does so as it begins to read.
      let isToBeRolledBack = SQLITE_READONLY | 3 << 8
      guard sqlite3_extended_errcode(connection) == isToBeRolledBack else { throw error }
      _ = try Database(path, path, SQLITE_OPEN_READWRITE)
      try execute(settings)
    }
  }

  deinit { close() }

  package var isClosed: Bool { connection == nil }

  /// Ends the connection; later calls fail.
  package func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(connection)
    connection = nil
  }

  /// Runs statements without values; the rows that they answer with are dropped.
  package func execute(_ script: String) throws(SensorError) {
    try check(sqlite3_exec(try opened(), script, nil, nil, nil))
  }

  /// Runs a statement; the number of rows that it has changed.
  @discardableResult
  package func run(_ sql: String, _ values: (any DatabaseValue)?...) throws(SensorError) -> Int {
    _ = try step(sql, values) { _ in }
    return Int(sqlite3_changes(connection))
  }

  /// The rows of an answer. One that `decode` refuses is left out and counted.
  package func rows<Result>(
    _ sql: String, _ values: (any DatabaseValue)?..., as decode: (Row) throws -> Result
  ) throws(SensorError) -> [Result] {
    try step(sql, values, decode)
  }

  /// The only row of an answer; nil when there is none, or a damaged one.
  package func row<Result>(
    _ sql: String, _ values: (any DatabaseValue)?..., as decode: (Row) throws -> Result
  ) throws(SensorError) -> Result? {
    try step(sql, values, decode).first
  }

  /// The identifier of the row that was inserted last.
  package var lastIdentifier: Int64 { sqlite3_last_insert_rowid(connection) }

  /// Runs `body` within a transaction: all that it writes or nothing, and its questions see one state of the file.
  ///
  /// Where the disk has little room, the journal is emptied before and after: it grows to 1 MB before SQLite does that.
  /// On a disk with less it took all the room, also what came back later, and the file could not grow to take in what
  /// the journal held: nothing was written any more. On a full disk `body` may run twice.
  package func transaction<Result>(
    _ kind: Transaction, _ body: () throws(SensorError) -> Result
  ) throws(SensorError) -> Result {
    guard kind == .writing else { return try tryTransaction(kind, body) }
    if isRoomShort { emptyJournal() }
    defer { if isRoomShort { emptyJournal() } }
    do throws(SensorError) {
      return try tryTransaction(kind, body)
    } catch {
      // A quota is not seen in advance.
      guard error.code == .diskFull, emptyJournal() else { throw error }
      return try tryTransaction(kind, body)
    }
  }

  /// Whether a journal at its full size, and the pages that the file then takes from it, may not find room: 1 MB each.
  private var isRoomShort: Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    return Double(status.f_bavail) * Double(status.f_frsize) < 2_097_152
  }

  /// Moves what the journal holds into the file and gives its room back to the disk; false when that cannot be done
  /// now, because the disk has no room for the file either, or another program reads.
  @discardableResult
  private func emptyJournal() -> Bool {
    // Another program that reads is not waited for: that would be 5 s at every attempt.
    sqlite3_busy_timeout(connection, 0)
    defer { sqlite3_busy_timeout(connection, Self.patience) }
    return sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
  }

  private func tryTransaction<Result>(
    _ kind: Transaction, _ body: () throws(SensorError) -> Result
  ) throws(SensorError) -> Result {
    try execute(kind.rawValue)
    do throws(SensorError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // After some errors, a full disk for example, SQLite has done it already.
      if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  package func hasTable(_ name: String) throws(SensorError) -> Bool {
    try row("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name) { _ in true } ?? false
  }

  /// Counts damaged rows that a statement has found itself.
  func noteDamage(of rows: Int) { damagedRows += rows }

  /// What to throw when the file is not that of a history, or no longer.
  func damage(_ detail: String) -> SensorError {
    SensorError(.malformed, "The file of the history is damaged (\(detail)).", at: .init(file: path))
  }

  private func step<Result>(
    _ sql: String, _ values: [(any DatabaseValue)?], _ decode: (Row) throws -> Result
  ) throws(SensorError) -> [Result] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (value, index) in zip(values, Int32(1)...) {
      try check(value?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index))
    }
    var results: [Result] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: do { results.append(try decode(Row(statement: statement))) } catch { damagedRows += 1 }
      case SQLITE_DONE: return results
      case let code: try check(code)
      }
    }
  }

  private func prepared(_ sql: String) throws(SensorError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(try opened(), sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw SensorError(.invalidRequest, "This is no statement: \(sql)") }
    statements[sql] = statement
    return statement
  }

  private func opened() throws(SensorError) -> OpaquePointer {
    guard let connection else {
      throw SensorError(.system, "The history has been closed.", at: .init(file: path))
    }
    return connection
  }

  /// Makes a sentence of a result code.
  private func check(_ code: Int32) throws(SensorError) {
    guard code != SQLITE_OK else { return }
    let place = SensorError.Place(file: path)
    let detail = String(cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection))
    let isFull = connection != nil && [ENOSPC, EDQUOT].contains(sqlite3_system_errno(connection))
    // The lower byte is the kind of an error, the others are its details.
    switch code & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB: throw damage(detail)
    // An index of the journal that finds no room is an error of input and output.
    case SQLITE_FULL,
      SQLITE_IOERR where isFull, SQLITE_CANTOPEN where isFull:

      throw SensorError(.diskFull, "The disk is full: the history cannot be written.", at: place)
    case SQLITE_BUSY, SQLITE_LOCKED:
      throw SensorError(.busy, "The history is in use by another program (\(detail)); try again.", at: place)
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      throw SensorError(.notPermitted, "The file of the history cannot be opened (\(detail)).", at: place)
    default: throw SensorError(.system, "The history could not be used (SQLite \(code): \(detail)).", at: place)
    }
  }
}

extension SensorError.Code {
  /// The disk is full.
  package static let diskFull = SensorError.Code(rawValue: "disk-full")
}

/// A value of a stored row has a wrong type or is out of its range.
package struct DamagedRow: Error {}

/// The row on which a statement stands; columns count from 0. A value that is not what it should be is an error.
package struct Row {
  fileprivate let statement: OpaquePointer

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  package func integer(_ column: Int32, in range: ClosedRange<Int64>) throws(DamagedRow) -> Int64 {
    let value = sqlite3_column_int64(statement, column)
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER, range.contains(value) else { throw DamagedRow() }
    return value
  }

  package func number(_ column: Int32, in range: ClosedRange<Double>) throws(DamagedRow) -> Double {
    let value = sqlite3_column_double(statement, column)
    let type = sqlite3_column_type(statement, column)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER, range.contains(value) else { throw DamagedRow() }
    return value
  }

  package func text(_ column: Int32) throws(DamagedRow) -> String {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let text = sqlite3_column_text(statement, column)
    else { throw DamagedRow() }
    return String(cString: text)
  }

  package func bytes(_ column: Int32) throws(DamagedRow) -> [UInt8] {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw DamagedRow() }
    let bytes = sqlite3_column_blob(statement, column)
    // unsafe: SQLite's own bytes and their length, copied before the statement moves on.
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }
}

/// What a column of a database holds; nil is null.
package protocol DatabaseValue {
  /// Binds the value to a parameter, counted from 1; SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int64: DatabaseValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: DatabaseValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    Int64(self).bind(to: statement, at: index)
  }
}

extension Double: DatabaseValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_double(statement, index, self)
  }
}

extension String: DatabaseValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    csqlite_bind_text(statement, index, self, Int32(clamping: utf8.count))
  }
}

extension [UInt8]: DatabaseValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    // No bytes are still a value.
    isEmpty
      ? sqlite3_bind_zeroblob(statement, index, 0) : csqlite_bind_blob(statement, index, self, Int32(clamping: count))
  }
}
