// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Pull, with the compass: attitude relative to magnetic north, and the system's own hint when the magnetometer wants
// the device to be moved. The first argument is the duration in seconds.

import CoreMotion

/// A compass that looks at the newest sample ten times a second.
@MainActor
final class Compass {
  private let manager = CMMotionManager()
  private var timer: Timer?
  private(set) var readings = 0

  func start() -> Bool {
    guard manager.isDeviceMotionAvailable else {
      print("No device motion on this device.")
      return false
    }
    guard CMMotionManager.availableAttitudeReferenceFrames().contains(.xMagneticNorthZVertical) else {
      print("Magnetic north needs a magnetometer; this device has none.")
      return false
    }
    manager.deviceMotionUpdateInterval = 0.1
    manager.showsDeviceMovementDisplay = true
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
    timer = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { [weak self] _ in
      // The main run loop runs this timer, so this is the main actor.
      MainActor.assumeIsolated { self?.look() }
    }
    return true
  }

  func stop() {
    timer?.invalidate()
    manager.stopDeviceMotionUpdates()
  }

  private func look() {
    guard let motion = manager.deviceMotion else { return }
    readings += 1
    guard readings % 5 == 1 else { return }
    // A negative heading means that there is none (yet).
    let heading = motion.heading >= 0 ? String(format: "%5.1f degrees", motion.heading) : "unknown"
    let field = motion.magneticField.field
    let strength = (field.x * field.x + field.y * field.y + field.z * field.z).squareRoot()
    let accuracy = motion.magneticField.accuracy.rawValue
    print("heading \(heading)   field \(String(format: "%5.1f", strength)) microtesla (accuracy \(accuracy))")
  }
}

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let compass = Compass()
guard compass.start() else { exit(1) }
RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
compass.stop()
print("\(compass.readings) samples")
exit(compass.readings > 0 ? 0 : 1)
