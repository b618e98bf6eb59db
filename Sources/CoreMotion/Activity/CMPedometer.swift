// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

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
/// ```swift
/// let pedometer = CMPedometer()
/// pedometer.startUpdates(from: Calendar.current.startOfDay(for: Date())) { data, error in
///   guard let data else { return }
///   print(data.numberOfSteps, "steps,", data.distance ?? 0, "m")
/// }
/// ```
///
/// Steps are counted from the acceleration of the device's source, held back until four of them are certain, and then
/// reported every 2.56 s during a walk, up to a second before (`endDate`). What lies before the start comes from the
/// history: a recorder's file on a computer where `motionctl history record` runs, else what this program has
/// recorded itself.
///
/// Handlers run on a serial queue of the pedometer's own, never on the main thread (S65). Without an accelerometer a
/// start and a query answer, once, with `CMErrorMotionActivityNotAvailable`. Keep the pedometer: when the last
/// reference goes, its updates end.
open class CMPedometer: NSObject {
  private let hosts = ManagerHost()
  private let queue = OperationQueue.serial(named: "CMPedometer")
  private let updates = UpdateService<CMPedometerData.Values, CMPedometerData> { CMPedometerData($0) }
  private let events = UpdateService<(date: Date, type: CMPedometerEventType), CMPedometerEvent> {
    CMPedometerEvent(date: $0.date, type: $0.type)
  }

  public override init() {
    super.init()
    updates.interval = MotionHost.activityInterval
    events.interval = MotionHost.activityInterval
  }

  /// Whether the source measures acceleration.
  open class func isStepCountingAvailable() -> Bool { MotionHost.hasActivity }
  /// Whether the distance can be estimated: wherever steps are counted. It follows from number, rate and a height.
  open class func isDistanceAvailable() -> Bool { MotionHost.hasActivity }
  /// Whether floors can be counted: where steps are counted and the source has a barometer.
  open class func isFloorCountingAvailable() -> Bool {
    MotionHost.hasActivity && MotionHost.current.device(serving: .airPressure) != nil
  }
  /// Whether the pace can be estimated: wherever steps are counted.
  open class func isPaceAvailable() -> Bool { MotionHost.hasActivity }
  /// Whether the cadence can be estimated: wherever steps are counted.
  open class func isCadenceAvailable() -> Bool { MotionHost.hasActivity }
  /// Whether pauses are noticed: wherever steps are counted.
  open class func isPedometerEventTrackingAvailable() -> Bool { MotionHost.hasActivity }
  /// Whether the program may count steps.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// Asks for the steps between two dates. The handler is called once, later, on the pedometer's queue (S66). The
  /// history reaches back seven days; of an older start the part that exists is returned. Queries that adjoin add up.
  open func queryPedometerData(from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler) {
    hosts.current.answer("steps", from: start, to: end, on: queue) { history in
      CMPedometerData(.init(try history.steps(from: start, to: end), from: start, to: end))
    } handler: {
      handler($0, $1)
    }
  }

  /// Starts to count the steps since `start`, which may lie in the past; a second start replaces the first. Where steps
  /// cannot be counted, the handler gets one error.
  open func startUpdates(from start: Date, withHandler handler: @escaping CMPedometerHandler) {
    self.start(updates, handler) { PedometerTranslator(from: start, host: $0).sink(for: $1) }
  }
  /// Ends what ``startUpdates(from:withHandler:)`` began.
  open func stopUpdates() { updates.stop() }

  /// Starts to report pauses, sooner than the count can show them (S68); where they are not noticed, the handler
  /// gets one error.
  open func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    start(events, handler) { host, output in
      let (estimator, use) = (Lock(host.activityEstimator(for: host.device)), host.history.keep())
      return HubSink(sample: { sample in
        guard let event = estimator.withLock({ $0.update(sample)?.event }),
          let type = CMPedometerEventType(rawValue: event.kind.rawValue)
        else { return }
        withExtendedLifetime(use) { output.emit((host.date(of: event.time), type)) }
      })
    }
  }
  /// Ends what ``startEventUpdates(handler:)`` began.
  open func stopEventUpdates() { events.stop() }

  private func start<Value, Object>(
    _ service: UpdateService<Value, Object>, _ handler: @escaping UpdateService<Value, Object>.Handler,
    sink: (MotionHost, ServiceOutput<Value, Object>) -> HubSink
  ) {
    let host = hosts.current
    let start = HandlerStart(host, to: queue, isOwn: true, for: Object.self)
    switch host.activityHub("steps") {
    case .failure(let refusal): start.refuse(refusal, handler)
    case .success(let hub): service.start(.activity, of: hub, start, handler, keepsLatest: false) { sink(host, $0) }
    }
  }
}
