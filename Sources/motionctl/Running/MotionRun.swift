// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionServices

/// A source run from its beginning to its end as fast as it goes, every sample a row: the work behind `fuse` and `plot`.
///
/// The rows have the numbers of `CMMotionManager`, but come straight from the hub on the source's thread, or from a recording
/// without a hub (``pulled``).
struct MotionRun {
  /// What a run amounted to.
  struct Report {
    var rowCount = 0
    /// Seconds on the source's clock.
    var first = 0.0
    var last = 0.0
    var rowsAtRest = 0
    /// Nil when the motion was recorded: nobody knows then.
    var knowsRest = false
    /// Frames of the rows: one, unless a recording changes it.
    var frame: CMAttitudeReferenceFrame?
    /// Sentences of errors that a handler would have received.
    var notices: [String] = []
    var statistics = TimelineStatistics()
    /// What the reader left out, as a sentence; nil = nothing, or the selection knows.
    var omissions: String?

    var duration: Double { last - first }
  }

  let selection: SourceSelection
  let frame: ReferenceFrame
  let limit: Seconds?
  let completion = Completion()
  let host: MotionHost
  let memory: (any SensorMemory)?

  /// From here on a signal ends the run, not the program.
  init(
    _ selection: SourceSelection, frame: ReferenceFrame, location: LocationArgument?, limit: Seconds?,
    memory: (any SensorMemory)? = nil
  ) throws {
    self.selection = selection
    self.frame = frame
    self.limit = limit
    self.memory = memory
    Interruption.begin(completion)
    try selection.requireEnd(limit: limit)
    let clock: (any SensorClock)? = selection.info.pacing == .onDemand ? FreeRunningClock() : nil
    host = try selection.host(clock: clock, location: location, memory: memory)
    try MotionRequirements.check(frame, of: selection, on: host)
  }

  /// Runs; `take` receives every row on the source's thread and may throw to end the run.
  func callAsFunction(
    take: @escaping @Sendable (DeviceMotionRow) throws -> Void
  ) throws -> (outcome: Completion.Outcome, report: Report) {
    if let recording = pulled { return pull(recording, take: take) }
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    let completion = completion
    let rows = DeviceMotionRows(frame: frame.value, host: host)
    let report = Lock(Report())
    let limit = limit
    let subscription = hub.subscribe(rows.stream, interval: .zero) { event, _ in
      guard !completion.isFinished else { return }
      switch event {
      case .ended: completion.finish(.done)
      case .failed(let error): completion.finish(.failed(error))
      default:
        do {
          let isWanted = try report.withLock { try Self.take(event, rows, limit, &$0, take) }
          if !isWanted { completion.finish(.done) }
        } catch {
          completion.finish(.stopped(error))
        }
      }
    }
    let outcome = wait { report.withLock { ($0.rowCount, $0.duration) } }
    subscription.cancel()
    return (
      outcome,
      report.withLock { report in
        report.statistics = hub.statistics
        return report
      }
    )
  }

  /// Waits for the end and shows meanwhile how far the run is: rows, and seconds of sample time.
  func wait(_ position: () -> (rows: Int, covered: Double)) -> Completion.Outcome {
    let progress = ProgressLine(selection, limit: limit)
    defer { StandardError.shared.endStatus() }
    return completion.wait {
      let (count, covered) = position()
      progress.update(rows: count, covered: covered)
    }
  }

  /// Makes the row of an event and counts it; false when the row is beyond the limit.
  static func take(
    _ event: HubEvent, _ rows: DeviceMotionRows, _ limit: Seconds?, _ report: inout Report,
    _ take: (DeviceMotionRow) throws -> Void
  ) throws -> Bool {
    guard let row = rows.row(for: event, report: { report.notices.append($0.localizedDescription) })
    else { return true }
    if report.rowCount == 0 { (report.first, report.frame) = (row.timestamp, row.frame) }
    if let limit, limit.isOver(after: row.timestamp - report.first) { return false }
    report.rowCount += 1
    report.last = row.timestamp
    if case .motion(let motion) = event {
      report.knowsRest = true
      if motion.isAtRest { report.rowsAtRest += 1 }
    }
    try take(row)
    return true
  }
}
