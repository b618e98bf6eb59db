// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// About ten seconds of an accelerometer at 50 Hz, as they lie in the store.
///
/// An axis of a sample is a whole number of 16 bits times ``scale``: to ±16 g that keeps 0.5 mg. A sensor that measures more gets a greater
/// scale. Samples that are evenly spaced, to half a millisecond, need no times but the first and the last; others keep their spacing.
package struct AccelerationBatch: Sendable, Equatable {
  /// Microseconds on the sensor's clock, of the first and the last sample.
  package var start, end: Int64
  package var count: Int
  /// m/s² of one unit.
  package var scale: Double
  /// Values that lay outside the range and were cut to its end.
  package var clipped: Int
  /// x, y, z of each sample in turn, two bytes each, the lower one first.
  package var data: [UInt8]
  /// From each sample to the next in units of ``spacingUnit``, two bytes each; nil where they are even.
  package var spacing: [UInt8]?

  /// Microseconds.
  static let spacingUnit: Int64 = 10

  /// A sample of a batch.
  package struct Sample: Sendable, Equatable {
    /// Microseconds on the sensor's clock.
    package var time: Int64
    /// m/s², device axes, +9.81 up at rest.
    package var specificForce: Vector3<Device>
  }

  /// Whether the bytes are those of a batch.
  var isSound: Bool {
    // No batch lasts a day, so that the products of `even` stay far below overflow.
    (1...1_000_000).contains(count) && data.count == 6 * count && spacing.map { $0.count == 2 * (count - 1) } ?? true
      && (0...86_400_000_000).contains(end - start)
  }

  /// The samples, oldest first; empty when the bytes are not those of a batch.
  package var samples: [Sample] {
    guard isSound else { return [] }
    var samples: [Sample] = []
    samples.reserveCapacity(count)
    var offset: Int64 = 0
    for index in 0..<count {
      if let spacing, index > 0 {
        offset += Int64(UInt16(truncatingIfNeeded: word(of: spacing, at: index - 1))) * Self.spacingUnit
      } else if spacing == nil, count > 1 {
        offset = Self.even(index, of: count, over: end - start)
      }
      let axes = (0..<3).map { Double(word(of: data, at: 3 * index + $0)) * scale }
      // The last one lies at the end, whatever was rounded on the way.
      let time = index == count - 1 ? end : start + offset
      samples.append(Sample(time: time, specificForce: Vector3(x: axes[0], y: axes[1], z: axes[2])))
    }
    return samples
  }

  private func word(of bytes: [UInt8], at index: Int) -> Int16 {
    Int16(truncatingIfNeeded: Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8)
  }

  fileprivate static func even(_ index: Int, of count: Int, over span: Int64) -> Int64 {
    (span * Int64(index) + Int64(count - 1) / 2) / Int64(count - 1)
  }
}

/// Collects samples into batches: a value without clock, as all estimators are.
package struct AccelerationBatcher: Sendable {
  /// Microseconds: no batch is longer, so that a program that is killed loses no more.
  private static let longest: Int64 = 10_000_000
  private static let largest = 500
  /// Microseconds without a sample that end a batch: it never reaches over a pause.
  private static let gap: Int64 = 500_000

  private let scale: Double
  private var start: Int64 = 0
  private var times: [Int64] = []
  private var data: [UInt8] = []
  private var clipped = 0

  /// For a sensor that reports up to `range` m/s² on an axis; nil = unknown.
  package init(range: Double?) {
    let least = 16 * 9.80665
    scale = max(least, range.flatMap { $0.isFinite ? $0 : nil } ?? least) / 32_767
  }

  /// Takes the next sample. Returns a batch when one is complete.
  package mutating func append(_ sample: AccelerometerSample) -> AccelerationBatch? {
    let time = sample.time.microseconds
    var finished: AccelerationBatch?
    if let last = times.last, time <= last || time - last > Self.gap || time - start >= Self.longest {
      finished = finish()
    }
    if times.isEmpty { start = time }
    times.append(time)
    let force = sample.specificForce
    for value in [force.x, force.y, force.z] {
      let counts = (value / scale).rounded()
      let limited = min(max(counts, -32_767), 32_767)
      if limited != counts { clipped += 1 }
      let bits = UInt16(bitPattern: Int16(exactly: limited) ?? 0)
      data.append(UInt8(truncatingIfNeeded: bits))
      data.append(UInt8(truncatingIfNeeded: bits >> 8))
    }
    guard finished == nil, times.count == Self.largest else { return finished }
    return finish()
  }

  /// What has been collected so far; nil when that is nothing.
  package mutating func finish() -> AccelerationBatch? {
    guard let end = times.last else { return nil }
    defer { (times, data, clipped) = ([], [], 0) }
    return AccelerationBatch(
      start: start, end: end, count: times.count, scale: scale, clipped: clipped, data: data, spacing: spacing(end))
  }

  /// Nil where samples are even to half a millisecond.
  private func spacing(_ end: Int64) -> [UInt8]? {
    let isEven = times.indices.allSatisfy { index in
      times.count == 1
        || abs(times[index] - start - AccelerationBatch.even(index, of: times.count, over: end - start)) <= 500
    }
    guard !isEven else { return nil }
    var bytes: [UInt8] = []
    var units: Int64 = 0
    for time in times.dropFirst() {
      // Each from the start, so that rounding does not add up.
      let next = (time - start + AccelerationBatch.spacingUnit / 2) / AccelerationBatch.spacingUnit
      let step = UInt16(clamping: next - units)
      units += Int64(step)
      bytes.append(UInt8(truncatingIfNeeded: step))
      bytes.append(UInt8(truncatingIfNeeded: step >> 8))
    }
    return bytes
  }
}

extension SensorInstant {
  /// The nearest microsecond.
  package var microseconds: Int64 { (nanoseconds &+ (nanoseconds < 0 ? -500 : 500)) / 1000 }

  /// An instant from microseconds.
  package init(microseconds: Int64) {
    let (nanoseconds, overflows) = microseconds.multipliedReportingOverflow(by: 1000)
    self.init(nanoseconds: overflows ? (microseconds < 0 ? .min : .max) : nanoseconds)
  }
}
