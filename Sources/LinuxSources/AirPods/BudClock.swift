// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Lays the clock of a bud over ours.
///
/// Reports come in bursts, up to 100 ms late, so their distances are taken from the bud's own time and only the origin from their arrival.
/// What has arrived was measured before: of all reports the one with the least delay says the most, so the offset is the smallest
/// difference of arrival and bud's time. It falls at once. It rises, towards the smallest difference of the last seconds, by
/// at most a thousandth of the time that passes, which follows any crystal and no jitter. The method is that of ``ControllerClock``; the
/// windows are longer because a radio link's bursts are.
struct BudClock: Sendable {
  /// Longer steps than this between reports, or steps back, mean that the clock has begun anew.
  static let longestStep = SensorDuration.seconds(3600)
  /// Clocks whose steps differ by more than this have nothing to do with each other.
  static let disagreement = SensorDuration.seconds(2)
  /// In which the least delay is looked for.
  static let window = SensorDuration.seconds(5)
  /// How much of the time that has passed the origin may rise.
  static let slowness = 0.001

  /// Times that the origin was set anew.
  private(set) var anchorings = 0
  private var stamp: UInt64?
  private var arrival = SensorInstant(nanoseconds: 0)
  /// ns of the bud's clock since its origin was last set.
  private var elapsed: Int64 = 0
  private var offset: Int64 = 0
  private var least = (now: Int64.max, before: Int64.max)
  private var windowEnd = SensorInstant(nanoseconds: 0)
  private var last: SensorInstant?

  /// Another bud speaks: its clock begins anywhere.
  mutating func restart() { stamp = nil }

  /// When a report was measured, from the bud's time in µs and its arrival; nil for one that is not newer than the one before.
  mutating func instant(of microseconds: UInt64, arrival: SensorInstant) -> SensorInstant? {
    guard let stamp else { return anchored(microseconds, arrival) }
    let difference = Int64(bitPattern: microseconds &- stamp)
    let waited = (arrival - self.arrival).nanoseconds
    guard abs(difference / 1_000_000) <= Self.longestStep.nanoseconds / 1_000_000_000,
      abs(difference * 1000 - waited) <= Self.disagreement.nanoseconds
    else { return anchored(microseconds, arrival) }
    guard difference > 0 else { return nil }
    let step = difference * 1000
    self.stamp = microseconds
    self.arrival = arrival
    elapsed += step
    follow(arrival, step: step)
    let time = SensorInstant(nanoseconds: elapsed + offset)
    guard let last else { return ascending(time) }
    // Where the origin has just fallen, time goes on at half its pace until it has caught up.
    return ascending(max(time, last + SensorDuration(nanoseconds: min(step / 2, 25_000_000))))
  }

  private mutating func anchored(_ microseconds: UInt64, _ arrival: SensorInstant) -> SensorInstant {
    anchorings += 1
    stamp = microseconds
    self.arrival = arrival
    elapsed = 0
    offset = arrival.nanoseconds
    least = (offset, .max)
    windowEnd = arrival + Self.window
    return ascending(arrival)
  }

  private mutating func follow(_ arrival: SensorInstant, step: Int64) {
    let said = arrival.nanoseconds - elapsed
    if arrival >= windowEnd {
      least = (.max, least.now)
      windowEnd = arrival + Self.window
    }
    least.now = min(least.now, said)
    if said < offset {
      offset = said
    } else {
      let floor = min(least.now, least.before)
      if floor > offset { offset += min(floor - offset, Int64(Double(step) * Self.slowness)) }
    }
  }

  private mutating func ascending(_ time: SensorInstant) -> SensorInstant {
    let next = last.map { max(time, $0 + SensorDuration(nanoseconds: 1)) } ?? time
    last = next
    return next
  }
}
