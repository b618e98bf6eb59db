// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MotionHost
import MotionSensing
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

  /// Whether the queue is the manager's own: its client cannot pass another.
  let isOwn: Bool

  init(_ queue: OperationQueue, isOwn: Bool = false) { (self.queue, self.isOwn) = (queue, isOwn) }

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

  /// A program whose main thread does not serve its queue would hear nothing for ever, in silence (G7).
  private func watch(_ operation: LaneOperation) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak operation] in
      guard let operation, !operation.isExecuting, !operation.isFinished, !operation.isCancelled else { return }
      operation.host.report(
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
/// Until it is released it counts as outstanding work of the host's clock, so that virtual time waits for it.
///
/// `@unchecked Sendable`: its properties are constants and an atomic number; the closure is handed from the thread that
/// asks to the one thread that runs the operation.
class LaneOperation: Operation, @unchecked Sendable {
  private enum Phase { static let new = 0, enqueued = 1, over = 2 }

  let host: MotionHost
  private let lane: Lane?
  private let phase = Atomic<Int>(Phase.new)

  /// `lane` nil: the caller adds it to a queue itself.
  init(lane: Lane?, host: MotionHost) {
    (self.lane, self.host) = (lane, host)
    super.init()
    host.clock.beginWork()
  }

  deinit {
    end(isCancelled: true)
    host.clock.endWork()
  }

  /// What the client gets.
  func call() {}
  /// What is said when the client's closure may not run on this queue.
  var trapText: HandlerTrap.Text? { HandlerTrap.answer }

  override final func main() {
    // The scope in which the manager lives is bound again, so that a manager made in a handler finds the same host.
    HandlerTrap.explaining(trapText) { MotionHost.$scoped.withValue(host) { call() } }
    end(isCancelled: isCancelled)
  }

  fileprivate func isEnqueued() { phase.store(Phase.enqueued, ordering: .releasing) }

  /// Tells the lane once; an operation that has not been in its queue has nothing to tell.
  private func end(isCancelled: Bool) {
    let (wasEnqueued, _) = phase.compareExchange(
      expected: Phase.enqueued, desired: Phase.over, ordering: .acquiringAndReleasing)
    if wasEnqueued { lane?.didEnd(isCancelled: isCancelled) }
  }
}
