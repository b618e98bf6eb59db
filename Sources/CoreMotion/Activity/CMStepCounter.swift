// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Counts steps; ``CMPedometer`` has taken its place (S72), and counts for it.
@available(*, deprecated, message: "Use CMPedometer.")
open class CMStepCounter: NSObject {
  private let hosts = ManagerHost()
  private let updates = UpdateService<CMPedometerData.Values, CMPedometerData> { CMPedometerData($0) }

  public override init() {
    super.init()
    updates.interval = MotionHost.activityInterval
  }

  /// Whether the source measures acceleration.
  open class func isStepCountingAvailable() -> Bool { MotionHost.hasActivity }

  /// Asks for the steps between two dates. The handler is called once, later, on `queue`.
  open func queryStepCountStarting(
    from start: Date, to end: Date, to queue: OperationQueue, withHandler handler: @escaping CMStepQueryHandler
  ) {
    hosts.current.answer("steps", from: start, to: end, on: queue) { history in
      try history.steps(from: start, to: end).steps
    } handler: {
      handler($0 ?? 0, $1)
    }
  }

  /// Starts to count; the handler hears of about every `stepCounts` steps, with all steps since the start. A second
  /// start begins at 0 again. Where steps cannot be counted, it gets one error.
  open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int, withHandler handler: @escaping CMStepUpdateHandler
  ) {
    let host = hosts.current
    switch host.activityHub("steps") {
    case .failure(let refusal):
      updates.refuse(refusal, lane: Lane(queue), handler: { handler(0, host.now, $1) }, host: host)
    case .success(let hub):
      let translator = PedometerTranslator(from: host.now, host: host)
      let told = Lock(0)
      updates.start(
        .activity, of: hub, host: host, on: Lane(queue),
        handler: { handler($0?.numberOfSteps.intValue ?? 0, $0?.endDate ?? host.now, $1) }, keepsLatest: false,
        translator: translator.translator(for: updates) { values in
          told.withLock { told in
            guard values.numberOfSteps - told >= max(1, stepCounts) else { return false }
            told = values.numberOfSteps
            return true
          }
        })
    }
  }
  /// Ends what ``startStepCountingUpdates(to:updateOn:withHandler:)`` began.
  open func stopStepCountingUpdates() { updates.stop() }
}
