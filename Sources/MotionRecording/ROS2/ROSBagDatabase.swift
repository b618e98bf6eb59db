// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

extension MessageFile {
  /// A database of rosbag2 (`.db3`): the tables `topics` (id, name, type, serialization_format) and `messages` (id,
  /// topic_id, timestamp, data), as rosbag2's default storage made them until 2023.
  init(rosbag2Database path: String, _ budget: Budget) throws(SensorError) {
    let database = try SQLiteFile(path, budget)
    var ids: [(id: Int64, channel: UInt16)] = []
    var channels: [Channel] = []
    let topics = try database.rows("SELECT id, name, type, serialization_format FROM topics ORDER BY id")
    while try topics.step() {
      try InputLimits.checkRoom(
        "The bag declares", "topics", count: channels.count, limit: InputLimits.channels, at: .init(file: path))
      let number = UInt16(channels.count)  // fits: at most `InputLimits.channels`
      ids.append((topics.integer(0), number))
      channels.append(
        Channel(id: number, topic: topics.text(1), schema: topics.text(2), encoding: topics.text(3)))
    }
    let counts = try database.rows("SELECT count(*) FROM messages")
    let count = try counts.step() ? UInt64(clamping: counts.integer(0)) : 0
    let numbers = ids
    let names = channels.map(\.topic)
    self.init(
      path: path, storedBytes: try FileBytes(path: path).fileSize, channels: channels, messageCount: count,
      open: { (wanted, context, isTail) throws(SensorError) in
        let database = try SQLiteFile(path, budget)
        // SQLite takes what a last page lacks as zeros.
        let head = LittleEndianBytes(try FileBytes(path: path).bytes(limit: 32))
        let pageSize = Int64(head.unsigned16(at: 16).byteSwapped)
        let length = Int64(head.unsigned32(at: 28).byteSwapped) * (pageSize == 1 ? 65_536 : pageSize)
        if try FileBytes(path: path).fileSize < length {
          context.statistics.count(.truncated, at: .init(file: path))
        }
        let chosen = numbers.filter { wanted.contains($0.channel) }
        let list = chosen.map { String($0.id) }.joined(separator: ",")
        // In the order of receipt.
        let rows = try database.rows(
          "SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN (\(list)) ORDER BY rowid"
            + (isTail ? " DESC LIMIT 64" : ""))
        var isOver = false
        return { () throws(SensorError) in
          guard !isOver else { return nil }
          do throws(SensorError) {
            guard try rows.step() else {
              isOver = true
              if !isTail { try database.countOthers(numbers.filter { !wanted.contains($0.channel) }, names, context) }
              return nil
            }
          } catch {
            // Nothing behind a damaged page can be reached.
            isOver = true
            try context.report(.truncated, error)
            return nil
          }
          let channel = chosen.first { $0.id == rows.integer(0) }?.channel ?? .max
          let time = UInt64(clamping: rows.integer(1))
          return MCAPMessage(channel: channel, sequence: 0, logTime: time, publishTime: time, body: rows.bytes(2)[...])
        }
      })
  }
}

/// An SQLite database that is only read, with `libsqlite3.so.0`, which is loaded when it is needed and never linked.
///
/// The file may be anybody's: only tables are read, never views; nothing in its schema is trusted or run. Functions as
/// in SQLite's public documentation. Unsafe: their types have C's pointers; what they point to is copied at once.
private final class SQLiteFile {
  fileprivate struct Functions {
    typealias Open =
      @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, Int32, UnsafePointer<CChar>?) -> Int32
    typealias Prepare =
      @convention(c) (
        OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>,
        UnsafeMutablePointer<UnsafePointer<CChar>?>?
      ) -> Int32
    typealias Handle = @convention(c) (OpaquePointer?) -> Int32
    typealias Limit = @convention(c) (OpaquePointer?, Int32, Int32) -> Int32
    typealias Column = @convention(c) (OpaquePointer?, Int32) -> Int32
    typealias Number = @convention(c) (OpaquePointer?, Int32) -> Int64
    typealias Bytes = @convention(c) (OpaquePointer?, Int32) -> UnsafeRawPointer?

    let open: Open, prepare: Prepare, step: Handle, finalize: Handle, close: Handle, limit: Limit
    let size: Column, number: Number, bytes: Bytes

