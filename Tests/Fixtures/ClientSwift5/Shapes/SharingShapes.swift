// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@preconcurrency import CoreMotion
import Foundation
import Observation

// What programs do that were moved to Swift 6 with `@preconcurrency import`: shared managers, samples across threads.

extension CMGyroData: @retroactive @unchecked Sendable {}

final class SharedMotion {
  static let shared = SharedMotion()
  static let manager = CMMotionManager()
  nonisolated(unsafe) static var latest: CMAccelerometerData?
  private init() {}
}

extension SharedMotion: @unchecked Sendable {}

extension CMMotionManager {
  static let common = CMMotionManager()

  /// Device motion as a stream of the samples themselves.
  func deviceMotions(_ frame: CMAttitudeReferenceFrame = .xArbitraryZVertical) -> AsyncThrowingStream<
    CMDeviceMotion, Error
  > {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      startDeviceMotionUpdates(using: frame, to: OperationQueue()) { motion, error in
        if let motion = motion {
          continuation.yield(motion)
        } else if let error = error {
          continuation.finish(throwing: error)
        }
      }
    }
  }

  convenience init(interval: TimeInterval) {
    self.init()
    accelerometerUpdateInterval = interval
    gyroUpdateInterval = interval
    deviceMotionUpdateInterval = interval
  }
}

@available(iOS 17.0, macOS 14.0, watchOS 10.0, *)
@Observable
@MainActor
final class TiltModel {
  private(set) var pitch: Double = .nan
  @ObservationIgnored private let motion = CMMotionManager(interval: 0.02)

  func start(_ done: @escaping @Sendable (Bool) -> Void) {
    guard motion.isDeviceMotionAvailable, !motion.isDeviceMotionActive else { return }
    motion.startDeviceMotionUpdates(to: .main) { [weak self] motion, _ in
      guard let motion else { return }
      Task { @MainActor in
        self?.pitch = motion.attitude.pitch
        done(self?.pitch.isFinite ?? false)
      }
    }
  }

  isolated deinit { motion.stopDeviceMotionUpdates() }
}

/// A sample handed to another queue.
func hop(_ done: @escaping @Sendable (Bool) -> Void) -> Any {
  let manager = CMMotionManager.common
  manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, error in
    guard let motion = motion else { return }
    DispatchQueue.main.async { done(motion.gravity.x.isFinite) }
  }
  return manager
}

/// Tutorials start on whatever queue they are on.
func onTheCurrentQueue(_ done: @escaping @Sendable (Bool) -> Void) -> Any {
  let manager = SharedMotion.manager
  // swift-format-ignore: NeverForceUnwrap
  manager.startAccelerometerUpdates(to: OperationQueue.current!) { (data, error) in
    if let trueData = data {
      SharedMotion.latest = trueData
      done(trueData.acceleration.x.isFinite)
    }
  }
  return manager
}

/// Handlers as methods.
final class Recorder {
  private let manager = CMMotionManager()
  private var rows: [[Double]] = []
  private let lock = NSLock()
  private var finished: ((Bool) -> Void)?

  func start(_ finished: @escaping (Bool) -> Void) {
    self.finished = finished
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    manager.startGyroUpdates(to: queue, withHandler: handleGyro)
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: queue, withHandler: handleMotion(_:error:))
  }

  private func handleGyro(data: CMGyroData?, error: Error?) {
    guard let data = data, error == nil else { return }
    append([data.timestamp, data.rotationRate.x, data.rotationRate.y, data.rotationRate.z])
  }

  private func handleMotion(_ motion: CMDeviceMotion?, error: Error?) {
    if let error = error as NSError?, error.domain == CMErrorDomain { return }
    guard let motion = motion else { return }
    append([
      motion.timestamp, motion.heading, motion.magneticField.field.x, Double(motion.magneticField.accuracy.rawValue),
    ])
  }

  private func append(_ row: [Double]) {
    lock.lock()
    defer { lock.unlock() }
    rows.append(row)
    guard rows.count == 10 else { return }
    manager.stopGyroUpdates()
    manager.stopDeviceMotionUpdates()
    finished?(rows.allSatisfy { $0.count == 4 })
  }
}

@MainActor
func sharingShapes(_ runner: Runner) {
  runner.begin("an observable model on the main actor") { done in
    let model = TiltModel()
    model.start(done)
    return model
  }
  runner.begin("a sample handed to another queue", hop)
  runner.begin("the current queue", onTheCurrentQueue)
  runner.begin("handlers that are methods") { done in
    let recorder = Recorder()
    recorder.start { done($0) }
    return recorder
  }
  runner.begin("samples in a throwing stream") { done in
    let manager = CMMotionManager()
    let stream = manager.deviceMotions()
    return (
      manager,
      Task {
        do {
          for try await motion in stream {
            done(motion.timestamp.isFinite)
            break
          }
        } catch {
          done(false)
        }
      }
    )
  }
}
