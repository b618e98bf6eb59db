// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices
import Synchronization

/// One call of `start…(to:withHandler:)`: its queue, its handler, and whether it still counts.
///
/// `@unchecked Sendable`: the handler is a plain closure, as Apple's are, and runs on the client's queue only; nothing here
/// changes but the atomic flag.
final class HandlerStart<Object>: @unchecked Sendable {
  let queue: OperationQueue
  let handler: (Object?, (any Error)?) -> Void
  private let current = Atomic<Bool>(true)
  /// Operations made and not released, as far as they still count against the subscription's window.
  private let debts = Atomic<Int>(0)

  init(queue: OperationQueue, handler: @escaping (Object?, (any Error)?) -> Void) {
    self.queue = queue
    self.handler = handler
  }

  /// False after stop and after a second start: operations that have not begun are dropped (D6).
  var isCurrent: Bool { current.load(ordering: .acquiring) }
  func end() { current.store(false, ordering: .releasing) }

  /// One more operation counts as outstanding.
  func willHandle(_ subscription: Subscription) {
    debts.add(1, ordering: .relaxed)
    subscription.willHandle()
  }

  /// An operation has been released; it gives its credit back unless that has been forgiven.
  func didHandle(_ subscription: Subscription) {
    var debt = debts.load(ordering: .relaxed)
    while debt > 0 {
      let result = debts.compareExchange(expected: debt, desired: debt - 1, ordering: .relaxed)
      if result.exchanged { return subscription.didHandle() }
      debt = result.original
    }
  }

  /// After a replacement: what lies on the old queue, which may never run again, must not hold up the new handler.
  func forgive(_ subscription: Subscription) {
    for _ in 0..<debts.exchange(0, ordering: .relaxed) { subscription.didHandle() }
  }
}

/// Carries one sample or one error to a handler.
///
/// From its making to its deallocation it counts as outstanding work: run, cancelled, or thrown away with its queue.
///
/// `@unchecked Sendable`: its properties are constants; the sample object is handed from the source's thread to the one
/// thread that runs the operation.
final class HandlerOperation<Object>: Operation, @unchecked Sendable {
  private let object: Object?
  private let late: (() -> Object)?
  private let error: (any Error)?
  private let start: HandlerStart<Object>
  private let subscription: Subscription?
  private let host: MotionHost

  /// `late` makes the object on the client's queue, for what is costly to make: batches.
  init(
    object: Object?, late: (() -> Object)? = nil, error: (any Error)?, start: HandlerStart<Object>,
    subscription: Subscription?, host: MotionHost
  ) {
    self.object = object
    self.late = late
    self.error = error
    self.start = start
    self.subscription = subscription
    self.host = host
    super.init()
    host.clock.beginWork()
    if let subscription { start.willHandle(subscription) }
  }

  deinit {
    if let subscription { start.didHandle(subscription) }
    host.clock.endWork()
  }

  override func main() {
    guard start.isCurrent else { return }
    // The scope in which the manager lives is bound again, so that a manager made in a handler finds the same host.
    MotionHost.$scoped.withValue(host) { start.handler(object ?? late?(), error) }
  }
}
