// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import GRDB
package import MotionSensing

extension MotionStore {
  /// Rows that were removed.
  package struct Erased: Sendable, Equatable {
    package var batches = 0, epochs = 0, activities = 0
    package var isEmpty: Bool { batches + epochs + activities == 0 }
  }

  /// Removes what is older than it is kept.
  @discardableResult
  package func prune(at now: Date) throws(SensorError) -> Erased {
    try erase(
      accelerometerBefore: now - Retention.accelerometer, historyBefore: now - Retention.history, thoroughly: false)
  }

  /// Removes what ends before a date; nil = everything. When it returns the bytes are gone from the file.
  package func erase(before date: Date?) throws(SensorError) -> Erased {
    let date = date ?? .distantFuture
    return try erase(accelerometerBefore: date, historyBefore: date, thoroughly: true)
  }

  private func erase(
    accelerometerBefore: Date, historyBefore: Date, thoroughly: Bool
  ) throws(SensorError) -> Erased {
    let (batchLimit, limit) = (try accelerometerBefore.microseconds(), try historyBefore.microseconds())
    return try Self.reporting(path) {
      let erased = try database.write { database in
        var erased = Erased()
        for boot in try Boot.all(database) {
          try database.execute(
            sql: "DELETE FROM batch WHERE boot = ? AND t1 < ?", arguments: [boot.id, batchLimit - boot.origin])
          erased.batches += database.changesCount
          try database.execute(
            sql: "DELETE FROM step_epoch WHERE boot = ? AND t1 < ?", arguments: [boot.id, limit - boot.origin])
          erased.epochs += database.changesCount
          try database.execute(
            sql: "DELETE FROM activity WHERE boot = ? AND t < ?", arguments: [boot.id, limit - boot.origin])
          erased.activities += database.changesCount
        }
        // A line of which nothing is left; not the newest, which the next row may belong to.
        try database.execute(
          sql: """
            DELETE FROM boot WHERE id < (SELECT max(id) FROM boot)
              AND NOT EXISTS (SELECT 1 FROM batch WHERE boot = boot.id)
              AND NOT EXISTS (SELECT 1 FROM step_epoch WHERE boot = boot.id)
              AND NOT EXISTS (SELECT 1 FROM activity WHERE boot = boot.id)
            """)
        try database.execute(
          sql: """
            DELETE FROM source WHERE NOT EXISTS (SELECT 1 FROM batch WHERE source = source.id LIMIT 1)
              AND NOT EXISTS (SELECT 1 FROM step_epoch WHERE source = source.id LIMIT 1)
              AND NOT EXISTS (SELECT 1 FROM activity WHERE source = source.id LIMIT 1)
            """)
        // Everything: what was learned of the person goes, too.
        if historyBefore == .distantFuture { try database.execute(sql: "DELETE FROM step_length") }
        return erased
      }
      try database.writeWithoutTransaction { database in
        if thoroughly { try database.execute(sql: "VACUUM") }
        // Each row of the answer gives a page back.
        _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum")
        if path != nil { _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      }
      return erased
    }
  }
}
