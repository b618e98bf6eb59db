// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// A client: it knows nothing but `import CoreMotion`.
final class MotionLogger: @unchecked Sendable {  // `rows` is touched on `queue` only
  struct Row {
    var timestamp: Double
    var attitude: CMQuaternion
    var gravity: CMAcceleration
    /// When the handler was called, s of `ProcessInfo.systemUptime`.
    var arrival: Double
  }

  let manager = CMMotionManager()
  private let queue = OperationQueue()
  private var rows: [Row] = []
  private var errors: [String] = []

  init() { queue.maxConcurrentOperationCount = 1 }

  func start(interval: Double) {
    manager.deviceMotionUpdateInterval = interval
    manager.startDeviceMotionUpdates(to: queue) { [self] motion, error in
      if let error { errors.append(error.localizedDescription) }
      guard let motion else { return }
      rows.append(
        Row(
          timestamp: motion.timestamp, attitude: motion.attitude.quaternion, gravity: motion.gravity,
          arrival: ProcessInfo.processInfo.systemUptime))
    }
  }

  /// Stops, and gives all that came.
  func stop() -> (rows: [Row], errors: [String]) {
    manager.stopDeviceMotionUpdates()
    queue.waitUntilAllOperationsAreFinished()
    return (rows, errors)
  }
}
