// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost

/// Counts steps; ``CMPedometer`` has taken its place (S72).
///
/// This version has no step detector, so nothing is available: a start and a query answer, once, with
/// `CMErrorMotionActivityNotAvailable`.
@available(*, deprecated, message: "Use CMPedometer.")
open class CMStepCounter: NSObject {
  private let hosts = ManagerHost()

  public override init() { super.init() }

  /// Whether steps can be counted: false until there is a step detector.
  open class func isStepCountingAvailable() -> Bool { false }

  /// Asks for the steps between two dates. The handler is called once, later, on `queue`.
  open func queryStepCountStarting(
    from start: Date, to end: Date, to queue: OperationQueue, withHandler handler: @escaping CMStepQueryHandler
  ) {
    let host = hosts.current
    let refusal = host.activityRefusal("steps")
    queue.answer(in: host) { handler(0, refusal) }
  }

  /// Starts to count; the handler hears of about every `stepCounts` steps. An error where steps cannot be counted.
  open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int, withHandler handler: @escaping CMStepUpdateHandler
  ) {
    let host = hosts.current
    let refusal = host.activityRefusal("steps")
    queue.answer(in: host) { handler(0, Date(), refusal) }
  }
  /// Ends what ``startStepCountingUpdates(to:updateOn:withHandler:)`` began.
  open func stopStepCountingUpdates() {}
}
