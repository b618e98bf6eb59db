// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion
import MotionMath
import MotionSensing

/// What is followed of a sample: attitude, speed, time.
struct HeadSample: Sendable {
  /// Head → reference frame; nil when the four numbers are no rotation.
  var attitude: Rotation<Device, NorthWestUp>?
  /// rad/s.
  var speed: Double
  /// Seconds on the source's clock.
  var time: Double

  /// From numbers as they came.
  init(w: Double, x: Double, y: Double, z: Double, speed: Double, time: Double) {
    let square = w * w + x * x + y * y + z * z
    attitude = abs(square - 1) < 0.05 && time.isFinite ? Rotation(w: w, x: x, y: y, z: z) : nil
    self.speed = speed.isFinite ? speed : 0
    self.time = time
  }

  init(_ row: DeviceMotionRow) {
    let (q, rate) = (row.attitude, row.rotationRate)
    self.init(
      w: q.w, x: q.x, y: q.y, z: q.z, speed: Vector3<Device>(x: rate.x, y: rate.y, z: rate.z).length,
      time: row.timestamp)
  }

  /// The time on the grid of nanoseconds; times beyond 285 years count as the last one.
  var instant: SensorInstant {
    SensorInstant(nanoseconds: time.isFinite ? Int64(min(9e9, max(-9e9, time)) * 1e9) : 0)
  }
}
