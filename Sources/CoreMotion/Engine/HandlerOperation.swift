// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices
import Synchronization

/// One call of `start…(to:withHandler:)`: its queue, its handler, and whether it still counts.
///
/// `@unchecked Sendable`: the handler is a plain closure, as Apple's are, and runs on the client's queue only; nothing
/// here changes but the atomic flag.
final class HandlerStart<Object>: @unchecked Sendable {
  let lane: Lane
  let handler: (Object?, (any Error)?) -> Void
  /// Nil on the main queue, where no handler is wrong.
  let trapText: HandlerTrap.Text?
  private let current = Atomic<Bool>(true)
  /// Operations that count against the subscription's window.
  private let pending = Atomic<Int>(0)

  init(_ lane: Lane, handler: @escaping (Object?, (any Error)?) -> Void) {
    self.lane = lane
    self.handler = handler
    trapText =
      lane.queue === OperationQueue.main
      ? nil : HandlerTrap.Text("The handler for \(Object.self)", takesQueue: !lane.isOwn)
  }

  /// False after stop and after a second start: operations that have not begun are dropped (D6).
  var isCurrent: Bool { current.load(ordering: .acquiring) }
  func end() { current.store(false, ordering: .releasing) }

  /// One more operation counts as outstanding.
  func willHandle(_ subscription: Subscription) {
    pending.add(1, ordering: .relaxed)
    subscription.willHandle()
  }

  /// An operation has been released: the window has room for another, unless ``releasePending(_:)`` did so already.
  func didHandle(_ subscription: Subscription) {
    var count = pending.load(ordering: .relaxed)
    while count > 0 {
      let result = pending.compareExchange(expected: count, desired: count - 1, ordering: .relaxed)
      if result.exchanged { return subscription.didHandle() }
      count = result.original
    }
  }

  /// After a replacement: operations on the old queue, which may never run again, must not hold up the new handler.
  func releasePending(_ subscription: Subscription) {
    for _ in 0..<pending.exchange(0, ordering: .relaxed) { subscription.didHandle() }
  }
}

/// Carries one sample or one error to a handler.
///
/// It counts as outstanding work from its creation to its deallocation: run, cancelled, or released with its queue.
///
/// `@unchecked Sendable`: its properties are constants; the sample object is handed from the source's thread to the one
/// thread that runs the operation.
final class HandlerOperation<Object>: LaneOperation, @unchecked Sendable {
  private let object: Object?
  private let late: (() -> Object)?
  private let error: (any Error)?
  private let start: HandlerStart<Object>
  private let subscription: Subscription?

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
    super.init(lane: start.lane, host: host)
    if let subscription { start.willHandle(subscription) }
  }

  deinit { if let subscription { start.didHandle(subscription) } }

  override func call() {
    guard start.isCurrent else { return }
    start.handler(object ?? late?(), error)
  }

  override var trapText: HandlerTrap.Text? { start.trapText }
}

/// Carries one answer, or one call of a delegate, to its queue.
///
/// `@unchecked Sendable`: as for ``LaneOperation``.
final class AnswerOperation: LaneOperation, @unchecked Sendable {
  private let body: () -> Void

  init(lane: Lane? = nil, host: MotionHost, body: @escaping () -> Void) {
    self.body = body
    super.init(lane: lane, host: host)
  }

  override func call() { body() }
}

extension OperationQueue {
  /// Runs `body` once on this queue, later, with the host's scope bound. The queue lives until then.
  func answer(in host: MotionHost, _ body: @escaping () -> Void) {
    addOperation(AnswerOperation(host: host) { withExtendedLifetime(self, body) })
  }

  /// A queue that runs one handler at a time, in order, off the main thread.
  static func serial(named name: String) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = name
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInitiated
    return queue
  }
}
