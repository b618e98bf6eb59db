// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionMath
package import MotionSensing

/// A sample of the accelerometer out of the store.
package struct RecordedAcceleration: Sendable, Equatable {
  /// Names the batch; later batches have greater numbers, also after rows have been removed.
  package var identifier: UInt64
  /// On the sensor's clock.
  package var instant: SensorInstant
  package var date: Date
  /// m/s², device axes, +9.81 up at rest.
  package var specificForce: Vector3<Device>
}

extension MotionStore {
  /// The samples between two dates, both included, oldest first. Batches are read one at a time, while the sequence is gone through; each
  /// pass begins again. A batch that is removed meanwhile is left out.
  package func accelerometer(from start: Date, to end: Date) throws(SensorError) -> AccelerationSequence {
    let (first, last) = (try start.microseconds(), try end.microseconds())
    let batches = try read { database throws(SensorError) in
      var batches: [AccelerationSequence.Batch] = []
      for boot in try Boot.all(database) {
        batches += try database.rows(
          "SELECT id FROM batch WHERE boot = ? AND t1 >= ? AND t0 <= ? ORDER BY id", boot.id, first - boot.origin,
          last - boot.origin
        ) { .init(store: self, id: UInt64(try $0.integer(0, in: 1 ... .max)), origin: boot.origin) }
      }
      return batches.sorted { $0.id < $1.id }
    }
    return AccelerationSequence(batches: batches, first: first, last: last)
  }

  /// The number of the newest batch that there ever was.
  package func lastIdentifier() throws(SensorError) -> UInt64 {
    try read { database throws(SensorError) in
      try database.row("SELECT seq FROM sqlite_sequence WHERE name = 'batch'") {
        UInt64(try $0.integer(0, in: 0 ... .max))
      } ?? 0
    }
  }

  fileprivate func samples(of batch: AccelerationSequence.Batch, from first: Int64, to last: Int64) throws(SensorError)
    -> [RecordedAcceleration]
  {
    let stored = try read { database throws(SensorError) in
      try database.row(
        "SELECT t0, t1, n, scale, clipped, data, spacing FROM batch WHERE id = ?", Int64(clamping: batch.id)
      ) { row in
        let start = try row.moment(0)
        let batch = AccelerationBatch(
          start: start, end: try row.moment(1, from: start), count: try row.count(2),
          scale: try row.number(3, in: 0...1e6),
          clipped: try row.count(4), data: try row.bytes(5), spacing: row.isNull(6) ? nil : try row.bytes(6))
        guard batch.isSound else { throw DamagedRow() }
        return batch
      }
    }
    guard let stored else { return [] }
    return stored.samples.compactMap { sample in
      let wall = batch.origin + sample.time
      guard first <= wall, wall <= last else { return nil }
      return RecordedAcceleration(
        identifier: batch.id, instant: SensorInstant(microseconds: sample.time),
        date: Date(microseconds: wall), specificForce: sample.specificForce)
    }
  }
}

/// Samples of the accelerometer, read from the store while they are gone through.
package struct AccelerationSequence: Sequence, Sendable {
  struct Batch: Sendable {
    let store: MotionStore
    let id: UInt64
    /// Of its line, microseconds from 1970.
    let origin: Int64
  }

  fileprivate(set) var batches: [Batch]
  /// Microseconds from 1970, both included.
  let first, last: Int64

  /// The same range of a later store, whose batches have greater numbers, follows.
  package mutating func append(_ later: AccelerationSequence) { batches += later.batches }

  package func makeIterator() -> Iterator { Iterator(self) }

  package struct Iterator: IteratorProtocol {
    private let sequence: AccelerationSequence
    private var nextBatch = 0
    private var samples: [RecordedAcceleration] = []
    private var position = 0
    /// Why the samples ended before their time; nil when they did not.
    package private(set) var failure: SensorError?

    init(_ sequence: AccelerationSequence) { self.sequence = sequence }

    package mutating func next() -> RecordedAcceleration? {
      while position == samples.count {
        guard failure == nil, nextBatch < sequence.batches.count else { return nil }
        do throws(SensorError) {
          let batch = sequence.batches[nextBatch]
          samples = try batch.store.samples(of: batch, from: sequence.first, to: sequence.last)
        } catch {
          failure = error
          return nil
        }
        (nextBatch, position) = (nextBatch + 1, 0)
      }
      defer { position += 1 }
      return samples[position]
    }
  }
}
