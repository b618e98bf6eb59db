// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Hears when headphones with motion sensors come and go.
///
/// Both methods are optional: an implementation that does nothing stands in for each (D16). They are called on the queue that was
/// given to `startDeviceMotionUpdates(to:withHandler:)`, else on the main queue (S56).
public protocol CMHeadphoneMotionManagerDelegate: NSObjectProtocol {
  /// Motion can be had now: the headphones are connected and, where they notice it, worn. Called once at the start too, when
  /// they are connected already (D11).
  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)
  /// The headphones have left, or have been taken off.
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

extension CMHeadphoneMotionManagerDelegate {
  /// Does nothing.
  public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}
  /// Does nothing.
  public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}
