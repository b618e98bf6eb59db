// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Follows a head by its headphones: the delegate hears them come and go, the first pose counts as straight ahead, and
// each line says which bud speaks. The first argument is the duration in seconds.

import CoreMotion

/// Where the head points, relative to where it pointed first.
final class HeadTracker: NSObject, CMHeadphoneMotionManagerDelegate {
  private let manager = CMHeadphoneMotionManager()
  private var straightAhead: CMAttitude?
  private(set) var samples = 0

  /// Why it cannot begin; nil when it has.
  func start() -> String? {
    guard manager.isDeviceMotionAvailable else { return "No headphone motion on this device." }
    switch CMHeadphoneMotionManager.authorizationStatus() {
    case .denied, .restricted: return "This program may not read motion."
    default: break
    }
    manager.delegate = self
    manager.startConnectionStatusUpdates()
    manager.startDeviceMotionUpdates(to: .main) { [weak self] motion, error in
      if let error { print(error.localizedDescription) }
      if let motion { self?.take(motion) }
    }
    return nil
  }

  func stop() {
    manager.stopDeviceMotionUpdates()
    manager.stopConnectionStatusUpdates()
  }

  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { print("connected") }

  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {
    print("disconnected")
    straightAhead = nil
  }

  private func take(_ motion: CMDeviceMotion) {
    samples += 1
    let attitude = motion.attitude
    // A copy: the method below changes the attitude that it is called on.
    guard let straightAhead else {
      straightAhead = attitude.copy() as? CMAttitude
      return
    }
    attitude.multiply(byInverseOf: straightAhead)
    guard samples % 25 == 0 else { return }
    let bud =
      switch motion.sensorLocation {
      case .headphoneLeft: "left bud"
      case .headphoneRight: "right bud"
      default: "headphones"
      }
    let degrees = [attitude.yaw, attitude.pitch, attitude.roll].map { String(format: "%+6.1f", $0 * 180 / .pi) }
    print("\(bud)  turned \(degrees[0])  raised \(degrees[1])  tilted \(degrees[2]) degrees")
  }
}

@main struct HeadphonePrinter {
  static func main() {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
    let tracker = HeadTracker()
    if let problem = tracker.start() {
      print(problem)
      exit(1)
    }
    RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
    tracker.stop()
    print("\(tracker.samples) samples")
    exit(tracker.samples > 0 ? 0 : 1)
  }
}
