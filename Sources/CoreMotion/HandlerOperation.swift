// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import MotionHost
import MotionSensing
import MotionServices
import Synchronization

/// One call of `start…(to:withHandler:)`: its queue, its handler, and whether it still counts.
///
/// `@unchecked Sendable`: the handler is a plain closure, as Apple's are, and runs on the client's queue only; nothing here
/// changes but the atomic flag.
final class HandlerStart<Object: AnyObject>: @unchecked Sendable {
  let queue: OperationQueue
  let handler: (Object?, (any Error)?) -> Void
  private let current = Atomic<Bool>(true)

  init(queue: OperationQueue, handler: @escaping (Object?, (any Error)?) -> Void) {
    self.queue = queue
    self.handler = handler
  }

  /// False after stop and after a second start: operations that have not begun are dropped (D6).
  var isCurrent: Bool { current.load(ordering: .acquiring) }
  func end() { current.store(false, ordering: .releasing) }
}

/// Carries one sample or one error to a handler.
///
/// From its making to its deallocation it counts as outstanding work: run, cancelled, or thrown away with its queue.
///
/// `@unchecked Sendable`: its properties are constants; the sample object is handed from the source's thread to the one
/// thread that runs the operation.
final class HandlerOperation<Object: AnyObject>: Operation, @unchecked Sendable {
  private let object: Object?
  private let error: (any Error)?
  private let start: HandlerStart<Object>
  private let subscription: Subscription?
  private let host: MotionHost

  init(
    object: Object?, error: (any Error)?, start: HandlerStart<Object>, subscription: Subscription?, host: MotionHost
  ) {
    self.object = object
    self.error = error
    self.start = start
    self.subscription = subscription
    self.host = host
    super.init()
    host.clock.beginWork()
    subscription?.willHandle()
  }

  deinit {
    subscription?.didHandle()
    host.clock.endWork()
  }

  override func main() {
    guard start.isCurrent else { return }
    // The scope in which the manager lives is bound again, so that a manager made in a handler finds the same host.
    MotionHost.$scoped.withValue(host) { start.handler(object, error) }
  }
}

#endif
