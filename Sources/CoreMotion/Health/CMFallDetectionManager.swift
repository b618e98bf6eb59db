// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost

/// Tells a delegate of falls. Not a medical device: no person's safety may depend on it.
///
/// Available only where the host was given a detector (`MotionDetectors.falls`). Make one manager and set its delegate
/// right away: of the falls that happened before, the latest is reported then (S87). All calls come on the main queue.
open class CMFallDetectionManager: NSObject {
  private let link: FallDetectionLink

  public override init() {
    link = FallDetectionLink(host: MotionHost.current)
    super.init()
    link.attach(self)
  }

  deinit { link.detach() }

  /// Whether there is a detector (D15).
  open class var isAvailable: Bool { MotionHost.current.detectors.falls != nil }

  /// Whether the program may receive falls. Without a detector: restricted (D30); without the entitlement: denied.
  open var authorizationStatus: CMAuthorizationStatus { link.authorization }

  /// Receives falls; not retained.
  open weak var delegate: (any CMFallDetectionDelegate)? {
    get { link.delegate }
    set { link.delegate = newValue }
  }

  /// Asks the person for permission and tells the handler the answer, once, on the main queue. Here the host's policy
  /// answers for the person (`HostPolicy.authorizationAnswer`). Without a detector there is no request, and the answer
  /// is `.restricted`.
  open func requestAuthorization(handler: @escaping (CMAuthorizationStatus) -> Void) {
    let link = link
    if link.host.detectors.falls != nil { link.host.requestAuthorization() }
    OperationQueue.main.answer(in: link.host) { handler(link.authorization) }
  }
}

/// Receives falls, and changes of the permission to receive them. Every method is optional (D16).
///
/// The two forms of `didDetect` are one method: implement the one you like better. The module's callers use the form
/// with the completion handler, whose default awaits the other. Calls come on the main queue.
public protocol CMFallDetectionDelegate: NSObjectProtocol {
  /// A fall was detected. Call the handler when you are done with it.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping @Sendable () -> Void)
  /// A fall was detected. Return when you are done with it.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
  ) async
  /// The permission to receive falls has changed; see ``CMFallDetectionManager/authorizationStatus``.
  func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager)
}

extension CMFallDetectionDelegate {
  /// Awaits the asynchronous form, then calls the handler.
  public func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping @Sendable () -> Void
  ) {
    Task {
      await self.fallDetectionManager(fallDetectionManager, didDetect: event)
      handler()
    }
  }

  /// Does nothing.
  public func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
  ) async {}

  /// Does nothing.
  public func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager) {}
}
