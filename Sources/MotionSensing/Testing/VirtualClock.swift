// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A clock that only a test advances.
///
/// ```swift
/// await clock.advance(by: .seconds(1))   // 100 samples of a 100 Hz source have now been handled
/// ```
///
/// `advance` returns when every source waits again and every handler has returned. Sources wake one at a time, by
/// deadline, then by the number of their wake signal, so a test has the same interleaving on every run. It never
/// returns while a handler blocks, or while a queue with work is suspended.
public final class VirtualClock: SensorClock {
  private struct State {
    var now: SensorInstant
    var work = 0
    var waiters: [ObjectIdentifier: (deadline: SensorInstant, wake: WakeSignal)] = [:]
    var idle: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>

  /// A clock that shows 0, or another time.
  public init(at now: SensorInstant = SensorInstant(nanoseconds: 0)) { state = Lock(State(now: now)) }

  public var now: SensorInstant { state.withLock { $0.now } }

  public func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    let key = ObjectIdentifier(wake)
    let reached = state.withLock { state -> Bool in
      if deadline <= state.now { return true }
      state.waiters[key] = (deadline, wake)
      return false
    }
    if reached { return true }
    endWork()  // this source sleeps
    // The signal stays visible until this source counts as work again: else `advance` could miss that it is awake.
    wake.waitUntilPending()
    return state.withLock { state -> Bool in
      wake.drain()
      // Gone from the table: `advance` or `settle` has counted this work already.
      if state.waiters.removeValue(forKey: key) != nil { state.work += 1 }
      return deadline <= state.now
    }
  }

  public func beginWork() { state.withLock { $0.work += 1 } }

  public func endWork() {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.work -= 1
      guard state.work == 0 else { return [] }
      return exchange(&state.idle, with: [])
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when no work is left, without advancing time.
  public func settle() async {
    repeat { await idle() } while wakeTheSignalled()
  }

  private func idle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state -> Bool in
        if state.work == 0 { return true }
        state.idle.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }

  /// A source whose signal is pending (stopped, or asked for something else) is about to wake: that is work. True when
  /// there is any work.
  private func wakeTheSignalled() -> Bool {
    state.withLock { state in
      for (key, waiter) in state.waiters where waiter.wake.isPending {
        state.waiters[key] = nil
        state.work += 1
      }
      return state.work != 0
    }
  }

  /// Advances time by `duration`, waking each source at each of its deadlines.
  public func advance(by duration: SensorDuration) async {
    await settle()
    let target = now + duration
    while true {
      let wake = state.withLock { state -> WakeSignal? in
        let first = state.waiters.min {
          ($0.value.deadline, $0.value.wake.number) < ($1.value.deadline, $1.value.wake.number)
        }
        guard let first, first.value.deadline <= target else {
          state.now = max(state.now, target)
          return nil
        }
        state.now = max(state.now, first.value.deadline)
        state.waiters[first.key] = nil
        state.work += 1
        return first.value.wake
      }
      guard let wake else { return }
      wake.signal()
      await settle()
    }
  }
}
