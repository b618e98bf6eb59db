// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Reports whether headphones with motion sensors are connected, and what their wearer does.
///
/// Still, walking and running are distinguished by the rhythm of the head's acceleration; driving and cycling are not
/// recognised on a head (S59). The classifier was trained on phones in pockets and watches on wrists: no licensed
/// recordings of heads are there, so the confidence is at most medium (D25).
open class CMHeadphoneActivityManager: NSObject {
  /// Receives an activity, or an error.
  public typealias ActivityHandler = (CMMotionActivity?, (any Error)?) -> Void
  /// Receives the status; with an error beside it when the source of the headphones has failed.
  public typealias StatusHandler = (CMHeadphoneActivityManager.Status, (any Error)?) -> Void

  /// Whether compatible headphones are connected.
  public enum Status: Int, Sendable, BitwiseCopyable {
    case disconnected = 0
    case connected = 1
    /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
    @available(*, unavailable) case _unlisted = -999
  }

  private let hosts = ManagerHost()
  private let status = UpdateService<Status, Status> { $0 }
  private let activity = UpdateService<CMMotionActivity.Values, CMMotionActivity> { CMMotionActivity($0) }

  public override init() {
    super.init()
    activity.interval = MotionHost.activityInterval
  }

  /// Whether the program may read motion.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// True when there is a source of headphone motion, connected or not.
  open var isActivityAvailable: Bool { host.headphones.map { HubStream.activity.isServed(by: $0.info.kinds) } ?? false }
  /// True from start to stop of activity updates.
  open var isActivityActive: Bool { activity.isActive }
  /// True when there is a source of headphone motion, connected or not.
  open var isStatusAvailable: Bool { host.headphones != nil }
  /// True from start to stop of status updates.
  open var isStatusActive: Bool { status.isActive }

  /// Starts to report what the wearer does: the present activity, unknown at first, then changes. A second start replaces
  /// queue and handler. Without a source, or without permission, the handler gets one error.
  open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMHeadphoneActivityManager.ActivityHandler
  ) {
    let host = host
    let start = HandlerStart(host, to: queue, for: CMMotionActivity.self)
    if isActivityAvailable { host.requestAuthorization() }
    guard host.policy.allowsMotion, let hub = host.headphones, HubStream.activity.isServed(by: hub.info.kinds) else {
      return start.refuse(host.activityRefusal("activities of a head"), handler)
    }
    let translator = ActivityTranslator(hub: hub, host: host, isHead: true) { host.headphonesDate(of: $0) }
    activity.start(.activity, of: hub, start, handler, keepsLatest: false, sink: translator.sink)
  }
  /// Ends activity updates. Never waits.
  open func stopActivityUpdates() { activity.stop() }

  /// Reports when headphones come and go: `.connected` at once if they are there already (S59), then changes only. A
  /// second start replaces queue and handler. Without a source the handler gets one error.
  open func startStatusUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMHeadphoneActivityManager.StatusHandler
  ) {
    let host = host
    let start = HandlerStart(host, to: queue, for: Status.self)
    let statusHandler: UpdateService<Status, Status>.Handler = { handler($0 ?? .disconnected, $1) }
    guard let hub = host.headphones else {
      return start.refuse(host.refusal(of: .connection, isHead: true), statusHandler)
    }
    let last = Lock(Status.disconnected)
    status.start(.connection, of: hub, start, statusHandler) { output in
      HubSink(news: { news in
        guard case .connection(let connection) = news else { return }
        let status: Status = connection.isConnected ? .connected : .disconnected
        if last.withLock({ exchange(&$0, with: status) }) != status { output.emit(status) }
      })
    }
  }

  /// Ends status updates. Never waits.
  open func stopStatusUpdates() { status.stop() }

  private var host: MotionHost { hosts.current }
}
