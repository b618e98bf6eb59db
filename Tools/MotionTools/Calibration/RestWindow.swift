// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Mean and scatter of the readings of one sensor over stretches of equal time, one after the other.
///
/// The sums are Welford's ("Note on a Method for Calculating Corrected Sums of Squares and Products", Technometrics 4,
/// 1962), which lose no digits where the mean is large beside the scatter, as an accelerometer's is.
struct RestWindow: Sendable {
  /// A stretch that is full.
  struct Stretch: Sendable {
    /// In the sensor's unit.
    var mean: Vector3<Device>
    /// One standard deviation of the readings, of the axis where it is largest.
    var deviation: Double
    var count: Int
    /// Seconds.
    var duration: Double
  }

  /// Seconds of a stretch.
  let length: Double
  /// Seconds between two readings beyond which a stretch starts again.
  let longestGap: Double
  private var start: SensorInstant?
  private var last: SensorInstant?
  private var count = 0
  private var mean = Vector3<Device>.zero
  private var squares = Vector3<Device>.zero

  init(length: Double, longestGap: Double) {
    self.length = length
    self.longestGap = longestGap
  }

  /// Processes a finite reading; returns the stretch that it completes.
  mutating func update(_ value: Vector3<Device>, at time: SensorInstant) -> Stretch? {
    if let last, time <= last || (time - last).seconds > longestGap { restart() }
    let start = start ?? time
    (self.start, last) = (start, time)
    count += 1
    let old = value - mean
    mean += old / Double(count)
    let new = value - mean
    squares += Vector3(x: old.x * new.x, y: old.y * new.y, z: old.z * new.z)
    let duration = (time - start).seconds
    // Of fewer readings the scatter says little.
    guard duration >= length, count >= 5 else { return nil }
    let variance = max(squares.x, squares.y, squares.z) / Double(count - 1)
    let stretch = Stretch(mean: mean, deviation: variance.squareRoot(), count: count, duration: duration)
    restart()
    return stretch
  }

  /// Begins a new stretch.
  mutating func restart() { self = RestWindow(length: length, longestGap: longestGap) }
}