    init() throws(SensorError) {
      let library = try SystemLibrary("libsqlite3.so.0", package: "libsqlite3-0", purpose: "a .db3 bag")
      open = try library.function("sqlite3_open_v2", as: Open.self)
      prepare = try library.function("sqlite3_prepare_v2", as: Prepare.self)
      step = try library.function("sqlite3_step", as: Handle.self)
      finalize = try library.function("sqlite3_finalize", as: Handle.self)
      close = try library.function("sqlite3_close_v2", as: Handle.self)
      limit = try library.function("sqlite3_limit", as: Limit.self)
      size = try library.function("sqlite3_column_bytes", as: Column.self)
      number = try library.function("sqlite3_column_int64", as: Number.self)
      bytes = try library.function("sqlite3_column_blob", as: Bytes.self)
    }
  }

  fileprivate let functions: Functions
  private var handle: OpaquePointer?
  private let path: String

  init(_ path: String, _ budget: Budget) throws(SensorError) {
    // Checks that it is a regular file that may be read.
    _ = try FileBytes(path: path)
    functions = try Functions()
    self.path = path
    // Reading a database of write-ahead logging makes files beside it, which stay. Where its recorder has left nothing in
    // the log it is read as a file that does not change, and nothing is made.
    var log = stat()
    let hasLog = stat(path + "-wal", &log) == 0 && log.st_size > 0
    let name = hasLog ? path : Self.unchanging(path)
    // Read only, without a mutex of its own: one thread uses it.
    guard functions.open(name, &handle, 0x1 | 0x8000 | (hasLog ? 0 : 0x40), nil) == 0 else { throw damaged() }
    // SQLITE_LIMIT_LENGTH: no row is longer than a record of the other containers. SQLite holds it twice, as the row
    // and as its blob, and it is copied once.
    _ = functions.limit(handle, 0, Int32(clamping: min(InputLimits.recordBytes, budget.memory / 4)))
    for pragma in ["trusted_schema = off", "cell_size_check = on", "mmap_size = 0"] {
      _ = try rows("PRAGMA \(pragma)").step()
    }
    let tables = try rows(
      "SELECT count(*) FROM sqlite_master WHERE name IN ('topics', 'messages') AND type = 'table' AND rootpage > 0")
    guard try tables.step(), tables.integer(0) == 2 else {
      throw SensorError(
        .unsupported, "This SQLite database is no bag of ROS 2: it lacks the tables topics and messages.",
        at: .init(file: path))
    }
  }

  deinit { _ = functions.close(handle) }

  /// The address of a file as SQLite reads it, https://www.sqlite.org/uri.html.
  private static func unchanging(_ path: String) -> String {
    var address = path.hasPrefix("/") ? "file://" : "file:"
    for character in path {
      switch character {
      case "%": address += "%25"
      case "?": address += "%3f"
      case "#": address += "%23"
      default: address.append(character)
      }
    }
    return address + "?immutable=1"
  }

  func rows(_ text: String) throws(SensorError) -> Rows {
    var statement: OpaquePointer?
    guard functions.prepare(handle, text, -1, &statement, nil) == 0, let statement else { throw damaged() }
    return Rows(self, statement)
  }

  /// Counts the messages of topics that are not read.
  func countOthers(
    _ topics: [(id: Int64, channel: UInt16)], _ names: [String], _ context: ReadingContext
  ) throws(SensorError) {
    guard !topics.isEmpty else { return }
    let counts = try rows("SELECT topic_id, count(*) FROM messages GROUP BY topic_id")
    while try counts.step() {
      guard let topic = topics.first(where: { $0.id == counts.integer(0) }) else { continue }
      context.statistics.passOver(names[Int(topic.channel)], count: Int(counts.integer(1)))
    }
  }

  fileprivate func damaged() -> SensorError {
    .damaged("The SQLite database is damaged, or of a form that is not known", at: .init(file: path))
  }

  final class Rows {
    private let file: SQLiteFile
    private let statement: OpaquePointer

    init(_ file: SQLiteFile, _ statement: OpaquePointer) { (self.file, self.statement) = (file, statement) }

    deinit { _ = file.functions.finalize(statement) }

    /// False at the end.
    func step() throws(SensorError) -> Bool {
      switch file.functions.step(statement) {
      case 100: return true
      case 101: return false
      // SQLITE_TOOBIG, by the limit above.
      case 18:
        throw SensorError(
          .limitExceeded, "A row of the database takes more memory than the limit for a file of this size.",
          at: .init(file: file.path))
      default: throw file.damaged()
      }
    }

    func integer(_ column: Int32) -> Int64 { file.functions.number(statement, column) }

    func bytes(_ column: Int32) -> [UInt8] {
      guard let start = file.functions.bytes(statement, column) else { return [] }
      return Array(UnsafeRawBufferPointer(start: start, count: Int(file.functions.size(statement, column))))
    }

    func text(_ column: Int32) -> String {
      String(decoding: bytes(column).prefix(InputLimits.nameBytes), as: UTF8.self)
    }
  }
}
