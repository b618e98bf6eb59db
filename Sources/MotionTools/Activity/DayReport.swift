// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import Foundation
import MotionSensing
package import MotionServices

/// A day in figures, as text or as JSON.
package struct DayReport: Encodable {
  /// One hour with samples.
  struct Hour: Encodable {
    /// Seconds from the first sample to the beginning of the hour; below 0 where the hour had begun.
    var start: Double
    /// The beginning of the hour, where the recording has dates.
    var date: String?
    var steps: Int
    /// Metres.
    var distance: Double
    var floorsAscended: Int?
    var floorsDescended: Int?
    /// Of each activity.
    var minutes: [String: Double]
    /// Minutes without samples.
    var missing: Double
  }

  package var file: String
  /// From the first sample to the last.
  package var seconds: Double
  /// Seconds with samples.
  var covered: Double
  package var start: String?
  package var steps: Estimate
  /// Metres.
  package var distance: Estimate
  var floorsAscended: Estimate?
  var floorsDescended: Estimate?
  /// Of each activity.
  package var minutes: [String: Estimate]
  var hours: [Hour]
  /// One for each calendar day, with the names of the columns of a table of days.
  var days: DayTable?

  package init(file: String, tally: ActivityTally, placement: ActivityEstimator.Placement, days: DayRows? = nil) {
    self.days = days.map { DayTable(rows: $0, file: file) }
    self.file = file
    seconds = JSONLine.rounded(tally.duration)
    covered = JSONLine.rounded(tally.covered)
    start = tally.stamp(at: 0)
    steps = ActivityErrors.steps(tally, placement)
    distance = ActivityErrors.distance(tally.walk)
    floorsAscended = tally.walk.floorsAscended.map(ActivityErrors.floors)
    floorsDescended = tally.walk.floorsDescended.map(ActivityErrors.floors)
    minutes = Dictionary(
      uniqueKeysWithValues: tally.shares().map {
        ($0.activity.name, ActivityErrors.minutes($0.activity, seconds: $0.seconds, tally))
      })
    hours = tally.hoursWithSamples.map { hour in
      let begin = tally.start(ofHour: hour)
      let walk = tally.walk(ofHour: hour) ?? ActivityTally.Walk()
      let shares = tally.shares(from: begin, to: begin + 3600)
      let whole = min(begin + 3600, tally.duration) - max(begin, 0)
      return Hour(
        start: JSONLine.rounded(begin), date: tally.stamp(at: begin), steps: walk.steps,
        distance: JSONLine.rounded(walk.distance),
        floorsAscended: walk.floorsAscended ?? tally.walk.floorsAscended.map { _ in 0 },
        floorsDescended: walk.floorsDescended ?? tally.walk.floorsDescended.map { _ in 0 },
        minutes: Dictionary(
          uniqueKeysWithValues: shares.map { ($0.activity.name, JSONLine.rounded($0.seconds / 60)) }),
        missing: JSONLine.rounded(max(0, whole - tally.covered(from: begin, to: begin + 3600)) / 60))
    }
  }
}
