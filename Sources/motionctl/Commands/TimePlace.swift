// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing

/// A place in a recording: seconds from its start (`90`, `1m30s`), or an instant (`2026-11-21T10:00:00Z`).
enum TimePlace: ExpressibleByArgument {
  case sinceStart(SensorDuration)
  /// Nanoseconds since 1970-01-01 00:00 UTC.
  case instant(Int64)

  init?(argument: String) {
    if let span = TimeSpan(argument: argument) {
      self = .sinceStart(span.duration)
      return
    }
    let styles = [
      Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(),
    ]
    guard let date = styles.lazy.compactMap({ try? $0.parse(argument) }).first else { return nil }
    // To the microsecond, which a `Date` of our time still holds.
    guard let microseconds = Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()) else { return nil }
    self = .instant(microseconds * 1000)
  }

  /// On the recording's own clock; nil for an instant in a recording that does not know the wall clock.
  func time(start: SensorInstant, wallOffset: SensorDuration?) -> SensorInstant? {
    switch self {
    case .sinceStart(let span): start + span
    case .instant(let nanoseconds): wallOffset.map { SensorInstant(nanoseconds: nanoseconds) - $0 }
    }
  }
}
