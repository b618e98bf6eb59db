// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MotionSensing

extension MotionStore {
  /// Writes rows of one time line, all or none.
  ///
  /// - Parameters:
  ///   - source: the address that the rows come from; every row names it.
  ///   - line: how their times lie on the wall clock. A clock that has been set moves everything of its boot.
  ///   - durably: whether the disk has them when this returns, whatever happens to the computer. Otherwise only the program may die.
  /// - Returns: how many epochs of steps were there already.
  @discardableResult
  package func write(_ rows: HistoryRows, source: String, line: TimeLine, durably: Bool) throws(SensorError) -> Int {
    try Self.reporting(path) {
      try database.writeWithoutTransaction { database in
        if path != nil { try database.execute(sql: "PRAGMA synchronous = \(durably ? "FULL" : "NORMAL")") }
        var known = 0
        try database.inTransaction(.immediate) {
          let boot = try Self.place(line, in: database)
          let source = try Self.number(ofSource: source, in: database)
          for steps in rows.steps { known += try Self.insert(steps, boot, source, database) ? 0 : 1 }
          for activity in rows.activities { try Self.insert(activity, boot, source, database) }
          for batch in rows.batches { try Self.insert(batch, boot, source, database) }
          if let length = rows.stepLength {
            try database.execute(
              sql: "INSERT OR REPLACE INTO step_length VALUES (1, ?, ?)", arguments: [length.modelled, length.measured])
          }
          return .commit
        }
        return known
      }
    }
  }

  private static func insert(
    _ steps: HistoryRows.Steps, _ boot: Int64, _ source: Int64, _ database: Database
  ) throws -> Bool {
    let end = steps.end.microseconds
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO step_epoch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(
      arguments: [
        boot, end, max(0, end - steps.start.microseconds), steps.steps, whole(steps.distance * 1000),
        steps.floorsAscended, steps.floorsDescended, whole(steps.activeTime * 1000), source,
      ])
    return database.changesCount > 0
  }

  private static func insert(
    _ activity: HistoryRows.Activity, _ boot: Int64, _ source: Int64, _ database: Database
  ) throws {
    // An activity of the same beginning is a better decision.
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO activity VALUES (?, ?, ?, ?, ?)").execute(
      arguments: [boot, activity.time.microseconds, activity.flags, activity.confidence, source])
  }

  private static func insert(
    _ batch: AccelerationBatch, _ boot: Int64, _ source: Int64, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO batch(boot, source, t0, t1, n, scale, clipped, spacing, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        boot, source, batch.start, batch.end, batch.count, batch.scale, batch.clipped, batch.spacing.map { Data($0) },
        Data(batch.data),
      ])
  }

  private static func whole(_ value: Double) -> Int64 { Int64(exactly: value.rounded()) ?? 0 }

  private static func number(ofSource address: String, in database: Database) throws -> Int64 {
    if let id = try Int64.fetchOne(database, sql: "SELECT id FROM source WHERE address = ?", arguments: [address]) {
      return id
    }
    try database.execute(sql: "INSERT INTO source(address) VALUES (?)", arguments: [address])
    return database.lastInsertedRowID
  }

  /// Microseconds by which a wall clock may differ from what is known of it before it counts as set.
  private static let tolerance: Int64 = 100_000

  /// The number of a line. A line whose clock has been set takes all lines of the same boot with it; one whose computer has slept is a
  /// new one.
  private static func place(_ line: TimeLine, in database: Database) throws -> Int64 {
    let known = try Row.fetchAll(
      database, sql: "SELECT id, wall_at_boot, asleep FROM boot WHERE uuid = ? ORDER BY id DESC",
      arguments: [line.clock])
    guard let last = known.first else { return try insert(line, in: database) }
    // What is left of the difference after the sleep is how far the clock has been set.
    let step = (line.origin - last["wall_at_boot"]) - (line.asleep - last["asleep"])
    if abs(step) > tolerance {
      try database.execute(
        sql: "UPDATE boot SET wall_at_boot = wall_at_boot + ? WHERE uuid = ?", arguments: [step, line.clock])
    }
    // Samples from before a sleep may be written after it.
    if let same = known.first(where: { abs(line.asleep - $0["asleep"]) <= tolerance }) { return same["id"] }
    return try insert(line, in: database)
  }

  private static func insert(_ line: TimeLine, in database: Database) throws -> Int64 {
    try database.execute(
      sql: "INSERT INTO boot(uuid, wall_at_boot, asleep) VALUES (?, ?, ?)",
      arguments: [line.clock, line.origin, line.asleep])
    return database.lastInsertedRowID
  }

  /// What a receiver of positions has said of the length of steps; nil when there was none.
  package func stepLength() throws(SensorError) -> HistoryRows.StepLength? {
    try Self.reporting(path) {
      try database.read { database in
        // A reader leaves a file of version 1 as it is.
        guard try database.tableExists("step_length") else { return nil }
        return try Row.fetchOne(database, sql: "SELECT modelled, measured FROM step_length").map {
          HistoryRows.StepLength(modelled: $0["modelled"], measured: $0["measured"])
        }
      }
    }
  }

  /// The time of the newest row of a clock; nil when there is none. A recording that is played again is known up to there.
  package func lastInstant(ofClock clock: String) throws(SensorError) -> SensorInstant? {
    try Self.reporting(path) {
      try database.read { database in
        try Int64.fetchOne(
          database,
          sql: """
            SELECT max(t) FROM (
              SELECT max(t1) AS t FROM batch WHERE boot IN (SELECT id FROM boot WHERE uuid = :clock)
              UNION ALL SELECT max(t1) FROM step_epoch WHERE boot IN (SELECT id FROM boot WHERE uuid = :clock)
              UNION ALL SELECT max(t) FROM activity WHERE boot IN (SELECT id FROM boot WHERE uuid = :clock))
            """, arguments: ["clock": clock])
      }.map { SensorInstant(microseconds: $0) }
    }
  }
}
