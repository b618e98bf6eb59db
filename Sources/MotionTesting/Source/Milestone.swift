// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Something that happens once, and that one task at a time may wait for, but not for ever.
final class Milestone: Sendable {
  private struct State {
    var isReached = false
    var isExpired = false
    var waiter: CheckedContinuation<Bool, Never>?
  }
  private let state = Lock(State())

  /// It has happened.
  func reach() {
    let waiter = state.withLock { state in
      state.isReached = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: true)
  }

  /// Waits until it has happened (true), at most `limit` of real time (false).
  func wait(limit: SensorDuration) async -> Bool {
    state.withLock { $0.isExpired = false }
    let timer = Task {
      try await Task.sleep(for: .nanoseconds(limit.nanoseconds))
      expire()
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let result = state.withLock { state -> Bool? in
        if state.isReached { return true }
        // The timer may have been quicker than this.
        if state.isExpired { return false }
        state.waiter = continuation
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  private func expire() {
    let waiter = state.withLock { state in
      state.isExpired = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: false)
  }
}
