// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivityEstimation
package import ActivitySummary

/// A calendar day: wear and movement, steps and activities, with the interval of each figure.
package struct DaySummary: Sendable {
  package var wear: WearDay
  /// Whether worn or not.
  package var steps: Estimate
  /// Metres.
  package var distance: Estimate
  /// Of each activity, the longest first.
  package var minutes: [(activity: MotionActivity, estimate: Estimate)]

  /// A row for each day of a recording.
  ///
  /// - Parameters:
  ///   - days: of ``WearDays/finish()``.
  ///   - tally: of the same samples, finished, with ``ActivityTally/sinceFullHour`` set where days are calendar days.
  ///   - localOffset: as in ``WearDays/Parameters/localOffset``.
  package static func rows(
    _ days: [WearDay], _ tally: ActivityTally, _ placement: ActivityEstimator.Placement, localOffset: Int64
  ) -> [DaySummary] {
    days.map { day in
      let midnight = Int64(day.day) * LocalClock.day &- localOffset
      let begin = tally.elapsed(atNanoseconds: midnight)
      let end = begin + 86_400
      // An hour belongs to the day of its middle.
      let first = tally.hour(at: max(0, begin + 1800))
      var walk = ActivityTally.Walk()
      if end > 0 {
        for hour in first..<first + 25 where (begin..<end).contains(tally.start(ofHour: hour) + 1800) {
          if let part = tally.walk(ofHour: hour) { walk.add(part) }
        }
      }
      let shares = tally.shares(from: begin, to: end)
      return DaySummary(
        wear: day, steps: ActivityErrors.steps(walk.steps, shares, placement), distance: ActivityErrors.distance(walk),
        minutes: shares.map { share in
          (
            share.activity,
            ActivityErrors.minutes(share.activity, seconds: share.seconds, tally, from: begin, to: end)
          )
        })
    }
  }
}
