// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A clock that a test sets by hand, for sources that wait for the network: time stands still while a message is under
/// way, so what is measured does not depend on the load of the machine. (Sources that wait for the clock alone are
/// better on a `VirtualClock`.)
final class HandClock: SensorClock {
  private struct State {
    var now = SensorInstant(nanoseconds: 1_000_000_000_000)
    var waiting: [ObjectIdentifier: WakeSignal] = [:]
  }

  private let state = Lock(State())

  var now: SensorInstant { state.withLock { $0.now } }

  func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    let isReached = state.withLock { state in
      if deadline > state.now { state.waiting[ObjectIdentifier(wake)] = wake }
      return deadline <= state.now
    }
    guard !isReached else { return true }
    _ = wake.wait(limit: nil)
    return state.withLock { state in
      state.waiting[ObjectIdentifier(wake)] = nil
      return deadline <= state.now
    }
  }

  func beginWork() {}
  func endWork() {}

  /// Moves time, and wakes who waits for it.
  func advance(by duration: SensorDuration) {
    let waiting = state.withLock { state in
      state.now = state.now + duration
      return Array(state.waiting.values)
    }
    for wake in waiting { wake.signal() }
  }
}
