// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// "Straight ahead is here": attitude relative to the pose that the device had when the user pressed a button. The
// button is pressed at the first sample and once more half-way. The first argument is the duration in seconds.

import CoreMotion

/// Turns absolute attitudes into attitudes relative to a pose that can be set again at any time.
final class RecentringTracker {
  private let manager = CMMotionManager()
  private var neutral: CMAttitude?
  private(set) var samples = 0

  var isAvailable: Bool { manager.isDeviceMotionAvailable }

  func start() {
    manager.deviceMotionUpdateInterval = 1.0 / 30.0
    manager.startDeviceMotionUpdates(to: .main) { [weak self] motion, error in
      guard let self else { return }
      if let error { print(error.localizedDescription) }
      if let motion { self.take(motion) }
    }
  }

  func recentre() {
    neutral = nil
    print("-- recentred")
  }

  func stop() { manager.stopDeviceMotionUpdates() }

  private func take(_ motion: CMDeviceMotion) {
    samples += 1
    // The neutral pose is a copy: the method below changes the attitude it is called on, and that one belongs to the
    // sample.
    if neutral == nil { neutral = motion.attitude.copy() as? CMAttitude }
    guard let neutral else { return }
    let relative = motion.attitude
    relative.multiply(byInverseOf: neutral)
    guard samples % 15 == 1 else { return }
    let degrees = [relative.roll, relative.pitch, relative.yaw].map { String(format: "%+6.1f", $0 * 180 / .pi) }
    print("relative  roll \(degrees[0])  pitch \(degrees[1])  yaw \(degrees[2]) degrees")
  }
}

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let tracker = RecentringTracker()
guard tracker.isAvailable else {
  print("No device motion on this device.")
  exit(1)
}
tracker.start()
RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds / 2))
tracker.recentre()
RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds / 2))
tracker.stop()
print("\(tracker.samples) samples")
exit(tracker.samples > 0 ? 0 : 1)
