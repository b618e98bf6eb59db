// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Keeps the pressure of the air while the device is out of the water, so that it is known when the device goes under.
///
/// The value is the median of the one-second means of the last two minutes in which the pressure stood still: swell, a
/// car on a hill and the moment of entry do not count. When there were hardly any such seconds it is the median of the
/// last minute, which follows a car or a cabin with half a minute's delay. (WATER-2.)
struct SurfacePressureTracker: Sendable, Hashable {
  /// One second's mean.
  private struct Second: Sendable, Hashable {
    var time: SensorInstant
    var pressure: Double
    var isQuiet: Bool
  }

  /// Pa/s; faster is a lift, a car or the water.
  static let quietChange = 5.0
  private static let quietMemory = SensorDuration.seconds(120)
  private static let memory = SensorDuration.seconds(60)
  private static let slopeSpan = SensorDuration.seconds(5)
  private static let fewest = 5
  /// Seconds.
  private static let leastSpan = 10.0

  private var seconds: [Second] = []
  private var start: SensorInstant?
  private var sum = 0.0
  private var count = 0

  /// Processes a pressure in pascal.
  mutating func add(_ pressure: Double, at time: SensorInstant) {
    if let start, time - start >= .seconds(1) { finish() }
    if start == nil { start = time }
    sum += pressure
    count += 1
  }

  private mutating func finish() {
    guard let start, count > 0 else { return }
    let mean = sum / Double(count)
    (self.start, sum, count) = (nil, 0, 0)
    let earlier = seconds.last { start - $0.time >= Self.slopeSpan }
    let isQuiet = earlier.map { abs(mean - $0.pressure) <= Self.quietChange * (start - $0.time).seconds } ?? false
    seconds.append(Second(time: start, pressure: mean, isQuiet: isQuiet))
    let oldest = start - Self.quietMemory
    if let keep = seconds.firstIndex(where: { $0.time >= oldest }), keep > 0 { seconds.removeFirst(keep) }
  }

  /// Pascal; nil while it is better to stay with what was known before: a wrist that floats on the water for a moment
  /// after a dive reads the water, not the air.
  var pressure: Double? {
    guard let last = seconds.last, span >= Self.leastSpan else { return nil }
    let quiet = seconds.filter(\.isQuiet)
    if quiet.count >= Self.fewest { return Self.median(quiet.map(\.pressure)) }
    guard span >= Self.memory.seconds - 1 else { return nil }
    return Self.median(seconds.filter { last.time - $0.time <= Self.memory }.map(\.pressure))
  }

  /// How long the tracker has listened, in seconds.
  private var span: Double {
    guard let first = seconds.first, let last = seconds.last else { return 0 }
    return (last.time - first.time).seconds
  }

  /// Pascal: the lowest second's mean since `time`; nil when there is none.
  func lowest(since time: SensorInstant) -> Double? {
    seconds.lazy.filter { $0.time >= time }.map(\.pressure).min()
  }

  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
