// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import MotionServices

/// What a day of 50 Hz costs in processor time: half of it at rest, half of it on foot.
extension MotionBenchmarks {
  private static let samples = 24 * 3600 * 50

  /// Steps and activities: at most two seconds.
  static func activity() -> Bool {
    // A minute, repeated: 1.8 steps a second, a heel and a toe in each, and a swing once in two.
    let forces = (0..<3000).map { index -> Vector3<Device> in
      let phase = 2 * Double.pi * 1.8 * Double(index) / 50
      return Vector3(
        x: 0.15 * Scalar.sin(phase / 2), y: 0.05 * Scalar.sin(phase),
        z: 1 + 0.3 * Scalar.sin(phase) + 0.12 * Scalar.sin(2 * phase + 1)) * standardGravity
    }
    var estimator = ActivityEstimator()
    var steps = 0
    let (seconds, allocations) = measure { index in
      let force = index < samples / 2 ? Vector3(x: 0, y: 0, z: standardGravity) : forces[index % forces.count]
      steps += estimator.update(sample(force, index))?.steps?.steps ?? 0
    }
    report("activity", seconds, allocations)
    guard seconds <= 2, abs(steps - 77_760) < 80 else {
      print("activity FAILED: a day takes at most 2 s and has 77,760 steps (\(steps))")
      return false
    }
    return true
  }

  private static func sample(_ force: Vector3<Device>, _ index: Int) -> SensorSample {
    let time = SensorInstant(nanoseconds: Int64(index) * 20_000_000)
    return .accelerometer(AccelerometerSample(time: time, specificForce: force))
  }

  private static func report(_ name: String, _ seconds: Double, _ allocations: Int) {
    let time = String(format: "%.2f", seconds)
    let padded = name.padding(toLength: 8, withPad: " ", startingAt: 0)
    print("\(padded) a day of 50 Hz: \(time) s of processor time, \(allocations) allocations")
  }

  private static func measure(_ body: (Int) -> Void) -> (seconds: Double, allocations: Int) {
    let (begin, before) = (Meter.threadCPU(), Meter.allocations() ?? 0)
    for index in 0..<samples { body(index) }
    return (Double(Meter.threadCPU() - begin) * 1e-9, Int((Meter.allocations() ?? 0) - before))
  }
}
