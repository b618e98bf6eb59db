// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor.

/// Receives activities as they change. There is no error argument.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void
/// Receives the activities of a span of time, oldest first, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// Reports what the person who carries the device does: walking, running, driving and the like.
///
/// ```swift
/// let manager = CMMotionActivityManager()
/// manager.startActivityUpdates(to: .main) { activity in
///   if activity?.walking == true { print("on foot since", activity!.startDate) }
/// }
/// ```
///
/// Standing still, walking and running are recognised by a classifier that was trained on people. For vehicles and
/// bicycles there are no licensed recordings to train with: they rest on published figures, and their confidence is at
/// most medium. Keep the manager: when the last reference goes, its updates end.
open class CMMotionActivityManager: NSObject {
  private let hosts = ManagerHost()
  private let updates = UpdateService<CMMotionActivity.Values, CMMotionActivity> { CMMotionActivity($0) }

  public override init() {
    super.init()
    updates.interval = MotionHost.activityInterval
  }

  /// Whether the source measures acceleration.
  open class func isActivityAvailable() -> Bool { MotionHost.hasActivity }
  /// Whether the program may read activities.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// Asks for the activities between two dates. The handler is called once, later, on `queue` (S70). The first may have
  /// begun before `start`. No activity in the range is an error, not an empty array (S52).
  open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    hosts.current.answer("motion activities", from: start, to: end, on: queue) { history in
      let activities = try history.activities(from: start, to: end)
      guard !activities.isEmpty else { throw CMErrorUnknown.error("There is no activity in this range of dates.") }
      return activities.map { activity in
        CMMotionActivity(
          .init(
            timestamp: activity.change.start.seconds, startDate: activity.startDate,
            confidence: .init(activity.change.confidence), states: activity.change.activity))
      }
    } handler: {
      handler($0, $1)
    }
  }

  /// Starts to report activities: the present one, which is unknown for the first seconds of a source, then each
  /// change. A second start replaces queue and handler (S69). Where activities are not available, nothing comes
  /// and the log says why.
  open func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler) {
    let host = hosts.current
    switch host.activityHub("motion activities") {
    case .failure(let refusal): host.refuse(refusal.localizedDescription)
    case .success(let hub):
      let translator = ActivityTranslator(hub: hub, host: host) { host.date(of: $0) }
      updates.start(
        .activity, of: hub, HandlerStart(host, to: queue, for: CMMotionActivity.self),
        { activity, error in
          // The handler of this service has no argument for an error.
          if let error { host.report(error.localizedDescription) } else { handler(activity) }
        }, keepsLatest: false, sink: translator.sink)
    }
  }
  /// Ends what ``startActivityUpdates(to:withHandler:)`` began. Questions that were asked are still answered.
  open func stopActivityUpdates() { updates.stop() }
}

/// Turns samples into activities: the present one at once, then the changes.
final class ActivityTranslator: Sendable {
  private struct State {
    var estimator: ActivityEstimator
    var hasEmittedPresent = false
    var last: (activity: MotionActivity, confidence: ActivityConfidence)?
  }

  private let state: Lock<State>
  private let isHead: Bool
  private let date: @Sendable (SensorInstant) -> Date
  private let use: HostHistory.Use?

  /// `isHead`: the sensors are in headphones. Driving and cycling are not reported there (S59), and no confidence is high,
  /// because the classifier has not seen recordings of heads (D25).
  init(
    hub: MotionHub, host: MotionHost, isHead: Bool = false, date: @escaping @Sendable (SensorInstant) -> Date
  ) {
    state = Lock(State(estimator: host.activityEstimator(for: hub)))
    (self.isHead, self.date) = (isHead, date)
    use = hub === host.device ? host.history.keep() : nil
  }

  /// For a service of activities.
  func sink(for output: ServiceOutput<CMMotionActivity.Values, CMMotionActivity>) -> HubSink {
    HubSink(sample: { [self] in if let values = translate($0) { output.emit(values) } })
  }

  private func translate(_ sample: SensorSample) -> CMMotionActivity.Values? {
    let change = state.withLock { state -> ActivityChange? in
      var change = state.estimator.update(sample)?.activity
      if change == nil, !state.hasEmittedPresent {
        change = ActivityChange(start: sample.time, activity: .unknown, confidence: .low)
      }
      state.hasEmittedPresent = true
      guard var change else { return nil }
      if isHead {
        change.activity.subtract([.automotive, .cycling])
        change.confidence = min(change.confidence, .medium)
      }
      guard state.last.map({ $0 != (change.activity, change.confidence) }) ?? true else { return nil }
      state.last = (change.activity, change.confidence)
      return change
    }
    return change.map {
      CMMotionActivity.Values(
        timestamp: $0.start.seconds, startDate: date($0.start), confidence: .init($0.confidence), states: $0.activity)
    }
  }
}
