// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing

/// Turns the times of samples into dates, for what carries a `Date` in place of a time stamp.
///
/// A time line that counts from 1970, as recordings of some apps do, says its dates itself. Any other is tied to the wall clock
/// once, at its first sample; from then on dates advance exactly as the samples' times do, whatever is done to the wall clock.
package struct SampleDates: Sendable {
  /// Ns: 1980 on a time line from 1970; no machine has been running for ten years.
  private static let leastUnixTime: Int64 = 315_532_800_000_000_000

  private var origin: Date?

  package init() {}

  /// The date of a sample. The first call ties a time line that does not count from 1970 to the wall clock.
  package mutating func date(of time: SensorInstant) -> Date {
    if time.nanoseconds >= Self.leastUnixTime { return Date(timeIntervalSince1970: time.seconds) }
    let origin = origin ?? Date(timeIntervalSinceNow: -time.seconds)
    self.origin = origin
    return origin + time.seconds
  }
}

extension MotionHost {
  /// The date of a sample of this host's device. All services and the history of one host share one origin, so that their dates agree.
  package func date(of time: SensorInstant) -> Date { dates.withLock { $0.date(of: time) } }
}
