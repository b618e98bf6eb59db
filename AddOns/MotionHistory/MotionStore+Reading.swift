// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionHost
package import MotionSensing
package import MotionServices

extension MotionStore {
  package func steps(from start: Date, to end: Date) throws(SensorError) -> StepTotals {
    let (start, end) = (try start.microseconds(), try end.microseconds())
    guard start < end else { return StepTotals() }
    return try read { database throws(SensorError) in
      // The parts of epochs before each edge are added over all lines before they are rounded.
      var (whole, before, after) = (StepSums(), StepSums(), StepSums())
      for boot in try Boot.all(database) {
        let (low, high) = (start - boot.origin, end - boot.origin)
        whole.add(try Self.epochs(ending: low, high, boot.id, database))
        before.add(try Self.part(before: low, boot.id, database))
        after.add(try Self.part(before: high, boot.id, database))
      }
      return whole.totals(from: before, to: after)
    }
  }

  /// The sum of the epochs that end after `low` and not after `high`. Whole hours come from the table of sums.
  private static func epochs(
    ending low: Int64, _ high: Int64, _ boot: Int64, _ database: Database
  ) throws(SensorError) -> StepSums {
    let hour = HistorySchema.hour
    // Epochs end at positive times, where SQLite's division rounds down as this does.
    let first = low.flooredDivided(by: hour) + 1
    let last = (high + 1).flooredDivided(by: hour) - 1
    // Where an hour is damaged, the epochs hold the same, and are the truth.
    guard first <= last, let hours = try sums(sumOfHours, boot, first, last, database), hours.damaged == 0 else {
      return try epochs(after: low, to: high, boot, database)
    }
    var sums = hours.sums
    sums.add(try epochs(after: low, to: first * hour - 1, boot, database))
    sums.add(try epochs(after: (last + 1) * hour - 1, to: high, boot, database))
    return sums
  }

  private static func epochs(
    after low: Int64, to high: Int64, _ boot: Int64, _ database: Database
  ) throws(SensorError) -> StepSums {
    let epochs = try sums(sumOfEpochs, boot, low, high, database)
    database.noteDamage(of: epochs?.damaged ?? 0)
    return epochs?.sums ?? StepSums()
  }

  private static func sums(
    _ sql: String, _ boot: Int64, _ first: Int64, _ last: Int64, _ database: Database
  ) throws(SensorError) -> (sums: StepSums, damaged: Int)? {
    try database.row(sql, boot, first, last) { (try StepSums($0), try $0.count(5)) }
  }

  /// What the epoch around a time has counted before it.
  private static func part(before time: Int64, _ boot: Int64, _ database: Database) throws(SensorError) -> StepSums {
    try database.row(nextEpoch, boot, time) { row in
      let (end, span) = (try row.moment(5), try row.moment(6, from: 0))
      return try StepSums(row).part(before: time, from: end - span, to: end)
    } ?? StepSums()
  }

  private static let sumOfHours = sum(
    of: "step_hour", where: "boot = ?1 AND hour BETWEEN ?2 AND ?3", HistorySchema.isSoundHour)
  private static let sumOfEpochs = sum(
    of: "step_epoch", where: "boot = ?1 AND t1 > ?2 AND t1 <= ?3", HistorySchema.isSoundEpoch)
  private static let nextEpoch = """
    SELECT steps, mm, active, floors_up, floors_down, t1, span FROM step_epoch
    WHERE boot = ? AND t1 > ? AND \(HistorySchema.isSoundEpoch) ORDER BY t1 LIMIT 1
    """

  /// The sums of the sound rows, and the number of the others.
  private static func sum(of table: String, where condition: String, _ isSound: String) -> String {
    """
    SELECT sum(steps), sum(mm), sum(active), sum(floors_up), sum(floors_down),
      (SELECT count(*) FROM \(table) WHERE \(condition)) - count(*)
    FROM \(table) WHERE \(condition) AND \(isSound)
    """
  }
}

extension StepSums {
  /// The first five columns of a row; a sum over nothing is null.
  fileprivate init(_ row: Row) throws(DamagedRow) {
    func number(_ column: Int32) throws(DamagedRow) -> Double? {
      row.isNull(column) ? nil : try row.number(column, in: 0...1e18)
    }
    self.init()
    (steps, millimetres, active) = (try number(0) ?? 0, try number(1) ?? 0, try number(2) ?? 0)
    (floorsUp, floorsDown) = (try number(3), try number(4))
  }
}

