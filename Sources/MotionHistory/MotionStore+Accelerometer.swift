// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionHost
package import MotionSensing

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
