// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing

extension MotionStore {
  /// The steps between two dates. Ranges that adjoin add up exactly, steps to the step and metres to the millimetre.
  ///
  /// What has been counted up to a date grows evenly within an epoch, and is rounded at the date: the answer is the difference of two such
  /// counts, and an edge that two ranges share is rounded once.
  package func steps(from start: Date, to end: Date) throws(SensorError) -> StepTotals {
    let (start, end) = (try start.microseconds(), try end.microseconds())
    guard start < end else { return StepTotals() }
    return try read { database throws(SensorError) in
      // The parts of epochs before each edge are added over all lines before they are rounded.
      var (whole, before, after) = (Sums(), Sums(), Sums())
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
  ) throws(SensorError) -> Sums {
    let hour = HistorySchema.hour
    // Epochs end at positive times, where SQLite's division rounds down as this does.
    let first = low.flooredDivided(by: hour) + 1
    let last = (high + 1).flooredDivided(by: hour) - 1
    guard first <= last else { return try epochs(after: low, to: high, boot, database) }
    let hours = try database.row(
      "SELECT \(Sums.columns(HistorySchema.isSoundHour)) FROM step_hour WHERE boot = ? AND hour BETWEEN ? AND ?",
      boot, first, last, as: Sums.init)
    // The epochs hold the same, and are the truth.
    guard var sums = hours, sums.damagedRows == 0 else { return try epochs(after: low, to: high, boot, database) }
    sums.add(try epochs(after: low, to: first * hour - 1, boot, database))
    sums.add(try epochs(after: (last + 1) * hour - 1, to: high, boot, database))
    return sums
  }

  private static func epochs(
    after low: Int64, to high: Int64, _ boot: Int64, _ database: Database
  ) throws(SensorError) -> Sums {
    let sums = try database.row(
      "SELECT \(Sums.columns(HistorySchema.isSoundEpoch)) FROM step_epoch WHERE boot = ? AND t1 > ? AND t1 <= ?",
      boot, low, high, as: Sums.init)
    database.noteDamage(of: sums?.damagedRows ?? 0)
    return sums ?? Sums()
  }

  /// What the epoch around a time has counted before it.
  private static func part(before time: Int64, _ boot: Int64, _ database: Database) throws(SensorError) -> Sums {
    let epoch = try database.row(
      """
      SELECT steps, mm, active, floors_up, floors_down, 0, t1, span FROM step_epoch
      WHERE boot = ? AND t1 > ? AND \(HistorySchema.isSoundEpoch) ORDER BY t1 LIMIT 1
      """, boot, time
    ) { (sums: try Sums($0), end: try $0.moment(6), span: try $0.moment(7, from: 0)) }
    guard let (sums, end, span) = epoch, span > 0, end - span < time else { return Sums() }
    return sums.scaled(by: Double(time - (end - span)) / Double(span))
  }
}

/// Counts of epochs, whole or in parts: steps, millimetres, milliseconds, floors.
private struct Sums {
  private var steps = 0.0, millimetres = 0.0, active = 0.0
  private var floorsUp, floorsDown: Double?
  /// Rows that do not count.
  private(set) var damagedRows = 0

  init() {}

  /// The sums of the sound rows, and the number of the others.
  static func columns(_ isSound: String) -> String {
    ["steps", "mm", "active", "floors_up", "floors_down"].map { "sum(\($0)) FILTER (WHERE \(isSound)), " }.joined()
      + "count(*) FILTER (WHERE NOT (\(isSound)))"
  }

  /// The first six columns of a row; a sum over nothing is null.
  init(_ row: Row) throws(DamagedRow) {
    func number(_ column: Int32) throws(DamagedRow) -> Double? {
      row.isNull(column) ? nil : try row.number(column, in: 0...1e18)
    }
    (steps, millimetres, active) = (try number(0) ?? 0, try number(1) ?? 0, try number(2) ?? 0)
    (floorsUp, floorsDown) = (try number(3), try number(4))
    damagedRows = try row.count(5)
  }

  mutating func add(_ other: Sums) {
    steps += other.steps
    millimetres += other.millimetres
    active += other.active
    if let floors = other.floorsUp { floorsUp = (floorsUp ?? 0) + floors }
    if let floors = other.floorsDown { floorsDown = (floorsDown ?? 0) + floors }
  }

  func scaled(by factor: Double) -> Sums {
    var sums = self
    (sums.steps, sums.millimetres, sums.active) = (steps * factor, millimetres * factor, active * factor)
    (sums.floorsUp, sums.floorsDown) = (floorsUp.map { $0 * factor }, floorsDown.map { $0 * factor })
    return sums
  }

  /// What was counted between two edges, with these whole epochs.
  func totals(from before: Sums, to after: Sums) -> StepTotals {
    func difference(_ value: Double, _ before: Double, _ after: Double) -> Double {
      value + (after + 0.5).rounded(.down) - (before + 0.5).rounded(.down)
    }
    func floors(_ path: KeyPath<Sums, Double?>) -> Int? {
      guard self[keyPath: path] ?? before[keyPath: path] ?? after[keyPath: path] != nil else { return nil }
      return Int(
        exactly: difference(self[keyPath: path] ?? 0, before[keyPath: path] ?? 0, after[keyPath: path] ?? 0))
    }
    var totals = StepTotals()
    totals.steps = Int(exactly: difference(steps, before.steps, after.steps)) ?? 0
    totals.distance = difference(millimetres, before.millimetres, after.millimetres) / 1000
    totals.activeTime = difference(active, before.active, after.active) / 1000
    (totals.floorsAscended, totals.floorsDescended) = (floors(\.floorsUp), floors(\.floorsDown))
    return totals
  }
}

extension Int64 {
  /// Rounded towards minus infinity; the divisor is positive.
  fileprivate func flooredDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