extension Int64 {
  /// Rounded towards minus infinity; the divisor is positive.
  fileprivate func flooredDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension MotionStore {
  package func activities(from start: Date, to end: Date) throws(SensorError) -> [RecordedActivity] {
    let (first, last) = (try start.microseconds(), try end.microseconds())
    guard first <= last else { return [] }
    let found = try read { database throws(SensorError) in
      var found: [RecordedActivity] = []
      for boot in try Boot.all(database) {
        let (low, high) = RecordedActivity.surroundings(first - boot.origin, last - boot.origin)
        let earlier = try database.row("SELECT max(t) FROM activity WHERE boot = ? AND t < ?", boot.id, low) {
          $0.isNull(0) ? nil : try $0.moment(0)
        }
        found += try database.rows(
          "SELECT t, flags, confidence FROM activity WHERE boot = ? AND t BETWEEN ? AND ? ORDER BY t", boot.id,
          (earlier ?? nil) ?? low, high
        ) { RecordedActivity(try ActivityChange($0), origin: boot.origin) }
      }
      return found
    }
    return RecordedActivity.selected(found, from: start, to: end)
  }

  /// Ends the last activity where the newest line ends: a writer that was killed in the middle of a walk could not
  /// write that it is over.
  package func endOpenActivity(source: String) throws(SensorError) {
    let open = try read { database throws(SensorError) in
      try database.row(
        """
        SELECT boot.uuid, boot.wall_at_boot, boot.asleep, activity.flags,
          max(activity.t, coalesce((SELECT max(t1) FROM batch WHERE boot = boot.id), 0),
            coalesce((SELECT max(t1) FROM step_epoch WHERE boot = boot.id), 0))
        FROM activity JOIN boot ON boot.id = activity.boot ORDER BY boot.id DESC, activity.t DESC LIMIT 1
        """
      ) { row in
        (
          line: TimeLine(clock: try row.text(0), origin: try row.moment(1), asleep: try row.moment(2)),
          flags: try row.integer(3, in: 0...255), end: try row.moment(4)
        )
      }
    }
    guard let open, open.flags != MotionActivity.unknown.rawValue else { return }
    var rows = HistoryRows()
    rows.activities = [.init(start: SensorInstant(microseconds: open.end + 1), activity: .unknown, confidence: .low)]
    try write(rows, source: source, line: open.line, durably: false)
  }
}

extension ActivityChange {
  /// From the columns t, flags, confidence.
  init(_ row: Row) throws(DamagedRow) {
    let flags = UInt8(truncatingIfNeeded: try row.integer(1, in: 0...255))
    guard let confidence = ActivityConfidence(rawValue: try row.count(2)) else { throw DamagedRow() }
    self.init(
      start: SensorInstant(microseconds: try row.moment(0)), activity: MotionActivity(rawValue: flags),
      confidence: confidence)
  }
}

extension MotionStore {
  package func accelerometer(from start: Date, to end: Date) throws(SensorError) -> AccelerationSequence {
    let (first, last) = (try start.microseconds(), try end.microseconds())
    let batches = try read { database throws(SensorError) in
      var batches: [AccelerationSequence.Batch] = []
      for boot in try Boot.all(database) {
        batches += try database.rows(
          "SELECT id FROM batch WHERE boot = ? AND t1 >= ? AND t0 <= ? ORDER BY id", boot.id, first - boot.origin,
          last - boot.origin
        ) { row in
          let identifier = try row.integer(0, in: 1 ... .max)
          return .init(identifier: UInt64(clamping: identifier), origin: boot.origin) { () throws(SensorError) in
            try self.batch(identifier)
          }
        }
      }
      return batches
    }
    return AccelerationSequence(batches, from: first, to: last)
  }

  private func batch(_ identifier: Int64) throws(SensorError) -> AccelerationBatch? {
    try read { database throws(SensorError) in
      try database.row("SELECT t0, t1, n, scale, clipped, data, spacing FROM batch WHERE id = ?", identifier) { row in
        let start = try row.moment(0)
        let batch = AccelerationBatch(
          start: start, end: try row.moment(1, from: start), count: try row.count(2),
          scale: try row.number(3, in: 0...1e6), clipped: try row.count(4), data: try row.bytes(5),
          spacing: row.isNull(6) ? nil : try row.bytes(6))
        guard batch.isSound else { throw DamagedRow() }
        return batch
      }
    }
  }

  package func lastIdentifier() throws(SensorError) -> UInt64 {
    try read { database throws(SensorError) in
      try database.row("SELECT seq FROM sqlite_sequence WHERE name = 'batch'") {
        UInt64(clamping: try $0.integer(0, in: 0 ... .max))
      } ?? 0
    }
  }
}
