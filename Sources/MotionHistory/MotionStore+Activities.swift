// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import GRDB
package import MotionSensing

extension MotionStore {
  /// An activity and when it began.
  package struct DatedActivity: Sendable, Equatable {
    package var startDate: Date
    package var row: HistoryRows.Activity
  }

  /// Seconds: what is shorter is not told in a history.
  package static let shortestActivity: TimeInterval = 10

  /// The activities between two dates, oldest first; the first one may have begun before. Those that lasted less than ten seconds belong
  /// to the one before, and neighbours that are the same are one.
  package func activities(from start: Date, to end: Date) throws(SensorError) -> [DatedActivity] {
    let (first, last) = (try start.microseconds(), try end.microseconds())
    guard first <= last else { return [] }
    let all = try Self.reporting(path) {
      try database.read { database in
        var found: [DatedActivity] = []
        let boots = try Boot.all(database)
        for boot in boots {
          // An hour more on both sides: whether the first and the last are short shows by their neighbours.
          let (low, high) = (first - boot.origin - HistorySchema.hour, last - boot.origin + HistorySchema.hour)
          let earlier = try Int64.fetchOne(
            database, sql: "SELECT max(t) FROM activity WHERE boot = ? AND t < ?", arguments: [boot.id, low])
          let rows = try Row.fetchCursor(
            database, sql: "SELECT t, flags, confidence FROM activity WHERE boot = ? AND t BETWEEN ? AND ? ORDER BY t",
            arguments: [boot.id, earlier ?? low, high])
          while let row = try rows.next() {
            let time: Int64 = row[0]
            found.append(
              DatedActivity(
                startDate: Date(microseconds: boot.origin + time),
                row: .init(time: SensorInstant(microseconds: time), flags: row[1], confidence: row[2])))
          }
        }
        // The rows of one boot are in order already.
        return boots.count > 1 ? found.sorted { $0.startDate < $1.startDate } : found
      }
    }
    let smooth = Self.smoothed(all)
    let current = smooth.lastIndex { $0.startDate <= start } ?? 0
    return smooth.dropFirst(current).filter { $0.startDate <= end }
  }

  static func smoothed(_ all: [DatedActivity]) -> [DatedActivity] {
    var result: [DatedActivity] = []
    for (index, activity) in all.enumerated() {
      if index + 1 < all.count, all[index + 1].startDate.timeIntervalSince(activity.startDate) < shortestActivity {
        continue
      }
      if let last = result.last, last.row.flags == activity.row.flags {
        // The better known of the two speaks for both.
        result[result.count - 1].row.confidence = max(last.row.confidence, activity.row.confidence)
      } else {
        result.append(activity)
      }
    }
    return result
  }

  /// Ends the last activity where the newest line ends: a writer that was killed in the middle of a walk could not write that it is over.
  /// Flags 1 stand for an unknown activity.
  package func endOpenActivity(source: String) throws(SensorError) {
    let open = try Self.reporting(path) {
      try database.read { database in
        try Row.fetchOne(
          database,
          sql: """
            SELECT boot.uuid, boot.wall_at_boot, boot.asleep, activity.flags,
              max(activity.t, coalesce((SELECT max(t1) FROM batch WHERE boot = boot.id), 0),
                coalesce((SELECT max(t1) FROM step_epoch WHERE boot = boot.id), 0)) AS last
            FROM activity JOIN boot ON boot.id = activity.boot ORDER BY boot.id DESC, activity.t DESC LIMIT 1
            """)
      }
    }
    guard let open, open["flags"] != 1 else { return }
    var rows = HistoryRows()
    rows.activities = [.init(time: SensorInstant(microseconds: open["last"] + 1), flags: 1, confidence: 0)]
    let line = TimeLine(clock: open["uuid"], origin: open["wall_at_boot"], asleep: open["asleep"])
    try write(rows, source: source, line: line, durably: false)
  }
}
