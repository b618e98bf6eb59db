// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

// Wrappers: protocols over the managers, and structs of closures.

protocol MotionManaging: AnyObject {
  var isDeviceMotionAvailable: Bool { get }
  var isDeviceMotionActive: Bool { get }
  var deviceMotion: CMDeviceMotion? { get }
  var deviceMotionUpdateInterval: TimeInterval { get set }
  func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler)
  func stopDeviceMotionUpdates()
  static func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame
}

extension CMMotionManager: MotionManaging {}

protocol Motionable {
  var userAcceleration: CMAcceleration { get }
  var gravity: CMAcceleration { get }
  var attitude: CMAttitude { get }
}

extension CMDeviceMotion: Motionable {}

protocol StepCounting {
  static func isStepCountingAvailable() -> Bool
  func queryPedometerData(from: Date, to: Date, withHandler: @escaping CMPedometerHandler)
  func stopUpdates()
}

extension CMPedometer: StepCounting {}

protocol ActivityRecognising: AnyObject {
  static func isActivityAvailable() -> Bool
  static func authorizationStatus() -> CMAuthorizationStatus
  func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler)
  func stopActivityUpdates()
}

extension CMMotionActivityManager: ActivityRecognising {}

/// A copy of the numbers that can cross threads.
struct Sample: Sendable, Equatable {
  var time: TimeInterval
  var roll: Double
  var gravityZ: Double

  init(_ motion: CMDeviceMotion) {
    time = motion.timestamp
    roll = motion.attitude.roll
    gravityZ = motion.gravity.z
  }
}

/// Closures instead of a protocol.
struct MotionClient {
  var isAvailable: () -> Bool
  var start: (OperationQueue, @escaping (Sample) -> Void) -> Void
  var stop: () -> Void

  static func live(_ manager: CMMotionManager = CMMotionManager()) -> MotionClient {
    MotionClient(
      isAvailable: { manager.isDeviceMotionAvailable },
      start: { queue, body in
        manager.startDeviceMotionUpdates(to: queue) { motion, _ in motion.map(Sample.init).map(body) }
      },
      stop: manager.stopDeviceMotionUpdates)
  }
}

/// A publisher without Combine: subscribers and tokens.
final class MotionPublisher {
  private let manager = CMMotionManager()
  private var subscribers: [UUID: (CMDeviceMotion) -> Void] = [:]

  func subscribe(_ body: @escaping (CMDeviceMotion) -> Void) -> UUID {
    let token = UUID()
    subscribers[token] = body
    if subscribers.count == 1 {
      manager.startDeviceMotionUpdates(to: .main) { [weak self] motion, _ in
        guard let motion else { return }
        self?.subscribers.values.forEach { $0(motion) }
      }
    }
    return token
  }

  func cancel(_ token: UUID) {
    subscribers[token] = nil
    if subscribers.isEmpty { manager.stopDeviceMotionUpdates() }
  }
}

@MainActor
func protocolShapes(_ runner: Runner) {
  runner.begin("a manager behind a protocol") { done in
    let manager: MotionManaging = CMMotionManager()
    manager.deviceMotionUpdateInterval = 0.02
    manager.startDeviceMotionUpdates(to: .main) { motion, _ in
      let motionable: Motionable? = motion
      done(motionable?.gravity.z.isFinite ?? false)
    }
    return manager
  }
  runner.begin("a struct of closures") { done in
    let client = MotionClient.live()
    client.start(.main) { sample in done(sample == sample && sample.time.isFinite) }
    return client
  }
  runner.begin("a publisher") { done in
    let publisher = MotionPublisher()
    let token = publisher.subscribe { motion in done(motion.userAcceleration.x.isFinite) }
    return (publisher, token)
  }
  runner.check("static members through protocols") {
    let steps: StepCounting.Type = CMPedometer.self
    let activities: ActivityRecognising.Type = CMMotionActivityManager.self
    return steps.isStepCountingAvailable() && activities.isActivityAvailable()
      && activities.authorizationStatus() == .authorized
  }
}
