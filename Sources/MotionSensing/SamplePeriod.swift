// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The usual interval of one sensor's samples, how far the intervals stray from it, and with both the rule of what a
/// pause is.
///
/// An interval is a pause when it is longer than the period by eight mean deviations, and by three quarters of a period
/// at least: on a steady clock a single missing sample shows, and jitter is none. Longer than two and a half periods it
/// always is one. The period follows the sensor, a sixteenth of the difference at each interval; such a long pause at
/// most doubles it, so that a lasting change of rate is one pause and not one per sample. No period is longer than an
/// hour: a clock that was set is no rate. Source of the deviation: V. Jacobson, SIGCOMM 1988, appendix A.
package struct SamplePeriod: Sendable, Hashable {
  private static let longest: Int64 = 3_600_000_000_000

  /// Nanoseconds; 0 = not known yet.
  package private(set) var nanoseconds: Int64 = 0
  /// The mean deviation, ns. At first a quarter of the period: nothing is known of it.
  private var deviation: Int64 = 0

  /// Not known: the first interval is the first period.
  package init() {}

  /// Whether an interval is a pause; nothing is while the period is not known.
  package func isPause(_ interval: SensorDuration) -> Bool {
    let slack = min(max(8 * deviation, nanoseconds * 3 / 4), nanoseconds * 3 / 2)
    return nanoseconds > 0 && interval.nanoseconds > nanoseconds + slack
  }

  /// Sensors of one device start and stop one after the other: the gyroscopes of the ten iPhone recordings of the tyrex
  /// benchmark come 0.17 to 0.70 s behind the accelerometers.
  private static let settling: Int64 = 1_000_000_000

  /// Whether an interval from the beginning of a `recording` to a sensor's first sample, or from its last one to the
  /// end, is a pause: one that is no mere delay, and takes more than a twentieth of the recording or more than a second.
  ///
  /// `mayBeSingle`: a single sample may be all that there was to say. Else there should be many.
  package func isMissing(_ interval: SensorDuration, of recording: SensorDuration, mayBeSingle: Bool) -> Bool {
    (nanoseconds == 0 ? !mayBeSingle : isPause(interval))
      && interval.nanoseconds > min(Self.settling, recording.nanoseconds / 20)
  }

  /// How many samples fit into an interval besides the one at its end.
  package func samplesMissing(in interval: SensorDuration) -> Int {
    guard nanoseconds > 0, interval.nanoseconds > 0 else { return 0 }
    let half = nanoseconds / 2
    let (whole, rest) = interval.nanoseconds.quotientAndRemainder(dividingBy: nanoseconds)
    return max(0, Int(claimed: whole) + (rest >= nanoseconds - half ? 1 : 0) - 1)
  }

  /// Adapts to the next interval, which must be positive; true when it was a pause.
  @discardableResult
  package mutating func update(_ interval: SensorDuration) -> Bool {
    let step = min(interval.nanoseconds, Self.longest)
    let isPause = isPause(interval)
    if nanoseconds == 0 { (nanoseconds, deviation) = (step, step / 4) }
    let difference = step - nanoseconds
    nanoseconds = difference > nanoseconds * 3 / 2 ? min(step, nanoseconds * 2) : nanoseconds + difference / 16
    deviation += (min(abs(difference), 2 * nanoseconds) - deviation) / 8
    return isPause
  }
}
