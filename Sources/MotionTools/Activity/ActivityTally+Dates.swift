// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
package import Foundation
package import MotionSensing
package import MotionServices

/// Samples with their times.
extension ActivityTally {
  package init(wallOffset: SensorDuration?, isLocalTime: Bool = false) {
    self.init(wallOffset: wallOffset?.nanoseconds)
    self.isLocalTime = isLocalTime
  }

  /// Of the times of day and the days: that of this computer, or universal time for a recording whose dates are those
  /// of its own clock.
  private var timeZone: TimeZone { isLocalTime ? .gmt : .current }

  package mutating func append(_ sample: SensorSample, _ update: ActivityUpdate?) {
    let isFirst = first == nil
    append(atNanoseconds: sample.time.nanoseconds, update)
    if isFirst { setHours() }
  }

  /// After the first sample: where it is within its hour on the clock.
  mutating func setHours() {
    guard let date = date(at: 0) else { return }
    let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    sinceFullHour = local - (local / 3600).rounded(.down) * 3600
  }

  /// Nanoseconds: the local clock less the time of the samples; without dates, days count from the first sample.
  var localOffset: Int64 {
    guard let wallOffset, let date = date(at: 0) else { return 0 &- (first ?? 0) }
    return wallOffset &+ Int64(timeZone.secondsFromGMT(for: date)) * 1_000_000_000
  }

  /// Seconds since the first sample.
  package func elapsed(at time: SensorInstant) -> Double { elapsed(atNanoseconds: time.nanoseconds) }

  /// The time of the last sample.
  package var end: SensorInstant? { last.map(SensorInstant.init(nanoseconds:)) }
}

/// Time of day, where the recording has dates.
extension ActivityTally {
  /// The date of a time since the first sample; nil without dates.
  package func date(at elapsed: Double) -> Date? {
    guard let wallOffset, let first else { return nil }
    return Date(timeIntervalSince1970: SensorInstant(nanoseconds: first &+ wallOffset).seconds + elapsed)
  }

  /// "2026-11-21T08:12:31Z", without Z where the dates are those of the device's own clock; nil without dates.
  package func stamp(at elapsed: Double) -> String? {
    date(at: elapsed).map { $0.stamp(isLocalTime: isLocalTime) }
  }

  /// "08:12:31" or "12.5 s".
  package func time(_ elapsed: Double) -> String {
    guard let date = date(at: elapsed) else { return Text.decimal(elapsed, places: 1) + " s" }
    return date.formatted(Date.ISO8601FormatStyle(timeZone: timeZone).time(includingFractionalSeconds: false))
  }

  /// "2026-11-21"; nil without dates.
  package func day(_ elapsed: Double) -> String? {
    date(at: elapsed)?.formatted(Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day())
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

extension Date {
  /// In seconds, with Z; without it where the date is that of a device's own clock, whose zone is not known.
  fileprivate func stamp(isLocalTime: Bool) -> String {
    let text = formatted(.iso8601)
    return isLocalTime ? String(text.dropLast()) : text
  }
}

extension SourceSelection {
  /// The date of a time of the recording, as ``ActivityTally/stamp(at:)``; nil without dates.
  func stamp(at time: SensorInstant) -> String? {
    wallOffset.map { Date(timeIntervalSince1970: (time + $0).seconds).stamp(isLocalTime: isLocalTime) }
  }
}
