// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing
package import MotionServices

/// What is known of a device's past: what a program has seen itself (``MemoryHistory``), or a recorder's file.
package protocol History: AnyObject, Sendable {
  /// The steps between two dates. Ranges that adjoin add up exactly, steps to the step and metres to the millimetre
  /// (``StepSums``).
  func steps(from start: Date, to end: Date) throws(SensorError) -> StepTotals

  /// The activities between two dates, oldest first; the first one may have begun before. Those that lasted less than
  /// ten seconds belong to the one before, and neighbours that are the same are one.
  func activities(from start: Date, to end: Date) throws(SensorError) -> [RecordedActivity]

  /// The samples between two dates, both included, oldest first. Batches are read one at a time, while the sequence is
  /// gone through; each pass begins again. A batch that is removed meanwhile is left out.
  func accelerometer(from start: Date, to end: Date) throws(SensorError) -> AccelerationSequence

  /// The number of the newest batch that there ever was.
  func lastIdentifier() throws(SensorError) -> UInt64

  /// The time of the newest row of a clock; nil when there is none. A recording played again is known up to there.
  func lastInstant(ofClock clock: String) throws(SensorError) -> SensorInstant?

  /// Rows that answers left out so far because a value of theirs has a wrong type or is out of its range.
  var damagedRows: Int { get }
}

/// Where a recorder puts what it finds.
package protocol HistorySink: Sendable {
  /// What has been written, for questions.
  var history: any History { get }

  /// Writes rows of one line; `now` is the time on the wall clock by the samples' times. `durably`: the disk has them
  /// when this returns, whatever happens to the computer; otherwise only the program may die.
  func write(_ rows: HistoryRows, line: TimeLine, durably: Bool, at now: Date)

  /// Waits until everything that was handed over has been tried.
  func finish(at now: Date)
}

/// Seconds after which rows are removed.
package enum HistoryRetention {
  /// Three days of the accelerometer.
  package static let accelerometer: TimeInterval = 3 * 86_400
  /// Seven days of steps and activities.
  package static let history: TimeInterval = 7 * 86_400
}

/// How a recorder's file is read. The product MotionHistory has it; this module has none of SQLite.
package struct HistoryProvider: Sendable {
  /// Opens a file for questions; nil when there is none, or none that anything was written to.
  package var open: @Sendable (_ path: String) throws(SensorError) -> (any History)?
  /// Whether a recorder writes a file now and keeps the accelerometer there.
  package var isKeepingAccelerometer: @Sendable (_ path: String) -> Bool

  private static let provider = Lock<HistoryProvider?>(nil)

  package init(
    open: @escaping @Sendable (_ path: String) throws(SensorError) -> (any History)?,
    isKeepingAccelerometer: @escaping @Sendable (_ path: String) -> Bool
  ) {
    (self.open, self.isKeepingAccelerometer) = (open, isKeepingAccelerometer)
  }

  /// To be called from ``SourceRegistry/atStart(_:)``.
  package static func register(_ provider: HistoryProvider) { Self.provider.withLock { $0 = provider } }

  /// Nil where the product is not linked.
  static var linked: HistoryProvider? {
    // Reading the registry runs what products have to add.
    _ = SourceRegistry.schemes
    return provider.withLock { $0 }
  }
}

extension Date {
  /// Microseconds from 1970; dates beyond 10 000 years are as far away as that.
  package func microseconds() throws(SensorError) -> Int64 {
    let seconds = timeIntervalSince1970
    guard !seconds.isNaN else { throw SensorError(.invalidRequest, "A date of the range is not a number.") }
    return Int64(clamping: (min(max(seconds, -3e11), 3e11) * 1e6).rounded())
  }

  package init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1e6) }
}
