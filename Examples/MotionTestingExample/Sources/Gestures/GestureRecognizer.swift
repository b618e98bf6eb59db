// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// An app's motion code as it runs on a phone: nothing in it knows of tests or of Linux.
///
/// It tells shakes, tilts to a side, and steps of a walk. The closures are called on the queue given.
public final class GestureRecognizer {
  public enum Tilt { case level, left, right }

  public var onShake: () -> Void = {}
  public var onTilt: (Tilt) -> Void = { _ in }
  public var onStep: () -> Void = {}
  public var onFailure: (Error) -> Void = { _ in }

  public private(set) var tilt = Tilt.level

  private let manager = CMMotionManager()
  private var lastShake = -TimeInterval.infinity
  private var lastStep = -TimeInterval.infinity
  private var isRising = false

  public init() {}

  /// False when the device cannot tell motion; nothing is then started.
  public func start(on queue: OperationQueue = .main) -> Bool {
    guard manager.isDeviceMotionAvailable else { return false }
    manager.deviceMotionUpdateInterval = 1 / 50
    manager.startDeviceMotionUpdates(to: queue) { [weak self] motion, error in
      if let error { self?.onFailure(error) }
      if let motion { self?.take(motion) }
    }
    return true
  }

  public func stop() { manager.stopDeviceMotionUpdates() }

  /// One sample. Also the way in for tests that make samples by hand.
  func take(_ motion: CMDeviceMotion) {
    findShake(motion)
    findTilt(motion)
    findStep(motion)
  }

  private func findShake(_ motion: CMDeviceMotion) {
    let a = motion.userAcceleration
    guard (a.x * a.x + a.y * a.y + a.z * a.z).squareRoot() > 2, motion.timestamp - lastShake > 1 else { return }
    lastShake = motion.timestamp
    onShake()
  }

  private func findTilt(_ motion: CMDeviceMotion) {
    // Hysteresis: a hand that trembles at the limit changes nothing.
    let limit = tilt == .level ? 0.35 : 0.25
    let new: Tilt = motion.gravity.x > limit ? .right : motion.gravity.x < -limit ? .left : .level
    guard new != tilt else { return }
    tilt = new
    onTilt(new)
  }

  /// A step is where the body begins to be pushed up by more than 0.12 g, a quarter of a second after the last one.
  private func findStep(_ motion: CMDeviceMotion) {
    let (a, g) = (motion.userAcceleration, motion.gravity)
    let up = a.x * g.x + a.y * g.y + a.z * g.z
    if up > 0.12, !isRising, motion.timestamp - lastStep > 0.25 {
      lastStep = motion.timestamp
      onStep()
    }
    isRising = up > 0.12
  }
}
