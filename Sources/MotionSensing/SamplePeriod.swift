// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The usual interval of one sensor's samples, how far the intervals stray from it, and the rule of what a pause is.
///
/// An interval of more than two and a half periods is a pause. So is one that doubles, to an eighth, on a steady clock,
/// whose mean deviation from multiples of the period is below a tenth of it: a single sample is missing, and jitter is
/// none. Both follow the sensor, by a sixteenth and an eighth of the difference; missing samples hardly move them. Two
/// pauses in a row, or three intervals that are much shorter, are another rate. No period is longer than an hour: a clock
/// that was set is no rate. Source of the deviation: V. Jacobson, SIGCOMM 1988, appendix A.
package struct SamplePeriod: Sendable, Hashable {
  private static let longest: Int64 = 3_600_000_000_000

  /// Nanoseconds; 0 = not known yet.
  package private(set) var nanoseconds: Int64 = 0
  /// The mean deviation, ns. At first a quarter of the period: nothing is known of it.
  private var deviation: Int64 = 0
  /// The first intervals, ns, and how many there were up to sixteen: what they are shows then. Negative: it is settled.
  private var (beginning, count) = (SIMD8<Int64>.zero, 0)
  /// The last interval was a pause; intervals in a row that were much shorter.
  private var (wasPause, shorter) = (false, 0)

  /// Not known: the first interval is the first period.
  package init() {}

  /// Whether an interval is a pause; nothing is while the period is not known.
  package func isPause(_ interval: SensorDuration) -> Bool {
    let step = min(interval.nanoseconds, Self.longest)
    let isDouble = deviation * 32 <= nanoseconds * 3 && abs(step - 2 * nanoseconds) * 8 <= nanoseconds
    return nanoseconds > 0 && (isDouble || step > nanoseconds * 5 / 2)
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
    if nanoseconds == 0 { (nanoseconds, deviation) = (step, step / 4) }
    let isPause = isPause(interval)
    if count < 8 { beginning[count] = isPause ? -step : step }
    if count == 15 {
      for index in 0..<8 where !self.isPause(.init(nanoseconds: beginning[index])) {
        beginning[index] = -abs(beginning[index])
      }
    }
    if count < 16 { count += 1 }
    let periods = max(1, (step + nanoseconds / 2) / nanoseconds)
    shorter = step < nanoseconds * 5 / 8 ? shorter + 1 : 0
    guard !(isPause && wasPause), shorter < 3 else {
      (nanoseconds, deviation, wasPause, shorter) = (step, step / 4, false, 0)
      return false
    }
    wasPause = isPause
    deviation += (abs(step - periods * nanoseconds) - deviation) / 8
    nanoseconds += isPause ? (step / periods - nanoseconds) / 16 : (step - nanoseconds) / (periods > 1 ? 64 : 16)
    return isPause
  }

  /// Those of the first eight intervals that ``update(_:)`` has not found to be pauses and that are.
  package var earlyPauses: [SensorDuration] {
    beginning.indices.map { SensorDuration(nanoseconds: beginning[$0]) }
      .filter { $0 > .zero && (count == 16 || isPause($0)) }
  }
}
