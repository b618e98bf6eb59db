// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A point in time: integer nanoseconds on the clock of its source.
///
/// Live sources use CLOCK_MONOTONIC (nanoseconds since boot, without the time of suspension); a recording keeps its
/// original time line. Integers make sums of a million intervals and comparisons exact.
///
/// Times out of a file may be anything. Arithmetic of instants and spans ends at the end of the range: it never ends
/// the process, and a distance for which there is no number is the longest one, and not a negative one.
public struct SensorInstant: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// ns since the clock's origin.
  public var nanoseconds: Int64

  /// An instant from ns since the clock's origin.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The nearest nanosecond to a time in seconds; nil when the number is not finite or too large for 292 years.
  public init?(seconds: Double) {
    guard let duration = SensorDuration(seconds: seconds) else { return nil }
    self.init(nanoseconds: duration.nanoseconds)
  }

  /// Seconds since the clock's origin, correctly rounded up to 104 days and to the last bit beyond.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func - (a: Self, b: Self) -> SensorDuration {
    SensorDuration(nanoseconds: a.nanoseconds.clamped(minus: b.nanoseconds))
  }
  public static func + (a: Self, b: SensorDuration) -> Self {
    Self(nanoseconds: a.nanoseconds.clamped(plus: b.nanoseconds))
  }
  public static func - (a: Self, b: SensorDuration) -> Self {
    Self(nanoseconds: a.nanoseconds.clamped(minus: b.nanoseconds))
  }
}

extension SensorInstant {
  /// The first instant after `time` of a grid that begins here; itself, where the step is not above 0.
  package func next(after time: SensorInstant, every step: SensorDuration) -> SensorInstant {
    guard step > .zero else { return self }
    return self + step * ((time - self).nanoseconds / step.nanoseconds).clamped(plus: 1)
  }
}

/// A span of time in integer nanoseconds; may be negative.
public struct SensorDuration: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// ns.
  public var nanoseconds: Int64

  /// A span from ns.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The nearest nanosecond; nil when the number is not finite or beyond ±292 years.
  public init?(seconds: Double) {
    guard let whole = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
    nanoseconds = whole
  }

  /// The period of a rate in hertz; nil when the rate is not positive and finite.
  public init?(rate: Double) {
    guard rate > 0, rate.isFinite else { return nil }
    self.init(seconds: 1 / rate)
  }

  /// A whole number of milliseconds.
  public static func milliseconds(_ count: Int64) -> Self { Self(nanoseconds: count.clamped(times: 1_000_000)) }
  /// A whole number of seconds.
  public static func seconds(_ count: Int64) -> Self { Self(nanoseconds: count.clamped(times: 1_000_000_000)) }
  /// Zero.
  public static var zero: Self { Self(nanoseconds: 0) }

  /// Seconds, correctly rounded up to 104 days.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds.clamped(plus: b.nanoseconds)) }
  public static func - (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds.clamped(minus: b.nanoseconds)) }
  /// So many times as long.
  package static func * (a: Self, count: Int64) -> Self { Self(nanoseconds: a.nanoseconds.clamped(times: count)) }
}
