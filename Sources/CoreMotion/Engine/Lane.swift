// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MotionHost
import MotionSensing
import MotionServices
import Synchronization

/// The operations of one client on one queue, one after the other on every kind of queue (D29).
///
/// A serial queue gets each operation at once. A concurrent queue, such as a plain `OperationQueue()`, would run
/// several at a time and in any order: it gets an operation when the one before has returned. A client that cancels the
/// operations of its queue also cancels those that wait here.
final class Lane: Sendable {
  /// The client's queue.
  let queue: OperationQueue

  /// A queue of two arrays, so that taking the first out is cheap however many wait.
  private struct State {
    var running = 0
    var incoming: [LaneOperation] = []
    var outgoing: [LaneOperation] = []

    var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

    mutating func next() -> LaneOperation? {
      if outgoing.isEmpty { (outgoing, incoming) = (incoming.reversed(), []) }
      return outgoing.popLast()
    }
  }

  private let state = Lock(State())
  private let isWatched = Atomic<Bool>(false)

  init(_ queue: OperationQueue) { self.queue = queue }

  /// Adds an operation to the queue, now or when it is its turn.
  func add(_ operation: LaneOperation) {
    let isSerial = queue.maxConcurrentOperationCount == 1
    let isItsTurn = state.withLock { state in
      guard state.isEmpty, isSerial || state.running == 0 else {
        state.incoming.append(operation)
        return false
      }
      state.running += 1
      return true
    }
    if isItsTurn { enqueue(operation) }
  }

  private func enqueue(_ operation: LaneOperation) {
    operation.isEnqueued()
    queue.addOperation(operation)
    if queue === OperationQueue.main, !isWatched.exchange(true, ordering: .relaxed) { watch(operation) }
  }

  /// A program whose main thread does not serve its queue would receive nothing for ever, in silence (G7).
  private func watch(_ operation: LaneOperation) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak operation] in
      guard let operation, !operation.isExecuting, !operation.isFinished, !operation.isCancelled else { return }
      operation.start.host.report(
        "The main queue has not called a handler for a second: let the main thread run its queue (RunLoop.main.run(), dispatchMain() or an asynchronous main), or pass a queue of your own."
      )
    }
  }

  /// An operation of the queue is over. What waits is dropped when that was by cancellation.
  fileprivate func didEnd(isCancelled: Bool) {
    let (next, dropped) = state.withLock { state -> (LaneOperation?, [LaneOperation]) in
      state.running -= 1
      guard !isCancelled else {
        defer { (state.incoming, state.outgoing) = ([], []) }
        return (nil, state.incoming + state.outgoing)
      }
      guard state.running == 0, let next = state.next() else { return (nil, []) }
      state.running = 1
      return (next, [])
    }
    // Released outside the lock: their samples may be of a client's class.
    withExtendedLifetime(dropped) {}
    if let next { enqueue(next) }
  }
}

/// Calls a client once, on its queue, with the host's scope bound.
///
/// `@unchecked Sendable`: its properties are constants and an atomic number.
class LaneOperation: Operation, @unchecked Sendable {
  private enum Phase { static let new = 0, enqueued = 1, over = 2 }

  let start: HandlerStart
  private let phase = Atomic<Int>(Phase.new)

  init(_ start: HandlerStart) {
    self.start = start
    super.init()
    start.outstanding.begin()
  }

  deinit {
    end(isCancelled: true)
    start.outstanding.end()
  }

  /// What the client gets.
  func call() {}

  override final func main() {
    // The scope in which the manager lives is bound again, so that a manager made in a handler finds the same host.
    HandlerTrap.explaining(start.trapText) {
      MotionHost.$scoped.withValue(start.host) { if start.isCurrent { call() } }
    }
    end(isCancelled: isCancelled)
  }

  fileprivate func isEnqueued() { phase.store(Phase.enqueued, ordering: .releasing) }

  /// Informs the lane once, and only of an operation that has been in its queue.
  private func end(isCancelled: Bool) {
    let (wasEnqueued, _) = phase.compareExchange(
      expected: Phase.enqueued, desired: Phase.over, ordering: .acquiringAndReleasing)
    if wasEnqueued { start.lane?.didEnd(isCancelled: isCancelled) }
  }
}
