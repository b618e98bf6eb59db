// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices
import Synchronization

/// One call of `start…(to:withHandler:)`, or one answer: where its operations go, whether they still count, and how
/// many are outstanding.
final class HandlerStart: Sendable {
  let host: MotionHost
  /// Nil in pull mode.
  let lane: Lane?
  /// Nil on the main queue, where no handler is wrong.
  let trapText: HandlerTrap.Text?
  /// Counts each operation from its creation to its deallocation: run, cancelled, or released with its queue.
  let outstanding: Outstanding
  private let current = Atomic<Bool>(true)
  private let isBehind = Atomic<Bool>(false)

  /// Operations for a queue, nil = none: pull mode. `type` is that of the handler's object; `isOwn` = the queue is the
  /// manager's own: its client cannot pass another.
  convenience init<Object>(
    _ host: MotionHost, to queue: OperationQueue?, isOwn: Bool = false, for type: Object.Type, window: Int = 64
  ) {
    self.init(
      host, queue.map { Lane($0) }, window: window,
      trapText: queue.flatMap {
        $0 === OperationQueue.main ? nil : HandlerTrap.Text("The handler for \(type)", takesQueue: !isOwn)
      })
  }

  /// Answers, and calls of a delegate, on a lane.
  init(
    _ host: MotionHost, _ lane: Lane?, window: Int = 64, trapText: HandlerTrap.Text? = HandlerTrap.answer
  ) {
    (self.host, self.lane, self.trapText) = (host, lane, trapText)
    outstanding = Outstanding(window: window, clock: host.clock)
  }

  /// False after stop and after a second start: operations that have not begun are dropped (D6).
  var isCurrent: Bool { current.load(ordering: .acquiring) }
  func end() { current.store(false, ordering: .releasing) }

  /// A live source never waits: that a handler has fallen far behind is reported once.
  func checkBacklog() {
    let count = outstanding.count
    guard count > MotionHost.backlogLimit, !isBehind.exchange(true, ordering: .relaxed) else { return }
    host.reportBacklog(count)
  }

  /// Answers a start whose service can never deliver (D43): the log says it, and the handler, if there is one, gets one
  /// error.
  func refuse<Object>(_ error: NSError, _ handler: ((Object?, (any Error)?) -> Void)?) {
    host.refuse(error.localizedDescription)
    guard let lane, let handler else { return }
    lane.add(HandlerOperation(object: nil, error: error, start: self, handler: handler))
  }
}

/// Carries one sample or one error to a handler, on its queue, with the host's scope bound.
///
/// `@unchecked Sendable`: its properties are constants; the handler is a plain closure, as Apple's are, and it and the
/// sample object are handed from the source's thread to the one thread that runs the operation.
final class HandlerOperation<Object>: LaneOperation, @unchecked Sendable {
  private let object: Object?
  private let late: (() -> Object)?
  private let error: (any Error)?
  private let handler: (Object?, (any Error)?) -> Void

  /// `late` makes the object on the client's queue, for what is costly to make: batches.
  init(
    object: Object?, late: (() -> Object)? = nil, error: (any Error)?, start: HandlerStart,
    handler: @escaping (Object?, (any Error)?) -> Void
  ) {
    (self.object, self.late, self.error, self.handler) = (object, late, error, handler)
    super.init(start)
  }

  override func call() { handler(object ?? late?(), error) }
}

extension Lane {
  /// Runs `body` once on the queue, later, with the host's scope bound: an answer, or a call of a delegate. The queue
  /// lives until then.
  func call(in host: MotionHost, _ body: @escaping () -> Void) {
    add(HandlerOperation<Void>(object: nil, error: nil, start: HandlerStart(host, self)) { _, _ in body() })
  }
}

extension OperationQueue {
  /// Runs `body` once on this queue, later, with the host's scope bound.
  func answer(in host: MotionHost, _ body: @escaping () -> Void) { Lane(self).call(in: host, body) }

  /// A queue that runs one handler at a time, in order, off the main thread.
  static func serial(named name: String) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = name
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInitiated
    return queue
  }
}
