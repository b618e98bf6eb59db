// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Hears of falls and of changes of the permission to hear of them. Every method is optional (D16): implement what you need.
///
/// The two forms of `didDetect` are one method: implement the one you like better. The module's callers use the form with the
/// completion handler, whose default awaits the other. Calls come on the main queue.
public protocol CMFallDetectionDelegate: NSObjectProtocol {
  /// A fall was detected. Call the handler when you are done with it.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping @Sendable () -> Void)
  /// A fall was detected. Return when you are done with it.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
  ) async
  /// The permission to hear of falls has changed; see ``CMFallDetectionManager/authorizationStatus``.
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
