// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The tables of a history.
///
/// Times are microseconds on the clock of the samples (``TimeLine``), `mm` millimetres, `active` milliseconds.
/// `step_hour` has the sums of the epochs of each hour of a line, kept by triggers: a question about a week adds up 168
/// rows and not 240 000. `step_length` is of versions that followed a receiver of positions; nothing reads or writes it.
enum HistorySchema {
  /// Microseconds of a row of `step_hour`.
  static let hour: Int64 = 3_600_000_000
  /// Microseconds from 1970 and on a clock: sums and differences of a few of them are far from overflow.
  static let moments: ClosedRange<Int64> = -10_000_000_000_000_000...10_000_000_000_000_000
  /// Steps, millimetres, milliseconds, floors, samples.
  static let counts: ClosedRange<Int64> = 0...1_000_000_000

  /// Goes up with every migration. A program that knows a lower one leaves the file alone.
  static var version: Int { migrations.count }

  /// The tables that a store may hold, and no others (``StoreFile``).
  static let tables: Set<String> = [
    "meta", "boot", "source", "batch", "step_epoch", "step_hour", "activity", "step_length", "grdb_migrations",
  ]

  /// Whether the counts of a row of `step_hour` are what they should be, and those and the times of `step_epoch`, in
  /// SQL.
  static let isSoundHour =
    (["steps", "mm", "active"].map { isWhole($0, counts) }
    + ["floors_up", "floors_down"].map { "(\($0) IS NULL OR \(isWhole($0, counts)))" }).joined(separator: " AND ")
  static let isSoundEpoch =
    "\(isSoundHour) AND \(isWhole("t1", moments)) AND \(isWhole("span", 0...moments.upperBound))"

  private static func isWhole(_ column: String, _ range: ClosedRange<Int64>) -> String {
    // Faster than typeof: a number's bits as a whole number are itself, and text and bytes are above all numbers. The
    // plus keeps the condition from the index, which is for the range that is asked for.
    "+\(column) | 0 = +\(column) AND +\(column) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
  }

  /// What a file says of itself; nil when it has no tables yet.
  static func version(_ database: Database) throws(SensorError) -> Int? {
    guard try database.hasTable("meta") else { return nil }
    let version = try database.row("SELECT schema_version FROM meta") { try $0.integer(0, in: 1...Int64(Int32.max)) }
    guard let version else { throw database.damage("it does not say the version of its tables") }
    return Int(version)
  }

  static func check(_ version: Int, of path: String) throws(SensorError) {
    guard version > Self.version else { return }
    throw SensorError(
      .unsupported,
      "This history was written by a newer OpenCoreMotion (version \(version) of its tables; this program knows \(Self.version)). Update this program, or name another file with --store or MOTION_STORE.",
      at: .init(file: path))
  }

