// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import MotionServices

/// The detector of falls on a day of 50 Hz: half of it at rest, half a run whose every step is a contact.
extension MotionBenchmarks {
  /// Seconds of processor time for the day.
  private static let longest = 0.8

  static func falls() -> Bool {
    // Ten seconds, repeated.
    let forces = (0..<500).map { index -> Vector3<Device> in
      let phase = 2 * Double.pi * 2.8 * Double(index) / 50
      return Vector3(x: 0.3 * Scalar.sin(phase / 2), y: 1, z: 1.2 + Scalar.sin(phase)) * standardGravity
    }
    let count = 24 * 3600 * 50
    var detector = FallDetector()
    var told = 0
    let (begin, before) = (Meter.threadCPU(), Meter.allocations() ?? 0)
    for index in 0..<count {
      let force = index < count / 2 ? forces[0] : forces[index % 500]
      let time = SensorInstant(nanoseconds: Int64(index) * 20_000_000)
      if detector.update(.accelerometer(AccelerometerSample(time: time, specificForce: force))) != nil { told += 1 }
    }
    let seconds = Double(Meter.threadCPU() - begin) * 1e-9
    let allocations = (Meter.allocations() ?? 0) - before
    print("falls    a day of 50 Hz: \(String(format: "%.2f", seconds)) s of processor time, \(allocations) allocations")
    guard seconds <= longest, allocations == 0, told == 0 else {
      print("falls    FAILED: a day takes at most \(longest) s, no allocation, and tells no fall (\(told))")
      return false
    }
    return true
  }
}
