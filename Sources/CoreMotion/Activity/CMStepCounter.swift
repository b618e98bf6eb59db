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

  /// Starts to count; the handler is called about every `stepCounts` steps, with all steps since the start. A second
  /// start begins at 0 again. Where steps cannot be counted, it gets one error.
  open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int, withHandler handler: @escaping CMStepUpdateHandler
  ) {
    let host = hosts.current
    let start = HandlerStart(host, to: queue, for: Int.self)
    let dataHandler: CMPedometerHandler = {
      handler($0?.numberOfSteps.intValue ?? 0, $0?.endDate ?? host.now, $1)
    }
    switch host.activityHub("steps") {
    case .failure(let refusal): start.refuse(refusal, dataHandler)
    case .success(let hub):
      let translator = PedometerTranslator(from: host.now, host: host)
      let last = Lock(0)
      updates.start(.activity, of: hub, start, dataHandler, keepsLatest: false) { output in
        translator.sink(for: output) { values in
          last.withLock { last in
            guard values.numberOfSteps - last >= max(1, stepCounts) else { return false }
            last = values.numberOfSteps
            return true
          }
        }
      }
    }
  }
  /// Ends what ``startStepCountingUpdates(to:updateOn:withHandler:)`` began.
  open func stopStepCountingUpdates() { updates.stop() }
}
