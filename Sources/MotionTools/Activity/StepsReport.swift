// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import Foundation
import MotionSensing
import MotionServices

/// The steps of one recording, as a line of a table or as JSON.
package struct StepsReport: Encodable {
  package struct Event: Encodable {
    /// Seconds from the first sample, when it was noticed (S68).
    package var time: Double
    package var kind: String
  }

  package var file: String
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
  /// Seconds without samples, in stretches of more than 2 s.
  package var missing: Double?
  /// The steps that a simulation has taken.
  package var truth: Int?

  package init(file: String, tally: ActivityTally) {
    self.file = file
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
