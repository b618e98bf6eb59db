// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CoreMotion)
import CoreMotion
#endif

/// Keeps the manager as a property and captures itself weakly.
final class ShakeDetector {
  private let motionManager = CMMotionManager()
  private let queue = OperationQueue()
  var onSample: ((Double) -> Void)?

  func start() {
    guard motionManager.isAccelerometerAvailable else { return }
    motionManager.accelerometerUpdateInterval = 1.0 / 50.0
    motionManager.startAccelerometerUpdates(to: queue) { [weak self] data, error in
      guard let self = self, let data = data, error == nil else { return }
      let magnitude = sqrt(pow(data.acceleration.x, 2) + pow(data.acceleration.y, 2) + pow(data.acceleration.z, 2))
      self.onSample?(magnitude)
    }
  }

  func stop() {
    if motionManager.isAccelerometerActive { motionManager.stopAccelerometerUpdates() }
  }

  deinit { stop() }
}

/// The main queue, a frame, and a stored handler.
@MainActor
final class LevelModel {
  let manager = CMMotionManager()
  private(set) var roll = 0.0
  var handler: CMDeviceMotionHandler?
  var whenUpdated: (() -> Void)?

  func startWithTrailingClosure() {
    manager.deviceMotionUpdateInterval = 1 / 60
    manager.startDeviceMotionUpdates(using: .xArbitraryZVertical, to: .main) { [weak self] (motion, error) in
      guard let motion = motion else { return }
      let roll = motion.attitude.roll
      MainActor.assumeIsolated {
        self?.roll = roll
        self?.whenUpdated?()
      }
    }
  }

  func startWithLabelledClosure() {
    manager.startDeviceMotionUpdates(
      using: .xArbitraryCorrectedZVertical, to: OperationQueue.main,
      withHandler: { (motion: CMDeviceMotion?, error: Error?) -> Void in
        if let attitude = motion?.attitude { print("attitude", attitude.pitch.isFinite) }
      })
  }

  func startWithStoredHandler() {
    guard let handler = handler else { return }
    manager.startDeviceMotionUpdates(to: OperationQueue.main, withHandler: handler)
  }
}

// Handlers on background queues stand outside main-actor types: a closure written inside one belongs to the main actor
// and stops the program elsewhere, here as on a phone (G29).

func oneMagneticField(_ done: @escaping @Sendable (Bool) -> Void) -> Any {
  let manager = CMMotionManager()
  manager.startMagnetometerUpdates(to: OperationQueue()) { [weak manager] data, _ in
    guard let field = data?.magneticField else { return }
    manager?.stopMagnetometerUpdates()
    done(field.x * field.x + field.y * field.y + field.z * field.z > 1)
  }
  return manager
}

func attitudeRelativeToTheFirst(_ done: @escaping @Sendable (Bool) -> Void) -> Any {
  let manager = CMMotionManager()
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 1
  queue.qualityOfService = .userInteractive
  queue.name = "motion"
  var reference: CMAttitude?
  manager.startDeviceMotionUpdates(using: CMAttitudeReferenceFrame.xArbitraryZVertical, to: queue) { data, _ in
    guard let data = data else { return }
    guard let first = reference else {
      // swift-format-ignore: NeverForceUnwrap
      reference = data.attitude.copy() as! CMAttitude?
      return
    }
    data.attitude.multiply(byInverseOf: first)
    // The same object again: the change is in it.
    done(abs(data.attitude.quaternion.w) > 0.5)
  }
  return manager
}

@MainActor
func handlerShapes(_ runner: Runner) {
  runner.begin("weak self and a background queue") { done in
    let detector = ShakeDetector()
    detector.onSample = { done($0 > 0.5 && $0 < 2) }
    detector.start()
    return detector
  }
  runner.begin("the main queue in a main-actor class") { done in
    let model = LevelModel()
    model.whenUpdated = { done(model.roll.isFinite) }
    model.startWithTrailingClosure()
    return model
  }
  runner.begin("a labelled closure, then a stored handler on the same manager") { done in
    let model = LevelModel()
    model.handler = { motion, error in done(motion != nil && error == nil) }
    model.startWithLabelledClosure()
    model.startWithStoredHandler()
    return model
  }
  runner.begin("a restart to change the interval") { done in
    let manager = CMMotionManager()
    manager.gyroUpdateInterval = 0.1
    manager.startGyroUpdates(to: .main) { _, _ in }
    manager.gyroUpdateInterval = 0.02
    manager.startGyroUpdates(to: .main) { data, _ in
      if let rate = data?.rotationRate { done(rate.x.isFinite && manager.gyroUpdateInterval == 0.02) }
    }
    return manager
  }
  runner.begin("the magnetometer, stopped from its own handler", oneMagneticField)
  runner.begin("the first attitude as the reference of the next", attitudeRelativeToTheFirst)
}
