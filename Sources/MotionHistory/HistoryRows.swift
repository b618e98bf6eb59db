// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionServices

/// How the times of samples lie on the wall clock.
///
/// Rows of a store carry the time of their samples' clock, which never jumps, and name a line. The line says where that clock began, so a
/// wall clock that is set is corrected in one place, for everything that was recorded since the computer was started: nothing is lost
/// between two dates, and nothing is there twice. A computer that sleeps begins a new line, because its sensors' clock stands still.
package struct TimeLine: Sendable, Hashable {
  /// What tells the clock from others: the boot of a computer, or a recording.
  package var clock: String
  /// Microseconds from 1970 to the zero of the clock.
  package var origin: Int64
  /// Microseconds that the computer had slept; the clock does not count them.
  package var asleep: Int64

  package init(clock: String, origin: Int64, asleep: Int64 = 0) {
    (self.clock, self.origin, self.asleep) = (clock, origin, asleep)
  }
}

/// What is written together.
package struct HistoryRows: Sendable, Equatable {
  /// Spans of one line do not overlap. Distances are kept to the millimetre, active times to the millisecond.
  package var steps: [StepEpoch] = []
  package var activities: [ActivityChange] = []
  package var batches: [AccelerationBatch] = []
  /// Takes the place of what was known before.
  package var stepLength: StepLengthCalibration.Sums?

  package init() {}

  package var isEmpty: Bool { steps.isEmpty && activities.isEmpty && batches.isEmpty && stepLength == nil }
}

/// The steps of a range of time.
package struct StepTotals: Sendable, Equatable {
  package var steps = 0
  /// Metres on foot.
  package var distance = 0.0
  /// Nil when no epoch of the range had a barometer.
  package var floorsAscended, floorsDescended: Int?
  /// Seconds of walking or running.
  package var activeTime = 0.0

  package init() {}

  package init(_ epoch: StepEpoch) {
    (steps, distance, activeTime) = (epoch.steps, epoch.distance, epoch.activeTime)
    (floorsAscended, floorsDescended) = (epoch.floorsAscended, epoch.floorsDescended)
  }

  /// What is unknown on both sides stays unknown.
  package mutating func add(_ other: StepTotals) {
    func sum(_ left: Int?, _ right: Int?) -> Int? { left == nil && right == nil ? nil : (left ?? 0) + (right ?? 0) }
    steps += other.steps
    distance += other.distance
    activeTime += other.activeTime
    floorsAscended = sum(floorsAscended, other.floorsAscended)
    floorsDescended = sum(floorsDescended, other.floorsDescended)
  }
}

/// An activity and when it began.
package struct RecordedActivity: Sendable, Equatable {
  package var startDate: Date
  package var change: ActivityChange
}
