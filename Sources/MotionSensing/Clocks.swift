// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionMath

/// Where a source gets its time from.
///
/// `beginWork` and `endWork` enclose all work that must end before virtual time may advance: a running source, a queued
/// handler. Real clocks ignore them.
public protocol SensorClock: Sendable {
  /// The current instant.
  var now: SensorInstant { get }
  /// Blocks until the clock shows `deadline` (true) or `wake` is signalled (false).
  func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool
  /// Work has begun that has to end before virtual time may move.
  func beginWork()
  /// That work has ended.
  func endWork()
  /// True for a clock that never waits: every deadline counts as reached, and no time passes. Default false.
  var isFreeRunning: Bool { get }
}

extension SensorClock {
  public var isFreeRunning: Bool { false }
}

/// CLOCK_MONOTONIC: nanoseconds since boot, without the time of suspension. The clock of live sources and real-time
/// replay.
///
/// It is also the clock that Foundation's `ProcessInfo.systemUptime` reads on Linux, so that a client's
/// `Date() - (systemUptime - timestamp)` holds.
public struct MonotonicClock: SensorClock {
  public init() {}

  public var now: SensorInstant { SensorInstant(nanoseconds: motion_monotonic_nanoseconds()) }

  public func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    let left = deadline - now
    guard left > .zero else { return true }
    return !wake.wait(limit: left)
  }

  public func beginWork() {}
  public func endWork() {}
}

/// A clock that never waits: a recording on it plays as fast as its consumers process it.
public struct FreeRunningClock: SensorClock {
  public init() {}
  public var now: SensorInstant { SensorInstant(nanoseconds: 0) }
  public func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool { true }
  public func beginWork() {}
  public func endWork() {}
  public var isFreeRunning: Bool { true }
}

/// The time line of a recording, mapped to another clock: shifted so that `anchor` on the base clock is `origin` here,
/// and running `rate` times as fast.
package struct RecordingClock: SensorClock {
  private let base: any SensorClock
  private let anchor: SensorInstant
  private let origin: SensorInstant
  private let rate: Double

  /// `rate` must be positive; 2 plays twice as fast.
  package init(base: any SensorClock, anchor: SensorInstant, origin: SensorInstant, rate: Double = 1) {
    precondition(rate > 0 && rate.isFinite, "A recording's rate must be a positive number.")
    self.base = base
    self.anchor = anchor
    self.origin = origin
    self.rate = rate
  }

  package var now: SensorInstant {
    origin + SensorDuration(nanoseconds: Int64(clamping: Double((base.now - anchor).nanoseconds) * rate))
  }

  package func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    // Rounded up: at a whole rate the deadline is never met a nanosecond early. What lies beyond the base clock's range
    // is its last instant: a deadline that never comes must not count as reached.
    let ahead = (Double(deadline.nanoseconds.clamped(minus: origin.nanoseconds)) / rate).rounded(.up)
    let nanoseconds = Int64(exactly: ahead) ?? (ahead < 0 ? .min : .max)
    return base.wait(until: SensorInstant(nanoseconds: anchor.nanoseconds.clamped(plus: nanoseconds)), wake: wake)
  }

  package func beginWork() { base.beginWork() }
  package func endWork() { base.endWork() }
  package var isFreeRunning: Bool { base.isFreeRunning }
}
