// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

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
  /// The steps of a few seconds; spans of one line do not overlap.
  package struct Steps: Sendable, Equatable {
    package var start, end: SensorInstant
    package var steps: Int
    /// Metres; kept to the millimetre.
    package var distance: Double
    /// Nil without a barometer.
    package var floorsAscended, floorsDescended: Int?
    /// Seconds; kept to the millisecond.
    package var activeTime: Double

    package init(
      start: SensorInstant, end: SensorInstant, steps: Int, distance: Double, floorsAscended: Int? = nil,
      floorsDescended: Int? = nil, activeTime: Double
    ) {
      (self.start, self.end, self.steps, self.distance) = (start, end, steps, distance)
      (self.floorsAscended, self.floorsDescended, self.activeTime) = (floorsAscended, floorsDescended, activeTime)
    }
  }

  /// An activity, from its beginning until that of the next.
  package struct Activity: Sendable, Equatable {
    package var time: SensorInstant
    /// Bits and a level that this module only keeps.
    package var flags, confidence: Int

    package init(time: SensorInstant, flags: Int, confidence: Int) {
      (self.time, self.flags, self.confidence) = (time, flags, confidence)
    }
  }

  /// Metres of the same walks: by the model of the length of steps, and by a receiver of positions.
  package struct StepLength: Sendable, Equatable {
    package var modelled, measured: Double
    package init(modelled: Double, measured: Double) { (self.modelled, self.measured) = (modelled, measured) }
  }

  package var steps: [Steps] = []
  package var activities: [Activity] = []
  package var batches: [AccelerationBatch] = []
  /// Takes the place of what was known before.
  package var stepLength: StepLength?

  package init() {}

  package var isEmpty: Bool { steps.isEmpty && activities.isEmpty && batches.isEmpty && stepLength == nil }
}
