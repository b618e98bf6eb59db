// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The usual interval of one sensor's samples, and with it the rule of what a pause is.
///
/// An interval longer than two and a half periods is a pause. The period follows the sensor, a sixteenth of the
/// difference at each interval; a pause at most doubles it, so that a lasting change of rate is one pause and not one
/// per sample. No period is longer than an hour: a clock that was set is no rate.
package struct SamplePeriod: Sendable, Hashable {
  private static let longest: Int64 = 3_600_000_000_000

  /// Nanoseconds; 0 = not known yet.
  package private(set) var nanoseconds: Int64 = 0

  /// Not known: the first interval is the first period.
  package init() {}

  /// Whether an interval is a pause; nothing is while the period is not known.
  package func isPause(_ interval: SensorDuration) -> Bool {
    nanoseconds > 0 && interval.nanoseconds > nanoseconds * 5 / 2
  }

  /// Sensors of one device start and stop one after the other: the gyroscopes of the ten iPhone recordings of the tyrex
  /// benchmark come 0.17 to 0.70 s behind the accelerometers.
  private static let settling: Int64 = 1_000_000_000

  /// Whether an interval from the beginning of a `recording` to a sensor's first sample, or from its last one to the
  /// end, is a pause: one that is no mere delay, and takes more than a twentieth of the recording or more than a second.
  ///
  /// `isAlone`: no period can be known, because there is a single sample where there should be many.
  package func isMissing(
    _ interval: SensorDuration, of recording: SensorDuration, isAlone: Bool = false
  ) -> Bool {
    (isAlone || isPause(interval))
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
    if nanoseconds == 0 {
      nanoseconds = step
    } else if isPause(interval) {
      nanoseconds = min(step, nanoseconds * 2)
      return true
    } else {
      nanoseconds += (step - nanoseconds) / 16
    }
    return false
  }
}
