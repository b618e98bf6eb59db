// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Where a source gets its time from.
///
/// `beginWork` and `endWork` bracket everything that must be over before virtual time may move: a source that runs, a handler
/// that is queued. Real clocks ignore them.
public protocol SensorClock: Sendable {
  /// The present instant.
  var now: SensorInstant { get }
  /// Blocks until the clock shows `deadline` (true) or `wake` is signalled (false).
  func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool
  func beginWork()
  func endWork()
  /// True for a clock that never makes anybody wait: every deadline is reached at once, and no time passes. Default false.
  var isFreeRunning: Bool { get }
}

extension SensorClock {
  public var isFreeRunning: Bool { false }
}
