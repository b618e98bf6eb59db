// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing
import MotionServices

extension MotionStore {
  /// Seconds: what is shorter is not told in a history.
  package static let shortestActivity: TimeInterval = 10

  /// The activities between two dates, oldest first; the first one may have begun before. Those that lasted less than ten seconds belong
  /// to the one before, and neighbours that are the same are one.
  package func activities(from start: Date, to end: Date) throws(SensorError) -> [RecordedActivity] {
    let (first, last) = (try start.microseconds(), try end.microseconds())
    guard first <= last else { return [] }
    let all = try read { database throws(SensorError) in
      var found: [RecordedActivity] = []
      let boots = try Boot.all(database)
      for boot in boots {
        // An hour more on both sides: whether the first and the last are short shows by their neighbours.
        let (low, high) = (first - boot.origin - HistorySchema.hour, last - boot.origin + HistorySchema.hour)
        let earlier = try database.row("SELECT max(t) FROM activity WHERE boot = ? AND t < ?", boot.id, low) {
          $0.isNull(0) ? nil : try $0.moment(0)
        }
        found += try database.rows(
          "SELECT t, flags, confidence FROM activity WHERE boot = ? AND t BETWEEN ? AND ? ORDER BY t", boot.id,
          (earlier ?? nil) ?? low, high
        ) { row in
          let change = try ActivityChange(row)
          return RecordedActivity(
            startDate: Date(microseconds: boot.origin + change.start.microseconds), change: change)
        }
      }
      // The rows of one boot are in order already.
      return boots.count > 1 ? found.sorted { $0.startDate < $1.startDate } : found
    }
    let smooth = Self.smoothed(all)
    let current = smooth.lastIndex { $0.startDate <= start } ?? 0
    return smooth.dropFirst(current).filter { $0.startDate <= end }
  }

  static func smoothed(_ all: [RecordedActivity]) -> [RecordedActivity] {
    var result: [RecordedActivity] = []
    for (index, activity) in all.enumerated() {
      if index + 1 < all.count, all[index + 1].startDate.timeIntervalSince(activity.startDate) < shortestActivity {
        continue
      }
      if let last = result.last, last.change.activity == activity.change.activity {
        // The better known of the two speaks for both.
        result[result.count - 1].change.confidence = max(last.change.confidence, activity.change.confidence)
      } else {
        result.append(activity)
      }
    }
    return result
  }

  /// Ends the last activity where the newest line ends: a writer that was killed in the middle of a walk could not write that it is over.
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

extension Date {
  /// Microseconds from 1970; dates beyond 10 000 years are as far away as that.
  func microseconds() throws(SensorError) -> Int64 {
    let seconds = timeIntervalSince1970
    guard !seconds.isNaN else { throw SensorError(.invalidRequest, "A date of the range is not a number.") }
    return Int64((min(max(seconds, -3e11), 3e11) * 1e6).rounded())
  }

  init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1e6) }
}
