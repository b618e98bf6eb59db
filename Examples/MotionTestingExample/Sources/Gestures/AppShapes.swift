// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

// The shapes in which apps hold their motion code, each as people write it; `TiltModel` is a fifth. Their tests are in
// AppShapeTests and, for the timer, in GestureXCTests.

/// One manager for the whole app, created at its first use.
@MainActor public final class MotionService {
  public static let shared = MotionService()
  public private(set) var turns = 0
  private let manager = CMMotionManager()

  public func start() {
    turns = 0
    manager.startGyroUpdates(to: .main) { [weak self] data, _ in
      guard let rate = data?.rotationRate, abs(rate.z) > 0.5 else { return }
      MainActor.assumeIsolated { self?.turns += 1 }
    }
  }

  public func stop() { manager.stopGyroUpdates() }
}

/// What a view runs in `.task { await level.watch() }`: it ends with the view.
@MainActor public final class Level {
  public private(set) var roll = 0.0

  public init() {}

  public func watch() async {
    let manager = CMMotionManager()
    for await roll in Level.rolls(of: manager) { self.roll = roll }
    manager.stopDeviceMotionUpdates()
  }

  nonisolated private static func rolls(of manager: CMMotionManager) -> AsyncStream<Double> {
    AsyncStream { continuation in
      manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, _ in
        if let roll = motion?.attitude.roll { continuation.yield(roll) }
      }
    }
  }
}

/// A delegate: it follows the headphones as they come and go.
public final class HeadphoneIndicator: NSObject, CMHeadphoneMotionManagerDelegate {
  public private(set) var isConnected = false
  private let manager = CMHeadphoneMotionManager()

  public func start() {
    manager.delegate = self
    manager.startConnectionStatusUpdates()
  }

  public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { isConnected = true }
  public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { isConnected = false }
}

/// A timer that reads the latest sample, as for a picture that is drawn sixty times a second.
@MainActor public final class Poller {
  public private(set) var readings = 0
  private let manager = CMMotionManager()
  private var timer: Timer?

  public init() {}

  public func start() {
    manager.startGyroUpdates()
    let timer = Timer(fire: Date(), interval: 1.0 / 60, repeats: true) { [weak self] _ in
      MainActor.assumeIsolated { if self?.manager.gyroData != nil { self?.readings += 1 } }
    }
    RunLoop.current.add(timer, forMode: .default)
    self.timer = timer
  }

  public func stop() {
    timer?.invalidate()
    manager.stopGyroUpdates()
  }
}
