// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionHost
package import MotionSensing
import MotionServices

extension MotionStore {
  /// Writes rows of one time line, all or none.
  ///
  /// - Parameters:
  ///   - source: the address that the rows come from; every row names it.
  ///   - line: how their times lie on the wall clock. A clock that has been set moves everything of its boot.
  ///   - durably: whether the disk has them when this returns, whatever happens to the computer. Otherwise only the
  ///     program may die.
  package func write(_ rows: HistoryRows, source: String, line: TimeLine, durably: Bool) throws(SensorError) {
    try database.withLock { database throws(SensorError) in
      try database.execute("PRAGMA synchronous = \(durably ? "FULL" : "NORMAL")")
      try database.transaction(.writing) { () throws(SensorError) in
        let boot = try Self.place(line, in: database)
        let source = try Self.number(ofSource: source, in: database)
        for steps in rows.steps {
          let end = steps.end.microseconds
          try database.run(
            "INSERT OR IGNORE INTO step_epoch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", boot, end,
            max(0, end - steps.start.microseconds), steps.steps, Self.whole(steps.distance * 1000),
            steps.floorsAscended,
            steps.floorsDescended, Self.whole(steps.activeTime * 1000), source)
        }
        for activity in rows.activities {
          // An activity of the same beginning is a better decision.
          try database.run(
            "INSERT OR REPLACE INTO activity VALUES (?, ?, ?, ?, ?)", boot, activity.start.microseconds,
            Int(activity.activity.rawValue), activity.confidence.rawValue, source)
        }
        for batch in rows.batches {
          try database.run(
            "INSERT INTO batch(boot, source, t0, t1, n, scale, clipped, spacing, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            boot, source, batch.start, batch.end, batch.count, batch.scale, batch.clipped, batch.spacing, batch.data)
        }
      }
    }
  }

  private static func whole(_ value: Double) -> Int64 { Int64(exactly: value.rounded()) ?? 0 }

  private static func number(ofSource address: String, in database: Database) throws(SensorError) -> Int64 {
    let known = try database.row("SELECT id FROM source WHERE address = ?", address) {
      try $0.integer(0, in: .min ... .max)
    }
    if let known { return known }
    try database.run("INSERT INTO source(address) VALUES (?)", address)
    return database.lastIdentifier
  }

  /// The number of a line. A line whose clock has been set takes all lines of the same boot with it; one whose computer
  /// has slept is a new one.
  private static func place(_ line: TimeLine, in database: Database) throws(SensorError) -> Int64 {
    let known = try database.rows(
      "SELECT id, wall_at_boot, asleep FROM boot WHERE uuid = ? ORDER BY id DESC", line.clock
    ) { row in
      (
        id: try row.integer(0, in: .min ... .max),
        line: TimeLine(clock: line.clock, origin: try row.moment(1), asleep: try row.moment(2))
      )
    }
    let (step, index) = line.place(among: known.map(\.line))
    if step != 0 {
      try database.run("UPDATE boot SET wall_at_boot = wall_at_boot + ? WHERE uuid = ?", step, line.clock)
    }
    if let index { return known[index].id }
    try database.run(
      "INSERT INTO boot(uuid, wall_at_boot, asleep) VALUES (?, ?, ?)", line.clock, line.origin, line.asleep)
    return database.lastIdentifier
  }

  package func lastInstant(ofClock clock: String) throws(SensorError) -> SensorInstant? {
    try read { database throws(SensorError) in
      try database.row(
        """
        SELECT max(t) FROM (
          SELECT max(t1) AS t FROM batch WHERE boot IN (SELECT id FROM boot WHERE uuid = ?1)
          UNION ALL SELECT max(t1) FROM step_epoch WHERE boot IN (SELECT id FROM boot WHERE uuid = ?1)
          UNION ALL SELECT max(t) FROM activity WHERE boot IN (SELECT id FROM boot WHERE uuid = ?1))
        """, clock
      ) { $0.isNull(0) ? nil : SensorInstant(microseconds: try $0.moment(0)) } ?? nil
    }
  }
}

extension MotionStore {
  /// Removes what is older than it is kept; the rows that were removed.
  @discardableResult
  package func prune(at now: Date) throws(SensorError) -> HistoryWriter.Amount {
    try erase(
      accelerometerBefore: now - HistoryRetention.accelerometer, historyBefore: now - HistoryRetention.history,
      thoroughly: false)
  }

  /// Removes what ends before a date; nil = everything. When it returns the bytes are gone from the file.
  package func erase(before date: Date?) throws(SensorError) -> HistoryWriter.Amount {
    let date = date ?? .distantFuture
    return try erase(accelerometerBefore: date, historyBefore: date, thoroughly: true)
  }

  private func erase(
    accelerometerBefore: Date, historyBefore: Date, thoroughly: Bool
  ) throws(SensorError) -> HistoryWriter.Amount {
    let (batchLimit, limit) = (try accelerometerBefore.microseconds(), try historyBefore.microseconds())
    return try database.withLock { database throws(SensorError) in
      let erased = try database.transaction(.writing) { () throws(SensorError) in
        var erased = HistoryWriter.Amount()
        for boot in try Boot.all(database) {
          let (batchLimit, limit) = (batchLimit - boot.origin, limit - boot.origin)
          erased.batches += try database.run("DELETE FROM batch WHERE boot = ? AND t1 < ?", boot.id, batchLimit)
          erased.spans += try database.run("DELETE FROM step_epoch WHERE boot = ? AND t1 < ?", boot.id, limit)
          erased.changes += try database.run("DELETE FROM activity WHERE boot = ? AND t < ?", boot.id, limit)
        }
        // A line of which nothing is left; not the newest, which the next row may belong to.
        try database.execute(
          """
          DELETE FROM boot WHERE id < (SELECT max(id) FROM boot)
            AND NOT EXISTS (SELECT 1 FROM batch WHERE boot = boot.id)
            AND NOT EXISTS (SELECT 1 FROM step_epoch WHERE boot = boot.id)
            AND NOT EXISTS (SELECT 1 FROM activity WHERE boot = boot.id);
          DELETE FROM source WHERE NOT EXISTS (SELECT 1 FROM batch WHERE source = source.id LIMIT 1)
            AND NOT EXISTS (SELECT 1 FROM step_epoch WHERE source = source.id LIMIT 1)
            AND NOT EXISTS (SELECT 1 FROM activity WHERE source = source.id LIMIT 1);
          """)
        // Everything: what was learned of the person goes, too.
        if historyBefore == .distantFuture { try database.execute("DELETE FROM step_length") }
        return erased
      }
      if thoroughly { try database.execute("VACUUM") }
      try database.execute("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
      return erased
    }
  }
}
