// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// Hears of connections; implements one method of the two.
final class HeadTracker: NSObject, CMHeadphoneMotionManagerDelegate {
  let manager = CMHeadphoneMotionManager()
  private var reference: CMAttitude?

  override init() {
    super.init()
    manager.delegate = self
  }

  func start() {
    guard manager.isDeviceMotionAvailable, CMHeadphoneMotionManager.authorizationStatus() != .denied else { return }
    manager.startDeviceMotionUpdates(to: .main) { [weak self] motion, error in
      guard let motion = motion, error == nil else { return }
      if let reference = self?.reference { motion.attitude.multiply(byInverseOf: reference) }
      if motion.sensorLocation == .headphoneLeft { print("left", motion.attitude.yaw) }
    }
  }

  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { reference = nil }
}

func text(_ status: CMHeadphoneActivityManager.Status) -> String {
  switch status {
  case .connected: return "connected"
  case .disconnected: return "disconnected"
  @unknown default: return "unknown"
  }
}

class FakeHeadphones: CMHeadphoneMotionManager {
  override var isDeviceMotionAvailable: Bool { true }
  override var isDeviceMotionActive: Bool { true }
  override class func authorizationStatus() -> CMAuthorizationStatus { .restricted }
  override func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMHeadphoneMotionManager.DeviceMotionHandler
  ) {
    handler(CMDeviceMotion(), nil)
  }
}

@MainActor
func headphoneShapes(_ runner: Runner) {
  runner.check("headphones where there are none") {
    let tracker = HeadTracker()
    tracker.start()
    tracker.manager.startConnectionStatusUpdates()
    tracker.manager.stopConnectionStatusUpdates()
    tracker.manager.stopDeviceMotionUpdates()
    return tracker.manager.delegate === tracker && tracker.manager.deviceMotion == nil
  }
  runner.check("headphone doubles") {
    let manager: CMHeadphoneMotionManager = FakeHeadphones()
    var seen = false
    manager.startDeviceMotionUpdates(to: .main) { motion, _ in seen = motion != nil }
    return seen && type(of: manager).authorizationStatus() == .restricted && text(.connected) == "connected"
  }
  runner.check("headphone activities") {
    let manager = CMHeadphoneActivityManager()
    if manager.isActivityAvailable {
      manager.startActivityUpdates(to: .main) { activity, error in print(activity?.walking ?? false, error as Any) }
    }
    manager.startStatusUpdates(to: .main) { status, error in print(text(status), error as Any) }
    manager.stopStatusUpdates()
    manager.stopActivityUpdates()
    return !manager.isActivityActive
  }
}
