// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Tells whether headphones with motion sensors are connected, and what their wearer does.
///
/// Status works. Activity needs a classifier of motion, which does not exist here yet: it is unavailable, and starting it gives one
/// error (D25). The classifier will know still, walking and running; driving and cycling are not told from a head (S59).
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

  public override init() { super.init() }

  /// Whether the program may read motion.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// False: there is no classifier yet (D25).
  open var isActivityAvailable: Bool { false }
  /// False, as nothing can be started.
  open var isActivityActive: Bool { false }
  /// True when there is a source of headphone motion, connected or not.
  open var isStatusAvailable: Bool { host.headphones != nil }
  /// True from start to stop of status updates.
  open var isStatusActive: Bool { status.isActive }

  /// Tells the handler, once, that activity is unavailable.
  open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMHeadphoneActivityManager.ActivityHandler
  ) {
    let host = host
    let refusal = host.activityRefusal("activities of a head")
    queue.answer(in: host) { handler(nil, refusal) }
  }
  /// No effect, because activity is unavailable.
  open func stopActivityUpdates() {}

  /// Tells when headphones come and go: `.connected` at once if they are there already (S59), then changes only. A second start
  /// replaces queue and handler. Without a source the handler gets one error.
  open func startStatusUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMHeadphoneActivityManager.StatusHandler
  ) {
    let host = host
    guard let hub = host.headphones else {
      return queue.answer(in: host) { handler(.disconnected, CMErrorNotAvailable.error()) }
    }
    let told = Lock(Status.disconnected)
    status.start(
      .connection, of: hub, host: host, on: Lane(queue),
      handler: { status, error in handler(status ?? .disconnected, error) }
    ) { event in
      guard case .connection(let connection) = event else { return .nothing }
      let status: Status = connection.isConnected ? .connected : .disconnected
      let isNew = told.withLock { told in
        defer { told = status }
        return told != status
      }
      return isNew ? .sample(status) : .nothing
    }
  }

  /// Ends status updates. Never waits.
  open func stopStatusUpdates() { status.stop() }

  private var host: MotionHost { hosts.current }
}
