// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor.

/// Receives steps, or an error.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void
/// Receives pauses and resumptions, or an error.
public typealias CMPedometerEventHandler = (CMPedometerEvent?, (any Error)?) -> Void

/// Receives the steps of a span of time, or an error.
@available(*, deprecated, message: "Use CMPedometer and CMPedometerHandler.")
public typealias CMStepQueryHandler = (Int, (any Error)?) -> Void
/// Receives the steps since the start and the time of the latest, or an error.
@available(*, deprecated, message: "Use CMPedometer and CMPedometerHandler.")
public typealias CMStepUpdateHandler = (Int, Date, (any Error)?) -> Void

/// Counts steps, live or in the past, and notices when a walking person pauses.
///
/// Handlers run on a serial queue of the pedometer's own, never on the main thread (S65). This version has no step detector,
/// so nothing is available: a start and a query answer, once, with `CMErrorMotionActivityNotAvailable`.
open class CMPedometer: NSObject {
  private let hosts = ManagerHost()
  private let queue = OperationQueue.serial(named: "CMPedometer")

  public override init() { super.init() }

  /// Whether steps can be counted: false until there is a step detector.
  open class func isStepCountingAvailable() -> Bool { false }
  /// Whether the distance can be estimated: false until there is a step detector.
  open class func isDistanceAvailable() -> Bool { false }
  /// Whether floors can be counted: false until there is a step detector.
  open class func isFloorCountingAvailable() -> Bool { false }
  /// Whether the pace can be estimated: false until there is a step detector.
  open class func isPaceAvailable() -> Bool { false }
  /// Whether the cadence can be estimated: false until there is a step detector.
  open class func isCadenceAvailable() -> Bool { false }
  /// Whether pauses are noticed: false until there is a step detector.
  open class func isPedometerEventTrackingAvailable() -> Bool { false }
  /// Whether the program may count steps.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// Asks for the steps between two dates. The handler is called once, later, on the pedometer's queue (S66).
  open func queryPedometerData(from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler) {
    refuse(handler)
  }

  /// Starts to count the steps since `start`; an error where steps cannot be counted.
  open func startUpdates(from start: Date, withHandler handler: @escaping CMPedometerHandler) { refuse(handler) }
  /// Ends what ``startUpdates(from:withHandler:)`` began.
  open func stopUpdates() {}
  /// Starts to tell of pauses; an error where they are not noticed.
  open func startEventUpdates(handler: @escaping CMPedometerEventHandler) { refuse(handler) }
  /// Ends what ``startEventUpdates(handler:)`` began.
  open func stopEventUpdates() {}

  /// Tells a handler, later, why it gets nothing.
  private func refuse<Value>(_ handler: @escaping (Value?, (any Error)?) -> Void) {
    let host = hosts.current
    let refusal = host.activityRefusal("steps")
    queue.answer(in: host) { handler(nil, refusal) }
  }
}
