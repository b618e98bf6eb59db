// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionServices

/// How the times of samples lie on the wall clock.
///
/// Rows of a store carry the time of their samples' clock, which never jumps, and name a line. The line holds where that
/// clock began, so a wall clock that is set is corrected in one place, for everything that was recorded since the
/// computer was started: nothing is lost between two dates, and nothing is there twice. A computer that sleeps begins a
/// new line, because its sensors' clock stands still.
package struct TimeLine: Sendable, Hashable {
  /// What distinguishes the clock from others: the boot of a computer, or a recording.
  package var clock: String
  /// Microseconds from 1970 to the zero of the clock.
  package var origin: Int64
  /// Microseconds that the computer had slept; the clock does not count them.
  package var asleep: Int64

  package init(clock: String, origin: Int64, asleep: Int64 = 0) {
    (self.clock, self.origin, self.asleep) = (clock, origin, asleep)
  }

  /// Microseconds by which a wall clock may differ from what is known of it before it counts as set.
  private static let tolerance: Int64 = 100_000

  /// Compares a line with those of the same clock that are known, newest first: by how much the wall clock has been set
  /// since, which moves all of them, and which of them it is. Nil = a new one, because the computer has slept.
  package func place(among known: [TimeLine]) -> (step: Int64, index: Int?) {
    guard let last = known.first else { return (0, nil) }
    // What is left of the difference after the sleep is how far the clock has been set.
    let step = (origin - last.origin) - (asleep - last.asleep)
    // Samples from before a sleep may be written after it.
    return (
      abs(step) > Self.tolerance ? step : 0, known.firstIndex { abs(asleep - $0.asleep) <= Self.tolerance }
    )
  }
}

/// What is written together.
package struct HistoryRows: Sendable, Equatable {
  /// Spans of one line do not overlap. Distances are kept to the millimetre, active times to the millisecond.
  package var steps: [StepEpoch] = []
  package var activities: [ActivityChange] = []
  package var batches: [AccelerationBatch] = []

  package init(batches: [AccelerationBatch] = []) { self.batches = batches }

  package var isEmpty: Bool { steps.isEmpty && activities.isEmpty && batches.isEmpty }
}

/// An activity and when it began.
package struct RecordedActivity: Sendable, Equatable {
  /// Seconds: what is shorter is left out of a history.
  package static let shortest: TimeInterval = 10

  package var startDate: Date
  package var change: ActivityChange

  /// `origin`: of the change's line, microseconds from 1970.
  package init(_ change: ActivityChange, origin: Int64) {
    (startDate, self.change) = (Date(microseconds: origin + change.start.microseconds), change)
  }

  /// An hour more on both sides of a range: whether the first and the last are short shows by their neighbours.
  package static func surroundings(_ first: Int64, _ last: Int64) -> (low: Int64, high: Int64) {
    (first - 3_600_000_000, last + 3_600_000_000)
  }

  /// Of what was found in the surroundings of a range, what is reported of the range: without what is too short, and
  /// neighbours that are the same as one.
  package static func selected(_ found: [RecordedActivity], from start: Date, to end: Date) -> [RecordedActivity] {
    // What grows more certain in a few seconds is one activity, and not several short ones.
    let all = joined(found.sorted { $0.startDate < $1.startDate })
    let long = all.indices.filter { index in
      index + 1 == all.count || all[index + 1].startDate.timeIntervalSince(all[index].startDate) >= shortest
    }
    let reported = joined(long.map { all[$0] })
    let current = reported.lastIndex { $0.startDate <= start } ?? 0
    return reported.dropFirst(current).filter { $0.startDate <= end }
  }

  /// Neighbours of the same activity as one: the more certain of them counts for all.
  private static func joined(_ activities: [RecordedActivity]) -> [RecordedActivity] {
    activities.reduce(into: []) { joined, activity in
      if let last = joined.last, last.change.activity == activity.change.activity {
        joined[joined.count - 1].change.confidence = max(last.change.confidence, activity.change.confidence)
      } else {
        joined.append(activity)
      }
    }
  }
}
