// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
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
    return try database.withLock { database throws(SensorError) in
      let erased = try database.transaction(.writing) { () throws(SensorError) in
        var erased = Erased()
        for boot in try Boot.all(database) {
          let (batchLimit, limit) = (batchLimit - boot.origin, limit - boot.origin)
          erased.batches += try database.run("DELETE FROM batch WHERE boot = ? AND t1 < ?", boot.id, batchLimit)
          erased.epochs += try database.run("DELETE FROM step_epoch WHERE boot = ? AND t1 < ?", boot.id, limit)
          erased.activities += try database.run("DELETE FROM activity WHERE boot = ? AND t < ?", boot.id, limit)
        }
        // A line of which nothing is left; not the newest, which the next row may belong to.
        try database.execute(
          """
          DELETE FROM boot WHERE id < (SELECT max(id) FROM boot)
            AND NOT EXISTS (SELECT 1 FROM batch WHERE boot = boot.id)
            AND NOT EXISTS (SELECT 1 FROM step_epoch WHERE boot = boot.id)
            AND NOT EXISTS (SELECT 1 FROM activity WHERE boot = boot.id);
          DELETE FROM source WHERE NOT EXISTS (SELECT 1 FROM batch WHERE source = source.id LIMIT 1)
            AND NOT EXISTS (SELECT 1 FROM step_epoch WHERE source = source.id LIMIT 1)
            AND NOT EXISTS (SELECT 1 FROM activity WHERE source = source.id LIMIT 1);
          """)
        // Everything: what was learned of the person goes, too.
        if historyBefore == .distantFuture { try database.execute("DELETE FROM step_length") }
        return erased
      }
      if thoroughly { try database.execute("VACUUM") }
      try database.execute("PRAGMA incremental_vacuum")
      if path != nil { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
      return erased
    }
  }
}
