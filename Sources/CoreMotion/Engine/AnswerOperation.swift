// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing

/// Carries one answer, or one call of a delegate, to its queue.
///
/// Until it is released it counts as outstanding work of the host's clock, so that virtual time waits for it.
///
/// `@unchecked Sendable`: its properties are constants; the closure is handed from the thread that asks to the one thread that
/// runs the operation.
final class AnswerOperation: Operation, @unchecked Sendable {
  private let host: MotionHost
  private let body: () -> Void

  init(host: MotionHost, body: @escaping () -> Void) {
    self.host = host
    self.body = body
    super.init()
    host.clock.beginWork()
  }

  deinit { host.clock.endWork() }

  override func main() { MotionHost.$scoped.withValue(host, operation: body) }
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
