// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import Foundation
package import MotionMath
import MotionSensing
import MotionServices

/// The steps and activities of one recording, as lines of a table or as JSON.
package struct StepsReport: Encodable {
  package struct Event: Encodable {
    /// Seconds from the first sample, when it was noticed (S68).
    package var time: Double
    package var kind: String
  }

  package struct Span: Encodable {
    /// Seconds from the first sample.
    package var start, end: Double
    /// As ``ActivityTally`` names it.
    package var activity: String
    package var confidence: String
  }

  package var file: String
  /// Where the device was worn.
  package var placement: String
  /// Neither the person nor the recording says it.
  package var isPlacementAssumed: Bool
  /// From the first sample to the last.
  package var seconds: Double
  /// When the first sample was taken, where the recording has dates.
  package var start: String?
  package var steps: Int
  /// Mean steps per second while stepping.
  package var cadence: Double?
  /// Metres, and the bounds of the interval in which the true distance is in 95 of 100 cases.
  package var distance: Double
  package var distanceLow: Double
  package var distanceHigh: Double
  var floorsAscended: Int?
  var floorsDescended: Int?
  /// Seconds.
  var activeTime: Double
  package var events: [Event]
  package var activities: [Span]
  /// Seconds of each activity; stretches without samples are in none.
  package var shares: [String: Double]
  /// Seconds without samples, in stretches of more than 2 s.
  package var missing: Double?
  /// The steps that a simulation has taken.
  package var truth: Int?

  /// `placement` nil: it is not known.
  package init(file: String, placement: Placement?, tally: ActivityTally) {
    self.file = file
    (self.placement, isPlacementAssumed) = ("\(placement ?? .body)", placement == nil)
    seconds = JSONLine.rounded(tally.duration)
    start = tally.stamp(at: 0)
    steps = tally.walk.steps
    cadence = tally.cadence.map { JSONLine.rounded($0) }
    let way = ActivityErrors.distance(tally.walk)
    distance = JSONLine.rounded(way.value)
    (distanceLow, distanceHigh) = (JSONLine.rounded(way.low), JSONLine.rounded(way.high))
    (floorsAscended, floorsDescended) = (tally.walk.floorsAscended, tally.walk.floorsDescended)
    activeTime = JSONLine.rounded(tally.walk.activeTime)
    events = tally.events.map { event in
      Event(time: JSONLine.rounded(tally.elapsed(at: event.time)), kind: event.kind == .pause ? "pause" : "resume")
    }
    activities = tally.spans.map {
      Span(
        start: JSONLine.rounded($0.start), end: JSONLine.rounded($0.end), activity: $0.activity.name,
        confidence: "\($0.confidence)")
    }
    shares = Dictionary(uniqueKeysWithValues: tally.shares().map { ($0.activity.name, JSONLine.rounded($0.seconds)) })
    let missing = tally.duration - tally.covered
    self.missing = missing > 0 ? JSONLine.rounded(missing) : nil
  }

  package static let header =
    "   steps      duration  steps/min         distance (m)        active  floors up/down  pauses  recording"

  package var line: String {
    let floors = floorsAscended.map { "\($0)/\(floorsDescended ?? 0)" } ?? "–"
    let minute = cadence.map { String(format: "%.1f", $0 * 60) } ?? "–"
    let cells: [(String, Int)] = [
      (Text.grouped(steps), 8), (Text.duration(seconds), 14), (minute, 11), (metres, 21),
      (activeTime > 0 ? Text.duration(activeTime) : "–", 14), (floors, 16),
      (String(events.count { $0.kind == "pause" }), 8),
    ]
    return cells.map { Text.padded($0, $1) }.joined() + "  " + file
  }

  /// Each activity with the time of its beginning, then the share of each; `briefly`: the shares alone.
  package func activityLines(_ tally: ActivityTally, briefly: Bool) -> [String] {
    let whole = shares.values.reduce(0, +)
    let parts = tally.shares().map {
      "\($0.activity.name) \(Text.duration($0.seconds)) (\(Text.decimal($0.seconds / whole * 100, places: 1)) %)"
    }
    let sentence = "  " + parts.joined(separator: ", ")
    guard !briefly else { return [sentence] }
    func line(_ start: String, _ duration: String, _ confidence: String, _ activity: String) -> String {
      Text.padded(start, 12) + Text.padded(duration, 15) + Text.padded(confidence, 12) + "  " + activity
    }
    let rows = tally.spans.map { span in
      line(tally.time(span.start), Text.duration(span.end - span.start), "\(span.confidence)", span.activity.name)
    }
    let day = tally.day(0).map { ["  \($0)"] } ?? []
    return day + [line("start", "duration", "confidence", "activity")] + rows + [sentence]
  }

  /// "26 (19–33)"; with a decimal below 20 m.
  private var metres: String {
    guard distance > 0 else { return "0" }
    let values = [distance, distanceLow, distanceHigh].map { String(format: distance < 20 ? "%.1f" : "%.0f", $0) }
    return "\(values[0]) (\(values[1])–\(values[2]))"
  }

  /// For a picture.
  package var sentence: String {
    var parts = [Text.count(steps, "step"), "\(metres) m"]
    if let cadence { parts.insert("\(Text.decimal(cadence * 60, places: 1)) steps a minute", at: 1) }
    if let floorsAscended { parts.append("\(Text.count(floorsAscended, "floor")) up, \(floorsDescended ?? 0) down") }
    return (parts + [Text.duration(seconds)]).joined(separator: " · ")
  }
}
