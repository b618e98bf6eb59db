// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MotionHost
package import MotionSensing
import MotionServices

extension MotionStore {
  /// What the store holds, for people.
  package struct Contents: Sendable, Equatable {
    /// A span of recorded accelerations without a pause.
    package struct Span: Sendable, Equatable {
      package var start, end: Date
      package var samples: Int
    }
    /// Oldest first; pauses of less than a second do not count.
    package var accelerometer: [Span] = []
    /// Values that were cut to the sensor's range.
    package var clipped = 0
    package var batches = 0, epochs = 0, activities = 0
    /// The first and the last moment of which anything is known; nil when the store is empty.
    package var range: ClosedRange<Date>?
    /// The addresses that rows come from.
    package var sources: [String] = []
    /// Rows that are left out, because a value of theirs has a wrong type or is out of its range.
    package var damagedRows = 0
  }

  /// What the store holds.
  package func contents() throws(SensorError) -> Contents {
    try read { database throws(SensorError) in
      var contents = Contents()
      var moments: [Int64] = []
      let damagedBefore = database.damagedRows
      for boot in try Boot.all(database) {
        let batches = try database.rows(
          "SELECT t0, t1, n, clipped, length(data) FROM batch WHERE boot = ? ORDER BY t1", boot.id
        ) { row in
          let (start, samples) = (try row.moment(0), try row.count(2))
          guard try row.count(4) == 6 * samples else { throw DamagedRow() }
          return (start: start, end: try row.moment(1, from: start), samples: samples, clipped: try row.count(3))
        }
        for batch in batches {
          let (start, end) = (boot.origin + batch.start, boot.origin + batch.end)
          contents.add(Date(microseconds: start), Date(microseconds: end), samples: batch.samples)
          contents.clipped += batch.clipped
          moments += [start, end]
        }
        let epochs = try database.row(
          """
          SELECT count(*), (SELECT count(*) FROM step_epoch WHERE boot = ?1) - count(*), min(t1 - span), max(t1)
          FROM step_epoch WHERE boot = ?1 AND \(HistorySchema.isSoundEpoch)
          """, boot.id
        ) { row in
          let count = try row.count(0)
          return (
            count: count, damaged: try row.count(1),
            range: count > 0 ? [boot.origin + (try row.moment(2)), boot.origin + (try row.moment(3))] : []
          )
        }
        contents.epochs += epochs?.count ?? 0
        database.noteDamage(of: epochs?.damaged ?? 0)
        let activities = try database.rows(
          "SELECT t, flags, confidence FROM activity WHERE boot = ? ORDER BY t", boot.id
        ) { boot.origin + (try ActivityChange($0)).start.microseconds }
        contents.activities += activities.count
        moments += (epochs?.range ?? []) + [activities.first, activities.last].compactMap { $0 }
      }
      contents.accelerometer.sort { $0.start < $1.start }
      if let least = moments.min(), let greatest = moments.max() {
        contents.range = Date(microseconds: least)...Date(microseconds: greatest)
      }
      contents.sources = try Self.sources(database)
      contents.damagedRows = database.damagedRows - damagedBefore
      return contents
    }
  }

  /// The addresses that rows come from.
  package func sources() throws(SensorError) -> [String] {
    try read { database throws(SensorError) in try Self.sources(database) }
  }

  private static func sources(_ database: Database) throws(SensorError) -> [String] {
    try database.rows("SELECT address FROM source ORDER BY id") { try $0.text(0) }
  }
}

extension MotionStore.Contents {
  fileprivate mutating func add(_ start: Date, _ end: Date, samples: Int) {
    batches += 1
    if let last = accelerometer.last, abs(start.timeIntervalSince(last.end)) < 1 {
      accelerometer[accelerometer.count - 1].end = end
      accelerometer[accelerometer.count - 1].samples += samples
    } else {
      accelerometer.append(Span(start: start, end: end, samples: samples))
    }
  }
}
