// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionHost
package import MotionSensing
import MotionServices

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
