// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// When the readings of a sensor were made, from the stamps of their arrival.
///
/// A sensor reads at even intervals, but a stamp may be late: readings wait in a buffer or for a radio and arrive
/// together, with stamps that are equal or a millisecond apart, and then there is a pause. So the clock moves on by the
/// mean interval and stays behind the stamps, by no more than the short intervals since the last pause have shown. Where
/// most intervals are alike, as with jitter and with lost readings, it follows the stamps.
/// Documentation/Filter.md 2.2.
struct SampleClock: Sendable, BitwiseCopyable {
  /// The time of the latest reading, ns; its stamp, ns; and the reading.
  private(set) var time: Int64?
  private var stamp: Int64 = 0, reading = Real4.zero
  /// Seconds from the time to the stamp, and the largest lateness that short intervals have shown: 0…0.25 both.
  private var lateness = 0.0, largestLateness = 0.0
  /// The median and the mean of the intervals, s, and their number, up to ``Constant/clockMemory``.
  private(set) var median = 0.0
  private var mean = 0.0, count = 0.0
  /// By how much the intervals since the last pause were shorter than the mean, s.
  private var shortfall = 0.0

  /// Seconds from the latest stamp to another; nil before the first.
  func seconds(to stamp: Int64) -> Double? {
    time == nil ? nil : SampleTime.seconds(from: self.stamp, to: stamp)
  }

  /// Whether a reading `seconds` after the latest stamp is out of order, or that reading once more.
  func isOld(_ reading: Real4, after seconds: Double) -> Bool {
    seconds < 0 || (seconds == 0 && reading == self.reading)
  }

  /// Begins at a stamp.
  mutating func start(at stamp: Int64, reading: Real4) {
    self = SampleClock()
    (time, self.stamp, self.reading) = (stamp, stamp, reading)
  }

  /// Moves on to a reading whose stamp is `interval` s after the latest, and returns the seconds between the two.
  mutating func advance(to stamp: Int64, after interval: Double, reading: Real4) -> Double {
    (self.stamp, self.reading) = (stamp, reading)
    count = min(count + 1, Constant.clockMemory)
    mean += (min(interval, Constant.longestWait) - mean) / count
    let next = interval > median ? median * Constant.medianStep : median / Constant.medianStep
    // Equal stamps would pull it to zero.
    median = count == 1 ? interval : max(mean / 10, next)
    shortfall = interval < mean ? shortfall + mean - interval : 0
    let due = interval + lateness
    guard mean > Constant.waitingRatio * median else {
      // None has waited: what comes next need not wait for the division above.
      (time, lateness, largestLateness) = (stamp, 0, 0)
      return due
    }
    let remembered = largestLateness * (1 - min(1, interval / Constant.latenessMemory))
    largestLateness = max(remembered, min(shortfall, Constant.longestWait))
    let step = max(min(mean, due), due - largestLateness)
    lateness = due - step
    // fits: the lateness is 0…0.25 s
    time = lateness == 0 ? stamp : stamp.clamped(minus: Int64(lateness * 1e9 + 0.5))
    return step
  }
}
