// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing
package import MotionServices

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
    try database.withLock { database throws(SensorError) in
      if path != nil { try database.execute("PRAGMA synchronous = \(durably ? "FULL" : "NORMAL")") }
      return try database.transaction(.writing) { () throws(SensorError) in
        let boot = try Self.place(line, in: database)
        let source = try Self.number(ofSource: source, in: database)
        var known = 0
        for steps in rows.steps {
          let end = steps.end.microseconds
          let added = try database.run(
            "INSERT OR IGNORE INTO step_epoch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", boot, end,
            max(0, end - steps.start.microseconds), steps.steps, Self.whole(steps.distance * 1000),
            steps.floorsAscended,
            steps.floorsDescended, Self.whole(steps.activeTime * 1000), source)
          known += 1 - added
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
        if let length = rows.stepLength {
          try database.run(
            "INSERT OR REPLACE INTO step_length VALUES (1, ?, ?)", length.modelled, length.measured)
        }
        return known
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

  /// Microseconds by which a wall clock may differ from what is known of it before it counts as set.
  private static let tolerance: Int64 = 100_000

  /// The number of a line. A line whose clock has been set takes all lines of the same boot with it; one whose computer has slept is a
  /// new one.
  private static func place(_ line: TimeLine, in database: Database) throws(SensorError) -> Int64 {
    let known = try database.rows(
      "SELECT id, wall_at_boot, asleep FROM boot WHERE uuid = ? ORDER BY id DESC", line.clock
    ) { (id: try $0.integer(0, in: .min ... .max), origin: try $0.moment(1), asleep: try $0.moment(2)) }
    if let last = known.first {
      // What is left of the difference after the sleep is how far the clock has been set.
      let step = (line.origin - last.origin) - (line.asleep - last.asleep)
      if abs(step) > tolerance {
        try database.run("UPDATE boot SET wall_at_boot = wall_at_boot + ? WHERE uuid = ?", step, line.clock)
      }
    }
    // Samples from before a sleep may be written after it.
    if let same = known.first(where: { abs(line.asleep - $0.asleep) <= tolerance }) { return same.id }
    try database.run(
      "INSERT INTO boot(uuid, wall_at_boot, asleep) VALUES (?, ?, ?)", line.clock, line.origin, line.asleep)
    return database.lastIdentifier
  }

  /// What a receiver of positions has said of the length of steps; nil when there was none.
  package func stepLength() throws(SensorError) -> StepLengthCalibration.Sums? {
    try read { database throws(SensorError) in
      // A reader leaves a file of version 1 as it is.
      guard try database.hasTable("step_length") else { return nil }
      return try database.row("SELECT modelled, measured FROM step_length") {
        .init(modelled: try $0.number(0, in: 0...1e12), measured: try $0.number(1, in: 0...1e12))
      }
    }
  }

  /// The time of the newest row of a clock; nil when there is none. A recording that is played again is known up to there.
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
