// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices

/// Everything that a client hears when a source plays to its end.
struct RecordedRun: Sendable {
  struct Motion: Sendable, Equatable {
    var timestamp: Double
    var quaternion: [Double]
    var angles: [Double]
    var matrix: [Double]
    var gravity: [Double]
    var userAcceleration: [Double]
    var rotationRate: [Double]
    var field: [Double]
    var accuracy: Int32
    var heading: Double
    var headingAccuracy: Double

    init(_ motion: CMDeviceMotion) {
      timestamp = motion.timestamp
      let q = motion.attitude.quaternion
      quaternion = [q.x, q.y, q.z, q.w]
      angles = [motion.attitude.roll, motion.attitude.pitch, motion.attitude.yaw]
      let m = motion.attitude.rotationMatrix
      matrix = [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
      gravity = [motion.gravity.x, motion.gravity.y, motion.gravity.z]
      userAcceleration = [motion.userAcceleration.x, motion.userAcceleration.y, motion.userAcceleration.z]
      rotationRate = [motion.rotationRate.x, motion.rotationRate.y, motion.rotationRate.z]
      field = [motion.magneticField.field.x, motion.magneticField.field.y, motion.magneticField.field.z]
      accuracy = motion.magneticField.accuracy.rawValue
      heading = motion.heading
      headingAccuracy = motion.headingAccuracy
    }
  }

  var motions: [Motion] = []
  var accelerations: [(timestamp: Double, value: [Double])] = []
  var errors: [Int] = []

  /// Plays the source of `host` (with a manual gate) to its end through the façade.
  static func collect(
    _ host: MotionHost, frame: CMAttitudeReferenceFrame = .xArbitraryZVertical, on queue: OperationQueue = serialQueue()
  ) async throws -> RecordedRun {
    let result = Lock(RecordedRun())
    let manager = host.run { CMMotionManager() }
    manager.deviceMotionUpdateInterval = 0
    manager.accelerometerUpdateInterval = 0
    manager.startAccelerometerUpdates(to: queue) { data, _ in
      guard let data else { return }
      let value = [data.acceleration.x, data.acceleration.y, data.acceleration.z]
      result.withLock { $0.accelerations.append((data.timestamp, value)) }
    }
    manager.startDeviceMotionUpdates(using: frame, to: queue) { motion, error in
      if let motion { result.withLock { $0.motions.append(Motion(motion)) } }
      if let error { result.withLock { $0.errors.append((error as NSError).code) } }
    }
    host.play()
    guard let hub = host.device else { return result.withLock { $0 } }
    while !(hub.hasEnded && queue.operationCount == 0) { try await Task.sleep(for: .milliseconds(2)) }
    if let failure = hub.failure { throw failure }
    manager.stopDeviceMotionUpdates()
    manager.stopAccelerometerUpdates()
    return result.withLock { $0 }
  }

  static func collect(
    replay path: String, options: String = "", frame: CMAttitudeReferenceFrame = .xArbitraryZVertical
  ) async throws -> RecordedRun {
    try await collect(try MotionHost("replay:\(path)?speed=max\(options)", gate: .manual), frame: frame)
  }
}

/// The angle between two directions, degrees.
func angleDegrees(_ a: [Double], _ b: [Double]) -> Double {
  let dot = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
  let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  return atan2(cross.map { $0 * $0 }.reduce(0, +).squareRoot(), dot) * 180 / .pi
}

/// Values at `times` by straight lines between the rows of `rows`; nil outside.
func interpolate(_ rows: [(timestamp: Double, value: [Double])], at time: Double, from index: inout Int) -> [Double]? {
  while index + 1 < rows.count, rows[index + 1].timestamp < time { index += 1 }
  guard index + 1 < rows.count, rows[index].timestamp <= time else { return nil }
  let (a, b) = (rows[index], rows[index + 1])
  let k = (time - a.timestamp) / (b.timestamp - a.timestamp)
  return zip(a.value, b.value).map { $0 + ($1 - $0) * k }
}
