// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import GRDB
package import MotionSensing

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
  }

  /// What the store holds between two dates.
  package func contents(from start: Date = .distantPast, to end: Date = .distantFuture) throws(SensorError) -> Contents
  {
    let (first, last) = (try start.microseconds(), try end.microseconds())
    return try Self.reporting(path) {
      try database.read { database in
        var contents = Contents()
        var moments: [Int64] = []
        for boot in try Boot.all(database) {
          let range: StatementArguments = [boot.id, first - boot.origin, last - boot.origin]
          let batches = try Row.fetchCursor(
            database,
            sql: "SELECT t0, t1, n, clipped FROM batch WHERE boot = ? AND t1 >= ? AND t0 <= ? ORDER BY t1",
            arguments: range)
          while let row = try batches.next() {
            let (begin, finish): (Int64, Int64) = (boot.origin + row["t0"], boot.origin + row["t1"])
            contents.add(Date(microseconds: begin), Date(microseconds: finish), samples: row["n"])
            contents.clipped += row["clipped"]
            moments += [begin, finish]
          }
          for (table, start, end) in [("step_epoch", "t1 - span", "t1"), ("activity", "t", "t")] {
            let row = try Row.fetchOne(
              database,
              sql:
                "SELECT count(*), min(\(start)), max(\(end)) FROM \(table) WHERE boot = ? AND \(end) >= ? AND \(start) <= ?",
              arguments: range)
            guard let row, let begin = row[1] as Int64?, let finish = row[2] as Int64? else { continue }
            if table == "activity" { contents.activities += row[0] } else { contents.epochs += row[0] }
            moments += [boot.origin + begin, boot.origin + finish]
          }
        }
        contents.accelerometer.sort { $0.start < $1.start }
        if let least = moments.min(), let greatest = moments.max() {
          contents.range = Date(microseconds: least)...Date(microseconds: greatest)
        }
        contents.sources = try String.fetchAll(database, sql: "SELECT address FROM source ORDER BY id")
        return contents
      }
    }
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