  /// Makes what is missing.
  static func create(in database: Database) throws(SensorError) {
    // These two before the first table. Pages of 16 kB hold five batches each and leave less unused than the usual 4
    // kB.
    let known = try version(database)
    if known == nil { try database.execute("PRAGMA page_size = 16384") }
    // A store from before 2026-12 has none.
    let number = try database.row("PRAGMA application_id") { try $0.integer(0, in: .min ... .max) }
    if number != StoreFile.applicationID {
      // At once: a program that looks, or is killed, in between must not find a file that does not say whose it is. A
      // beginning that says that it writes makes the first page, and then it is too late for the setting.
      try database.transaction(known == nil ? .reading : .writing) { () throws(SensorError) in
        if known == nil { try database.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try database.execute("PRAGMA application_id = \(StoreFile.applicationID)")
      }
    }
    // What is deleted is overwritten, and the journal stays small.
    try database.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 64; PRAGMA journal_size_limit = 1048576
      """)
    for (index, migration) in migrations.enumerated().dropFirst(known ?? 0) {
      try database.transaction(.writing) { () throws(SensorError) in
        try database.execute(migration)
        // Up to 2026-11 the program looked here, and not into `meta`, for what has been applied (the library GRDB did).
        try database.execute("CREATE TABLE IF NOT EXISTS grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY)")
        try database.run("INSERT INTO grdb_migrations VALUES (?)", "\(index + 1)")
      }
    }
  }

  static let migrations = [
    """
    CREATE TABLE meta(schema_version INTEGER NOT NULL);
    INSERT INTO meta VALUES (1);
    CREATE TABLE boot(id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, wall_at_boot INTEGER NOT NULL, asleep INTEGER NOT NULL);
    CREATE TABLE source(id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE);
    CREATE TABLE batch(
      id INTEGER PRIMARY KEY AUTOINCREMENT, boot INTEGER NOT NULL REFERENCES boot, source INTEGER NOT NULL REFERENCES source,
      t0 INTEGER NOT NULL, t1 INTEGER NOT NULL, n INTEGER NOT NULL, scale REAL NOT NULL, clipped INTEGER NOT NULL,
      spacing BLOB, data BLOB NOT NULL);
    CREATE INDEX batch_time ON batch(boot, t1);
    CREATE TABLE step_epoch(
      boot INTEGER NOT NULL REFERENCES boot, t1 INTEGER NOT NULL, span INTEGER NOT NULL, steps INTEGER NOT NULL,
      mm INTEGER NOT NULL, floors_up INTEGER, floors_down INTEGER, active INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source, PRIMARY KEY (boot, t1)) WITHOUT ROWID;
    CREATE TABLE step_hour(
      boot INTEGER NOT NULL, hour INTEGER NOT NULL, epochs INTEGER NOT NULL, steps INTEGER NOT NULL, mm INTEGER NOT NULL,
      floors_up INTEGER, floors_down INTEGER, active INTEGER NOT NULL, PRIMARY KEY (boot, hour)) WITHOUT ROWID;
    CREATE TRIGGER step_added AFTER INSERT ON step_epoch BEGIN
      INSERT INTO step_hour VALUES (
        new.boot, new.t1 / \(hour), 1, new.steps, new.mm, new.floors_up, new.floors_down, new.active)
      ON CONFLICT (boot, hour) DO UPDATE SET
        epochs = epochs + 1, steps = steps + new.steps, mm = mm + new.mm, active = active + new.active,
        floors_up = CASE WHEN new.floors_up IS NULL THEN floors_up ELSE coalesce(floors_up, 0) + new.floors_up END,
        floors_down = CASE WHEN new.floors_down IS NULL THEN floors_down ELSE coalesce(floors_down, 0) + new.floors_down END;
    END;
    CREATE TRIGGER step_removed AFTER DELETE ON step_epoch BEGIN
      UPDATE step_hour SET
        epochs = epochs - 1, steps = steps - old.steps, mm = mm - old.mm, active = active - old.active,
        floors_up = floors_up - coalesce(old.floors_up, 0), floors_down = floors_down - coalesce(old.floors_down, 0)
      WHERE boot = old.boot AND hour = old.t1 / \(hour);
      DELETE FROM step_hour WHERE boot = old.boot AND hour = old.t1 / \(hour) AND epochs = 0;
    END;
    CREATE TABLE activity(
      boot INTEGER NOT NULL REFERENCES boot, t INTEGER NOT NULL, flags INTEGER NOT NULL, confidence INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source, PRIMARY KEY (boot, t)) WITHOUT ROWID;
    """,
    """
    CREATE TABLE step_length(id INTEGER PRIMARY KEY CHECK (id = 1), modelled REAL NOT NULL, measured REAL NOT NULL);
    UPDATE meta SET schema_version = 2;
    """,
  ]
}

extension Row {
  /// Microseconds, in general or from another moment on.
  func moment(_ column: Int32, from first: Int64 = HistorySchema.moments.lowerBound) throws(DamagedRow) -> Int64 {
    try integer(column, in: first...HistorySchema.moments.upperBound)
  }

  /// How many of something there are.
  func count(_ column: Int32) throws(DamagedRow) -> Int { Int(try integer(column, in: HistorySchema.counts)) }
}

/// A row of the table of time lines.
struct Boot {
  let id: Int64
  /// Microseconds from 1970.
  let origin: Int64

  static func all(_ database: Database) throws(SensorError) -> [Boot] {
    try database.rows("SELECT id, wall_at_boot FROM boot ORDER BY id") {
      Boot(id: try $0.integer(0, in: .min ... .max), origin: try $0.moment(1))
    }
  }
}
