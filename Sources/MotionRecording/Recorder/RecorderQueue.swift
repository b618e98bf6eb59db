// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionMath
import MotionSensing

/// The bounded buffer between the thread of a source and the thread that writes.
///
/// A live source never waits: items that do not fit are counted, and a gap in the recording reports them. An on-demand
/// source waits. The writer takes everything at once; it wakes up when the buffer is a quarter full, or by its own time
/// limit, so that a fast source does not cost a wake-up per sample.
///
/// `@unchecked Sendable`: `state` is accessed only while `mutex` is held. A wait releases it, therefore no `inout`
/// access spans a wait, and the state is read again after each. Unsafe: what threads wait on may not move.
final class RecorderQueue: @unchecked Sendable {
  /// How a wait of the writer ended.
  enum Arrival {
    /// There may be items, and there may come more.
    case some
    /// Nothing more will come.
    case last
  }

  private struct State {
    var items: [RecordedItem] = []
    var isClosed = false
    /// Since the last item that found room.
    var lost = 0
    var lostFrom: SensorInstant?
    var lostUntil: SensorInstant?
    var allLost = 0
  }

  private let capacity: Int
  private let waitsForRoom: Bool
  private var state = State()
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let emptied = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// `waitsForRoom`: whether a full buffer holds the source up instead of losing its samples.
  init(capacity: Int, waitsForRoom: Bool) {
    self.capacity = max(1, capacity)
    self.waitsForRoom = waitsForRoom
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    for condition in [arrived, emptied] {
      condition.initialize(to: pthread_cond_t())
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      // A wall clock that is set must not stretch the wait.
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    }
  }

  deinit {
    for condition in [arrived, emptied] {
      pthread_cond_destroy(condition)
      condition.deallocate()
    }
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Items that found no room, so far.
  var lost: Int { locked { state.allLost } }

  /// Hands an item to the writer. Nothing is taken any more once the queue is closed.
  func append(_ item: RecordedItem) {
    locked {
      while waitsForRoom, !state.isClosed, state.items.count >= capacity {
        pthread_cond_signal(arrived)
        pthread_cond_wait(emptied, mutex)
      }
      guard !state.isClosed else { return }
      guard state.items.count < capacity else {
        state.lost += 1
        state.allLost += 1
        state.lostFrom = state.lostFrom ?? item.time
        state.lostUntil = item.time
        return
      }
      reportLoss()
      state.items.append(item)
      if state.items.count == capacity / 4 + 1 { pthread_cond_signal(arrived) }
    }
  }

  /// The loss becomes an item of its own, once there is room again.
  private func reportLoss() {
    guard state.lost > 0, let from = state.lostFrom, let until = state.lostUntil else { return }
    state.items.append(.event(.gap(from, service: "recorder", duration: until - from, lost: state.lost)))
    (state.lost, state.lostFrom, state.lostUntil) = (0, nil, nil)
  }

  /// Nothing more will come; who waits for room, or for items, goes on.
  func close() {
    locked {
      state.isClosed = true
      pthread_cond_broadcast(arrived)
      pthread_cond_broadcast(emptied)
    }
  }

  /// Swaps everything there is for the writer's emptied `batch`, after at most `limit`.
  func drain(into batch: inout [RecordedItem], limit: SensorDuration) -> Arrival {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = max(0, limit.nanoseconds).clamped(plus: Int64(deadline.tv_nsec))
    deadline.tv_sec += Int(nanoseconds / 1_000_000_000)
    deadline.tv_nsec = Int(nanoseconds % 1_000_000_000)
    return locked {
      while !state.isClosed, state.items.count <= capacity / 4 {
        if pthread_cond_timedwait(arrived, mutex, &deadline) == ETIMEDOUT { break }
      }
      if state.isClosed { reportLoss() }
      swap(&state.items, &batch)
      pthread_cond_broadcast(emptied)
      return state.isClosed ? .last : .some
    }
  }
}
