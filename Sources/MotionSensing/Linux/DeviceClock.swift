// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Gives each sample of a device that sends its own time an instant on our clock.
///
/// A sample arrives late: after the radio, in bursts up to 100 ms late (AirPods), or three at one instant although they
/// were measured 5 ms apart (a Switch controller). The device's own time has the correct intervals, but starts
/// anywhere, may wrap around, and runs a little fast or slow. So the intervals come from the device, and the origin
/// from the arrivals (EV-6).
///
/// The origin follows from causality. What has arrived was measured before, so the sample with the least delay is the
/// most precise: the offset between the clocks is the smallest difference of arrival and device time. It falls at once,
/// and it rises slowly towards the smallest difference of the last window, which follows a clock that runs slow. How
/// slowly depends on the clock: the smaller its possible error, the less a stall of the radio or of this computer can
/// move the offset.
///
/// The rule and its figures are this project's own.
package struct DeviceClock: Sendable {
  /// What keeps the device's time.
  package enum Keeper: Hashable, Sendable {
    /// An oscillator in a controller, read with each report: Sony's. Its error is far less than a thousandth.
    case oscillator
    /// The driver adds a nominal distance per sample, in whole milliseconds in hid-nintendo: its error is several per
    /// cent.
    case counting
    /// An oscillator in an earbud. The window is longer because the bursts of its radio link are.
    case bud

    /// Share of the time that has passed by which the offset may rise.
    var slowness: Double { self == .counting ? 0.1 : 0.001 }
    /// In which the least delay is searched.
    var window: SensorDuration { self == .bud ? .seconds(5) : .milliseconds(100) }
  }

  /// Two clocks whose times since the last sample differ by more than this are unrelated: one was reset.
  package static let disagreement = SensorDuration.seconds(2)
  /// Longer steps than this, forwards or backwards, mean that a bud's clock was reset. ns.
  package static let longestStep: UInt64 = 3_600_000_000_000
  /// An offset that is off by more than this is set again, not approached.
  package static let drift = SensorDuration.milliseconds(50)
  /// Windows in a row that must show the drift: a stalled radio shows it for one or two.
  package static let patience = 5
  /// The same device time so often in a row: its clock stands still, and the time of arrival is used.
  package static let standstill = 3

  /// Times that the origin was set again; of a bud also the first time.
  package private(set) var anchorings = 0
  /// Samples that were dropped because by the device's clock no time has passed.
  package private(set) var repeats = 0
  private let keeper: Keeper
  /// The last device time, µs.
  private var stamp: UInt64?
  private var stampedArrival = SensorInstant(nanoseconds: 0)
  /// ns of the device's clock since the origin was last set.
  private var elapsed: Int64 = 0
  /// ns from the device's time to ours.
  private var offset: Int64 = 0
  private var least = (now: Int64.max, before: Int64.max)
  private var windowEnd = SensorInstant(nanoseconds: 0)
  private var driftingWindows = 0
  private var sameInARow = 0
  private var last: SensorInstant?

  package init(keeper: Keeper) { self.keeper = keeper }

  /// Another device sends from now on: its clock begins anywhere.
  package mutating func restart() { stamp = nil }

  /// When a controller's frame was measured, from its time in µs, which wraps around after 32 bits and may be absent;
  /// nil for a frame to drop. What comes out ascends strictly.
  package mutating func instant(of microseconds: UInt32?, arrival: SensorInstant) -> SensorInstant? {
    guard let microseconds else { return ascending(arrival) }
    guard let stamp else { return anchored(UInt64(microseconds), arrival) }
    // Wrapping subtraction: the distance is right across the end of the 32 bits.
    let step = Int64(microseconds &- UInt32(truncatingIfNeeded: stamp)) * 1000
    guard step > 0 else {
      sameInARow += 1
      if sameInARow >= Self.standstill { return ascending(arrival) }
      repeats += 1
      return nil
    }
    sameInARow = 0
    return instant(of: UInt64(microseconds), step: step, arrival: arrival)
  }

  /// When a bud's report was measured, from its time in µs; nil for one that is not newer than the one before.
  package mutating func instant(of microseconds: UInt64, arrival: SensorInstant) -> SensorInstant? {
    guard let stamp else { return anchored(again: microseconds, arrival) }
    let difference = Int64(bitPattern: microseconds &- stamp)
    guard difference.magnitude <= Self.longestStep / 1000 else { return anchored(again: microseconds, arrival) }
    return instant(of: microseconds, step: difference * 1000, arrival: arrival)
  }

  /// `step`: ns of the device's clock since the last sample.
  private mutating func instant(of microseconds: UInt64, step: Int64, arrival: SensorInstant) -> SensorInstant? {
    let waited = (arrival - stampedArrival).nanoseconds
    guard abs(step - waited) <= Self.disagreement.nanoseconds else { return anchored(again: microseconds, arrival) }
    guard step > 0 else { return nil }
    elapsed += step
    stamp = microseconds
    stampedArrival = arrival
    follow(arrival, step: step)
    let time = SensorInstant(nanoseconds: elapsed + offset)
    guard let last else { return ascending(time) }
    // Where the offset has just fallen, time goes on at half its pace until it has caught up.
    let slowest = min(step / 2, Self.drift.nanoseconds / 2)
    return ascending(max(time, last + SensorDuration(nanoseconds: slowest)))
  }

  private mutating func anchored(again microseconds: UInt64, _ arrival: SensorInstant) -> SensorInstant {
    anchorings += 1
    return anchored(microseconds, arrival)
  }

  private mutating func anchored(_ microseconds: UInt64, _ arrival: SensorInstant) -> SensorInstant {
    stamp = microseconds
    stampedArrival = arrival
    elapsed = 0
    offset = arrival.nanoseconds
    least = (offset, .max)
    windowEnd = arrival + keeper.window
    driftingWindows = 0
    sameInARow = 0
    return ascending(arrival)
  }

  /// Moves the offset by what this sample shows.
  private mutating func follow(_ arrival: SensorInstant, step: Int64) {
    let observed = arrival.nanoseconds - elapsed
    if observed < offset {
      if keeper != .bud, offset - observed > Self.drift.nanoseconds { anchorings += 1 }
      offset = observed
    }
    if arrival >= windowEnd {
      let floor = min(least.now, least.before)
      let isDrifting = keeper != .bud && floor != .max && floor - offset > Self.drift.nanoseconds
      driftingWindows = isDrifting ? driftingWindows + 1 : 0
      if driftingWindows >= Self.patience {
        offset = floor
        anchorings += 1
        driftingWindows = 0
      }
      least = (.max, least.now)
      windowEnd = arrival + keeper.window
    }
    least.now = min(least.now, observed)
    let floor = min(least.now, least.before)
    if floor > offset { offset += min(floor - offset, Int64(clamping: Double(step) * keeper.slowness)) }
  }

  private mutating func ascending(_ time: SensorInstant) -> SensorInstant {
    let next = last.map { max(time, $0 + SensorDuration(nanoseconds: 1)) } ?? time
    last = next
    return next
  }
}
