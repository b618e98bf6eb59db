// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor.

/// Receives activities as they change. There is no error argument.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void
/// Receives the activities of a span of time, oldest first, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// Tells what the person who carries the device does: walking, running, driving and the like.
///
/// This version has no activity classifier, so nothing is available: starting has no effect and a query answers, once, with
/// `CMErrorMotionActivityNotAvailable`.
open class CMMotionActivityManager: NSObject {
  private let hosts = ManagerHost()

  public override init() { super.init() }

  /// Whether activities can be told: false until there is a classifier.
  open class func isActivityAvailable() -> Bool { false }
  /// Whether the program may read activities.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// Asks for the activities between two dates. The handler is called once, later, on `queue` (S70). No activity in the span
  /// is an error, not an empty array (S52).
  open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    let host = hosts.current
    let refusal = host.activityRefusal("motion activities")
    queue.answer(in: host) { handler(nil, refusal) }
  }

  /// Starts to tell of activities: the present one, then each change. No effect where they cannot be told.
  open func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler) {}
  /// Ends what ``startActivityUpdates(to:withHandler:)`` began. Questions that were asked are still answered.
  open func stopActivityUpdates() {}
}
