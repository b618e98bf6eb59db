// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Passes the samples that are due for a subscriber that wants fewer than there are.
///
/// It looks at the samples' own times only, so a replay decides the same at any speed. Three cases, by the ratio of the
/// wanted interval to the source's period (which it follows):
/// * at most 1.1: every sample passes. A 104 Hz sensor asked for 100 Hz gives 104.
/// * nearly whole: every n-th sample passes, counted, so that jitter cannot make double gaps; where samples are missing
///   the interval since the last one that passed decides.
/// * otherwise: the first sample at or after each due time of a fixed schedule that starts at the first sample and does
///   not drift; 60 Hz from a 100 Hz source gives steps of one and two samples (D18).
package struct Decimator: Sendable {
  /// Wanted interval; zero or less = everything.
  package private(set) var interval: SensorDuration
  /// Running mean of the source's period, ns; 0 before the second sample.
  private var period: Int64 = 0
  private var outliers = 0
  private var last: SensorInstant?
  /// The schedule: the next due time.
  private var due: SensorInstant?
  /// The last that passed.
  private var passed: SensorInstant?
  /// Samples withheld since then.
  private var withheld = 0

  /// A decimator that has seen nothing yet; zero = everything passes.
  package init(interval: SensorDuration) { self.interval = interval }

  /// Applies a new interval from the next sample on; the running step is finished at the new length.
  package mutating func change(to interval: SensorDuration) {
    if let due { self.due = due - self.interval + interval }
    self.interval = interval
  }

  /// Whether the sample taken at `time` passes. Call it for every sample, in order.
  package mutating func isDue(_ time: SensorInstant) -> Bool {
    defer { last = time }
    guard let last else {
      return pass(time)
    }
    let step = (time - last).nanoseconds
    follow(step)
    guard interval > .zero, period > 0 else { return pass(time) }
    let ratio = Double(interval.nanoseconds) / Double(period)
    if ratio <= 1.1 { return pass(time) }
    let whole = max(1, ratio.rounded())
    if abs(ratio - whole) < 0.04 * whole.squareRoot() {
      withheld += 1
      // A quarter of a period of jitter on both ends is not yet a missing sample.
      let isLate = passed.map { (time - $0).nanoseconds >= interval.nanoseconds.clamped(minus: period / 4) } ?? true
      return withheld >= Int(clamping: whole) || isLate ? pass(time) : false
    }
    return isOnSchedule(time)
  }

  private mutating func pass(_ time: SensorInstant) -> Bool {
    withheld = 0
    passed = time
    due = time + interval
    return true
  }

  private mutating func isOnSchedule(_ time: SensorInstant) -> Bool {
    guard let due else { return pass(time) }
    // A sample a hair early, by clock noise, is the one that was due.
    let tolerance = SensorDuration(nanoseconds: period / 32)
    guard time + tolerance >= due else {
      withheld += 1
      return false
    }
    defer { self.due = due.next(after: time + tolerance, every: interval) }
    return pass(time)
  }

  /// Follows the source's period. Missing samples and bursts do not count, unless they go on: the rate has changed.
  private mutating func follow(_ step: Int64) {
    guard step > 0 else { return }
    if period == 0 {
      period = step
    } else if step < period.clamped(plus: period / 2) && step > period / 2 {
      period += (step - period) / 16
      outliers = 0
    } else {
      outliers += 1
      if outliers >= 8 { (period, outliers) = (step, 0) }
    }
  }
}
