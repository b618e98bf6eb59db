// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing
package import MotionServices

/// What is known of a host's past (a stub: the contract between the parts of issue 19).
package final class HostHistory: Sendable {
  /// The steps of a range of time.
  package struct Steps: Sendable, Equatable {
    package var steps = 0
    /// Metres on foot.
    package var distance = 0.0
    /// Nil without a barometer.
    package var floorsAscended, floorsDescended: Int?
    /// Seconds of walking or running.
    package var activeTime = 0.0
    package init() {}
  }

  /// An activity and when it began.
  package struct Activity: Sendable, Equatable {
    package var startDate: Date
    /// The same on the clock of the samples.
    package var instant: SensorInstant
    package var activity: MotionActivity
    package var confidence: ActivityConfidence
  }

  init(host: MotionHost) {}

  /// Steps between two dates, interpolated at the edges: adjoining ranges add up.
  package func steps(from start: Date, to end: Date) throws(SensorError) -> Steps { Steps() }
  /// Oldest first; the first may have begun before `start`.
  package func activities(from start: Date, to end: Date) throws(SensorError) -> [Activity] { [] }
  /// A service has started: a history in memory follows the device from now on.
  package func keep() {}
}

extension MotionHost {
  /// The history of this host's device.
  package var history: HostHistory { HostHistory(host: self) }
}
