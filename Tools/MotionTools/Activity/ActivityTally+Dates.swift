// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import Foundation
package import MotionSensing
package import MotionServices

/// Samples with their times.
extension ActivityTally {
  package init(wallOffset: SensorDuration?) { self.init(wallOffset: wallOffset?.nanoseconds) }

  package mutating func append(_ sample: SensorSample, _ update: ActivityUpdate?) {
    append(atNanoseconds: sample.time.nanoseconds, update)
  }

  /// Seconds since the first sample.
  package func elapsed(at time: SensorInstant) -> Double { elapsed(atNanoseconds: time.nanoseconds) }

  /// The time of the last sample.
  package var end: SensorInstant? { last.map(SensorInstant.init(nanoseconds:)) }
}

/// Time of day, where the recording has dates.
extension ActivityTally {
  /// The date of a time since the first sample; nil without dates.
  private func date(at elapsed: Double) -> Date? {
    guard let wallOffset, let first else { return nil }
    return Date(timeIntervalSince1970: SensorInstant(nanoseconds: first &+ wallOffset).seconds + elapsed)
  }

  /// "2026-11-21T08:12:31Z"; nil without dates.
  package func stamp(at elapsed: Double) -> String? { date(at: elapsed)?.formatted(.iso8601) }

  /// "08:12:31" or "12.5 s".
  package func time(_ elapsed: Double) -> String {
    guard let date = date(at: elapsed) else { return Text.decimal(elapsed, places: 1) + " s" }
    return date.formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
  }

  /// "2026-11-21"; nil without dates.
  package func day(_ elapsed: Double) -> String? {
    date(at: elapsed)?.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
  }
}

extension MotionActivity {
  /// "walking", "stationary, automotive"; "undecided" for motion that fits none (S71).
  package var name: String {
    let names: [(MotionActivity, String)] = [
      (.unknown, "unknown"), (.stationary, "stationary"), (.walking, "walking"), (.running, "running"),
      (.automotive, "automotive"), (.cycling, "cycling"),
    ]
    let found = names.filter { contains($0.0) }.map(\.1)
    return found.isEmpty ? "undecided" : found.joined(separator: ", ")
  }
}

extension ActivityConfidence {
  package var name: String {
    switch self {
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    }
  }
}
