// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// Reads the latest samples from a timer, as games do.
@MainActor
final class GameScene {
  let motion = CMMotionManager()
  var timer: Timer?
  var onFrame: ((CMDeviceMotion) -> Void)?

  func startDeviceMotion() {
    if motion.isDeviceMotionAvailable {
      self.motion.deviceMotionUpdateInterval = 1.0 / 60.0
      self.motion.showsDeviceMovementDisplay = true
      self.motion.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)

      self.timer = Timer(
        fire: Date(), interval: (1.0 / 60.0), repeats: true,
        block: { (timer) in
          MainActor.assumeIsolated {
            if let data = self.motion.deviceMotion {
              let x = data.attitude.pitch
              let y = data.attitude.roll
              let z = data.attitude.yaw
              if x.isFinite && y.isFinite && z.isFinite { self.onFrame?(data) }
            }
          }
        })
      // swift-format-ignore: NeverForceUnwrap
      RunLoop.current.add(self.timer!, forMode: .default)
    }
  }

  func stop() {
    timer?.invalidate()
    timer = nil
    motion.stopDeviceMotionUpdates()
  }
}

/// Reads raw sensors from a scheduled timer.
@MainActor
final class RawReader {
  private let manager = CMMotionManager()
  private var timer: Timer?

  func start(_ body: @escaping @Sendable (CMAcceleration, CMRotationRate) -> Void) {
    manager.startAccelerometerUpdates()
    manager.startGyroUpdates()
    timer = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { [weak self] _ in
      MainActor.assumeIsolated {
        guard let accelerometer = self?.manager.accelerometerData, let gyro = self?.manager.gyroData else { return }
        body(accelerometer.acceleration, gyro.rotationRate)
      }
    }
  }
}

@MainActor
func pullShapes(_ runner: Runner) {
  runner.begin("a timer on the run loop") { done in
    let scene = GameScene()
    scene.onFrame = { motion in
      scene.stop()
      done(motion.gravity.z.isFinite && scene.motion.deviceMotion == nil)
    }
    scene.startDeviceMotion()
    return scene
  }
  runner.begin("a scheduled timer over raw sensors") { done in
    let reader = RawReader()
    reader.start { acceleration, rate in done(acceleration.z.isFinite && rate.z.isFinite) }
    return reader
  }
  runner.begin("a dispatch timer") { done in
    let manager = CMMotionManager()
    manager.startMagnetometerUpdates()
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: .milliseconds(10))
    timer.setEventHandler {
      if let data = manager.magnetometerData { done(data.timestamp.isFinite) }
    }
    timer.resume()
    return (manager, timer)
  }
  runner.check("nothing before a start") {
    let manager = CMMotionManager()
    return manager.deviceMotion == nil && manager.accelerometerData?.acceleration.x == nil
      && manager.deviceMotion?.attitude.quaternion == nil && !manager.isDeviceMotionActive
  }
  runner.check("a time stamp as a date") {
    let data = CMAccelerometerData()
    let date = Date(timeIntervalSinceNow: data.timestamp - ProcessInfo.processInfo.systemUptime)
    return date < Date()
  }
}
