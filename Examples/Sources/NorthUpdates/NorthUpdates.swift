// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Push on a queue of the program's own at 60 Hz, in the frame of magnetic north. The handler takes what it needs out of
// the sample and sends those numbers, not the sample, across to the task that prints. The first argument is the
// duration in seconds.

import CoreMotion

/// The part of a sample that leaves the handler.
struct Pose: Sendable {
  var timestamp: TimeInterval
  var roll: Double
  var pitch: Double
  var yaw: Double
}

/// Sixty poses a second, for as long as they are consumed.
final class MotionFeed {
  private let manager = CMMotionManager()
  private let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "motion"
    queue.maxConcurrentOperationCount = 1  // keep the samples in order
    return queue
  }()

  var isAvailable: Bool {
    manager.isDeviceMotionAvailable
      && CMMotionManager.availableAttitudeReferenceFrames().contains(.xMagneticNorthZVertical)
  }

  func poses() -> (AsyncStream<Pose>, AsyncStream<Pose>.Continuation) {
    let (stream, continuation) = AsyncStream.makeStream(of: Pose.self)
    manager.deviceMotionUpdateInterval = 1.0 / 60.0
    manager.showsDeviceMovementDisplay = true
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: queue) { motion, error in
      if let motion {
        let attitude = motion.attitude
        continuation.yield(
          Pose(timestamp: motion.timestamp, roll: attitude.roll, pitch: attitude.pitch, yaw: attitude.yaw))
      } else if let error {
        print("note: \(error.localizedDescription)")
        // The request to move the device comes once, and samples follow; anything else ends the stream.
        if (error as NSError).code != Int(CMErrorDeviceRequiresMovement.rawValue) { continuation.finish() }
      }
    }
    return (stream, continuation)
  }

  func stop() { manager.stopDeviceMotionUpdates() }
}

@main struct NorthUpdates {
  static func main() async {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
    let feed = MotionFeed()
    guard feed.isAvailable else {
      print("Magnetic north needs accelerometer, gyroscope and magnetometer; this device lacks one of them.")
      exit(1)
    }

    let (poses, continuation) = feed.poses()
    Task {
      try? await Task.sleep(for: .seconds(seconds))
      continuation.finish()
    }

    var count = 0
    for await pose in poses {
      count += 1
      guard count % 30 == 1 else { continue }
      let degrees = [pose.roll, pose.pitch, pose.yaw].map { String(format: "%+7.1f", $0 * 180 / .pi) }
      print("roll \(degrees[0])  pitch \(degrees[1])  yaw \(degrees[2]) degrees")
    }
    feed.stop()
    print("\(count) samples")
    exit(count > 0 ? 0 : 1)
  }
}
