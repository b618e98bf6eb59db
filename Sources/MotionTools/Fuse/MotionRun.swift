// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionHost
package import MotionRecording
package import MotionSensing
package import MotionServices

/// A source run from its beginning to its end as fast as it goes, every sample a row: the work behind `fuse` and
/// `plot`.
///
/// The rows have the numbers of `CMMotionManager`, but come straight from the hub on the source's thread, or from a
/// recording without a hub (``RecordingFusion``).
package struct MotionRun {
  /// What a run amounted to.
  package struct Report {
    package var rowCount = 0
    /// Seconds on the source's clock.
    package var first = 0.0
    package var last = 0.0
    /// Rest by the rule of `motionctl info`.
    package var rest = RestMeter()
    /// Frame of the rows: one, unless a recording changes it.
    package var frame: MotionRow.Reference?
    /// Sentences of errors that a handler would have received.
    package var notices: [String] = []
    package var statistics = TimelineStatistics()
    /// What the reader dropped, as a sentence; nil = nothing, or the selection knows.
    package var omissions: String?

    package var duration: Double { last - first }

    /// Counts a row; false when it is beyond the limit.
    package mutating func add(_ row: MotionRow, limit: Seconds?) -> Bool {
      let time = row.time.seconds
      if rowCount == 0 { (first, frame) = (time, row.reference) }
      if let limit, limit.isOver(after: time - first) { return false }
      rowCount += 1
      last = time
      return true
    }
  }

  package let selection: SourceSelection
  package let frame: ReferenceFrame
  package let limit: Seconds?
  private let completion: Completion
  package let host: MotionHost
  package let memory: (any SensorMemory)?
  package let smooths: Bool

  /// From here on a signal ends the run, not the program.
  package init(
    _ selection: SourceSelection, frame: ReferenceFrame, location: LocationArgument?, limit: Seconds?,
    memory: (any SensorMemory)? = nil, smooths: Bool = false
  ) throws {
    self.selection = selection
    self.smooths = smooths
    if smooths, RecordingFusion.recording(of: selection) == nil {
      throw CommandFailure(
        "--smooth needs a recording of raw sensors that is read to its end; \(selection.name) is none: record it first (motionctl record)."
      )
    }
    self.frame = frame
    self.limit = limit
    self.memory = memory
    completion = .endedBySignals()
    try selection.requireEnd(limit: limit)
    let clock: (any SensorClock)? = selection.info.pacing == .onDemand ? FreeRunningClock() : nil
    host = try selection.host(clock: clock, location: location, memory: memory)
    try MotionRequirements.check(frame, of: selection, on: host)
  }

  /// Runs; `write` receives every row on the source's thread and may throw to end the run.
  package func callAsFunction(
    write: @escaping @Sendable (MotionRow) throws -> Void
  ) throws -> (outcome: Completion.Outcome, report: Report) {
    if memory == nil, let recording = RecordingFusion.recording(of: selection) {
      return fuse(recording, write: write)
    }
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    let (limit, isLive) = (limit, selection.info.origin == .hardware)
    let framing = frame.framing(on: host)
    let state = Lock((framing: framing, report: Report()))
    let progress = ProgressLine(selection, limit: limit)
    let (outcome, statistics) = SourceRun(hub, completion: completion)(
      [framing.stream], status: { _ in progress.update(state.withLock { $0.report }) },
      motion: { motion in
        try state.withLock { state in
          let (row, notice) = state.framing.update(motion)
          if let notice { state.report.notices.append(isLive ? notice.sentence : notice.sentenceOfRecording) }
          guard let row else { return true }
          guard state.report.add(row, limit: limit) else { return false }
          state.report.rest.update(force: motion.accelerometer.specificForce, at: motion.time)
          state.report.rest.update(rate: row.angularVelocity, at: motion.time)
          try write(row)
          return true
        }
      }
    ) { sample, _ in
      guard case .motion(let row) = sample else { return true }
      return try state.withLock { state in
        guard state.report.add(row, limit: limit) else { return false }
        try write(MotionFraming.row(row))
        return true
      }
    }
    var report = state.withLock { $0.report }
    report.statistics = statistics
    return (outcome, report)
  }

  /// The same for a recording that needs no hub, read on a thread of this run.
  private func fuse(
    _ recording: Recording, write: @escaping @Sendable (MotionRow) throws -> Void
  ) -> (outcome: Completion.Outcome, report: Report) {
    let latest = Lock(Report())
    let hasEnded = DispatchSemaphore(value: 0)
    let read: @Sendable () -> Void = { [self] in
      var report = Report()
      do {
        var fusion = try RecordingFusion(
          recording, selection.info, frame.framing(on: host), limit: limit, smooths: smooths)
        _ = try fusion.run(
          &report,
          goesOn: { report in
            latest.withLock { $0 = report }
            return !completion.isFinished
          }, write: write)
        completion.finish(.done)
      } catch let error as SensorError {
        completion.finish(.failed(error))
      } catch {
        completion.finish(.stopped(error))
      }
      latest.withLock { $0 = report }
      hasEnded.signal()
    }
    do { try SystemThread.start("motion fusion", read) } catch {
      completion.finish(.failed(error))
      hasEnded.signal()
    }
    let progress = ProgressLine(selection, limit: limit)
    let outcome = completion.run { progress.update(latest.withLock { $0 }) }
    hasEnded.wait()
    return (outcome, latest.withLock { $0 })
  }
}

extension ProgressLine {
  /// Rows, and seconds of sample time.
  fileprivate func update(_ report: MotionRun.Report) { update(report.rowCount, "row", covered: report.duration) }
}
