// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Cuts a stream of samples into batches of about a second, by the samples' own time.
///
/// ```swift
/// var batcher = Batcher<AccelerometerSample>(group: 4)
/// if let batch = batcher.push(sample, at: sample.time) { … }   // the batch that ends before this sample
/// ```
///
/// ## Where it cuts
/// At the whole seconds of the source's time line: a batch ends before the first sample at or after the border. So the
/// first batch is partial, two streams of one source are cut at the same borders without knowing of each other, and a
/// recording gives the same batches at any speed, however its samples arrive.
///
/// ## Groups
/// An 800 Hz accelerometer has four samples to each state of motion at 200 Hz. With `group` 4 a batch ends at the first
/// whole group at or after the border, counted from the batch's own beginning: sample 4 i + c of one batch belongs to
/// state i of the other, with a c that does not change within the batch (0 where both stand on one clock). A sensor at
/// 801.9 Hz then gives batches of 800 and 804, as the real device does (BATCH-2). The first batch, and one with a gap
/// in it, end at the border itself: their groups have no beginning.
///
/// ## What it never does
/// Samples are neither lost nor repeated nor moved: each is in exactly one batch with the time it came with. Missing
/// samples leave a gap, which is counted. A sensor that falls silent holds its batch back for a second at most, as long
/// as the time is reported (``advance(to:)``).
package struct Batcher<Element: Sendable>: Sendable {
  /// How much later than its border a batch may end because its sensor is silent.
  package static var silenceLimit: SensorDuration { .seconds(1) }

  /// The distance of the borders. Default one second.
  package let period: SensorDuration
  /// Samples that belong together and are not cut apart; 1 = no groups.
  package let group: Int
  /// Pauses of more than one and a half sample intervals so far.
  package private(set) var gaps = 0
  private var held: [Element] = []
  /// The end of the batch that is being filled; nil before its first sample.
  private var border: SensorInstant?
  private var last: SensorInstant?
  /// Running mean of the sample interval, ns; 0 before the second sample.
  private var interval: Int64 = 0
  /// Whether the batch began with a group and has missed nothing since.
  private var hasGroups = false
  private var expected = 0

  /// A batcher that holds nothing. `group` and `period` must be positive.
  package init(group: Int = 1, period: SensorDuration = .seconds(1)) {
    precondition(group > 0 && period > .zero, "A batch needs a positive period and groups of at least one sample.")
    self.group = group
    self.period = period
  }

  /// Samples held for the batch that is being filled.
  package var count: Int { held.count }

  /// Adds a sample; returns the batch that it ends, which it does not belong to. Call it in order of time.
  package mutating func push(_ element: Element, at time: SensorInstant) -> [Element]? {
    let isBehindGap = follow(time)
    if isBehindGap { hasGroups = false }
    var batch: [Element]?
    if let border, time >= border, !hasGroups || held.count % group == 0 {
      batch = cut()
      hasGroups = !isBehindGap
    }
    if border == nil {
      border = Self.border(after: time, period: period)
      held.reserveCapacity(expected)
    }
    held.append(element)
    return batch
  }

  /// Says that the source's time has come to `time`, by another sensor's sample; returns the batch of a sensor that has
  /// been silent since well before its border.
  package mutating func advance(to time: SensorInstant) -> [Element]? {
    guard let border, time - border >= Self.silenceLimit else { return nil }
    hasGroups = false
    return cut()
  }

  /// Everything held, because no more will come; nil when nothing is.
  package mutating func finish() -> [Element]? {
    last = nil
    hasGroups = false
    return cut()
  }

  private mutating func cut() -> [Element]? {
    defer {
      // A little more than this time, so that the next batch does not have to grow.
      expected = held.count + held.count / 64 + group
      held = []
      border = nil
    }
    return held.isEmpty ? nil : held
  }

  /// Whether samples are missing before the one at `time`.
  private mutating func follow(_ time: SensorInstant) -> Bool {
    defer { last = time }
    guard let last, time > last else { return false }
    let step = (time - last).nanoseconds
    guard interval > 0 else {
      interval = step
      return false
    }
    guard step > interval.clamped(plus: interval / 2) else {
      interval += (step - interval) / 16
      return false
    }
    gaps += 1
    // A lasting change of rate is one gap, not one per sample.
    interval = min(step, interval.clamped(times: 2))
    return true
  }

  private static func border(after time: SensorInstant, period: SensorDuration) -> SensorInstant {
    let length = period.nanoseconds
    let rest = time.nanoseconds % length
    return SensorInstant(nanoseconds: time.nanoseconds &- rest) + (rest < 0 ? .zero : period)
  }
}
