// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import Foundation
import MotionSensing
import MotionServices

/// The activities of one recording, as a table or as JSON.
package struct ActivityReport: Encodable {
  package struct Span: Encodable {
    /// Seconds from the first sample.
    package var start, end: Double
    /// As ``ActivityTally`` names it.
    package var activity: String
    package var confidence: String
  }

  package var file: String
  /// From the first sample to the last.
  package var seconds: Double
  /// When the first sample was taken, where the recording has dates.
  package var start: String?
  package var activities: [Span]
  /// Seconds of each activity; stretches without samples are in none.
  package var shares: [String: Double]

  package init(file: String, tally: ActivityTally) {
    self.file = file
    seconds = JSONLine.rounded(tally.duration)
    start = tally.stamp(at: 0)
    activities = tally.spans.map {
      Span(
        start: JSONLine.rounded($0.start), end: JSONLine.rounded($0.end), activity: $0.activity.name,
        confidence: $0.confidence.name)
    }
    shares = Dictionary(uniqueKeysWithValues: tally.shares().map { ($0.activity.name, JSONLine.rounded($0.seconds)) })
  }

  package static func lines(_ tally: ActivityTally) -> [String] {
    func line(_ start: String, _ duration: String, _ confidence: String, _ activity: String) -> String {
      Text.padded(start, 12) + Text.padded(duration, 15) + Text.padded(confidence, 12) + "  " + activity
    }
    let rows = tally.spans.map { span in
      line(
        tally.time(span.start), Text.duration(span.end - span.start), span.confidence.name, span.activity.name)
    }
    let day = tally.day(0).map { ["  \($0)"] } ?? []
    return day + [line("start", "duration", "confidence", "activity")] + rows + ["  " + sentence(tally)]
  }

  /// "stationary 12 min (80 %), walking 3 min (20 %)".
  package static func sentence(_ tally: ActivityTally) -> String {
    let shares = tally.shares()
    let whole = shares.reduce(0) { $0 + $1.seconds }
    guard whole > 0 else { return "no samples" }
    return shares.map {
      "\($0.activity.name) \(Text.duration($0.seconds)) (\(Text.decimal($0.seconds / whole * 100, places: 1)) %)"
    }.joined(separator: ", ")
  }
}
