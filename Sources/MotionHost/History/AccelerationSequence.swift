// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionMath
package import MotionSensing

/// A sample of the accelerometer out of a history.
package struct RecordedAcceleration: Sendable, Equatable {
  /// Names the batch; later batches have greater numbers, also after rows have been removed.
  package var identifier: UInt64
  /// On the sensor's clock.
  package var instant: SensorInstant
  package var date: Date
  /// m/s², device axes, +9.81 up at rest.
  package var specificForce: Vector3<Device>
}

/// Samples of the accelerometer, decoded batch by batch while they are gone through.
package struct AccelerationSequence: Sequence, Sendable {
  /// A batch in a history.
  package struct Batch: Sendable {
    package let identifier: UInt64
    /// Of its line, microseconds from 1970.
    let origin: Int64
    /// Nil when it has been removed meanwhile.
    let load: @Sendable () throws(SensorError) -> AccelerationBatch?

    package init(
      identifier: UInt64, origin: Int64, load: @escaping @Sendable () throws(SensorError) -> AccelerationBatch?
    ) {
      (self.identifier, self.origin, self.load) = (identifier, origin, load)
    }
  }

  private var batches: [Batch]
  /// Microseconds from 1970, both included.
  private let first, last: Int64

  /// The samples of some batches from one time to another, in the order of the batches' numbers.
  package init(_ batches: [Batch], from first: Int64, to last: Int64) {
    (self.batches, self.first, self.last) = (batches.sorted { $0.identifier < $1.identifier }, first, last)
  }

  /// The same range of a later history, whose batches have greater numbers, follows.
  mutating func append(_ later: AccelerationSequence) { batches += later.batches }

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
        do throws(SensorError) { samples = try sequence.samples(of: sequence.batches[nextBatch]) } catch {
          failure = error
          return nil
        }
        (nextBatch, position) = (nextBatch + 1, 0)
      }
      defer { position += 1 }
      return samples[position]
    }
  }

  private func samples(of batch: Batch) throws(SensorError) -> [RecordedAcceleration] {
    guard let loaded = try batch.load() else { return [] }
    return loaded.samples.compactMap { sample in
      let wall = batch.origin + sample.time
      guard first <= wall, wall <= last else { return nil }
      return RecordedAcceleration(
        identifier: batch.identifier, instant: SensorInstant(microseconds: sample.time),
        date: Date(microseconds: wall), specificForce: sample.specificForce)
    }
  }
}
