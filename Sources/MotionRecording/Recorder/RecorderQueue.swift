// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The bounded buffer between the thread of a source and the thread that writes.
///
/// A live source never waits: items that do not fit are counted, and a gap in the recording reports them. An on-demand
/// source waits. The writer takes everything at once; it wakes up when the buffer is a quarter full, or by its own time
/// limit, so that a fast source does not cost a wake-up per sample.
final class RecorderQueue: Sendable {
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

    /// The loss becomes an item of its own, once there is room again.
    mutating func reportLoss() {
      guard lost > 0, let from = lostFrom, let until = lostUntil else { return }
      items.append(.event(.gap(from, service: "recorder", duration: until - from, lost: lost)))
      (lost, lostFrom, lostUntil) = (0, nil, nil)
    }
  }

  private let capacity: Int
  private let waitsForRoom: Bool
  private let state = Lock(State())
  /// Wakes the writer; wakes who waits for room.
  private let arrived = WakeSignal(), emptied = WakeSignal()

  /// `waitsForRoom`: whether a full buffer holds the source up instead of losing its samples.
  init(capacity: Int, waitsForRoom: Bool) { (self.capacity, self.waitsForRoom) = (max(1, capacity), waitsForRoom) }

  /// Items that found no room, so far.
  var lost: Int { state.withLock { $0.allLost } }

  /// Hands an item to the writer. Nothing is taken any more once the queue is closed.
  func append(_ item: RecordedItem) {
    while !isDone(with: item) {
      arrived.signal()
      _ = emptied.wait(limit: nil)
    }
  }

  /// False where the source has to wait for room.
  private func isDone(with item: RecordedItem) -> Bool {
    let (isDone, isClosed, count) = state.withLock { state -> (Bool, Bool, Int) in
      guard !state.isClosed else { return (true, true, 0) }
      guard state.items.count < capacity else {
        if waitsForRoom { return (false, false, 0) }
        state.lost += 1
        state.allLost += 1
        state.lostFrom = state.lostFrom ?? item.time
        state.lostUntil = item.time
        return (true, false, 0)
      }
      state.reportLoss()
      state.items.append(item)
      return (true, false, state.items.count)
    }
    if count == capacity / 4 + 1 { arrived.signal() }
    // A signal wakes one; another thread may wait, too.
    if isClosed { emptied.signal() }
    return isDone
  }

  /// Nothing more will come; who waits for room, or for items, goes on.
  func close() {
    state.withLock { $0.isClosed = true }
    arrived.signal()
    emptied.signal()
  }

  /// Swaps everything there is for the writer's emptied `batch`, after at most `limit`.
  func drain(into batch: inout [RecordedItem], limit: SensorDuration) -> Arrival {
    let clock = MonotonicClock()
    let deadline = clock.now + limit
    while state.withLock({ !$0.isClosed && $0.items.count <= capacity / 4 }),
      arrived.wait(limit: max(.zero, deadline - clock.now))
    {}
    let isClosed = state.withLock { state in
      if state.isClosed { state.reportLoss() }
      swap(&state.items, &batch)
      return state.isClosed
    }
    if waitsForRoom { emptied.signal() }
    return isClosed ? .last : .some
  }
}
