// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MotionRecording
import MotionSensing
import MotionServices

/// Several recordings fused in parallel: each thread claims one recording after another. The rows are those of each
/// recording fused alone.
///
/// Messages come in the order of the inputs, whichever is finished first.
final class FuseBatch: Sendable {
  struct Input: Sendable {
    var item: FusePlan.Item
    /// The failure is reported in the input's turn.
    var selection: Result<SourceSelection, any Error>
  }

  /// What there is to say of an input that is done.
  private struct Outcome {
    var lines: [String] = []
    var result: FuseOutcome
  }

  private struct State {
    var outcomes: [Outcome?]
    /// Outcomes before this one have been said.
    var said = 0
    /// Claimed recordings, in `order`.
    var claimed = 0
    var rows = 0
    /// Seconds of sample time.
    var covered = 0.0
  }

  private let inputs: [Input]
  private let job: FuseJob
  private let threadCount: Int
  /// The inputs, the longest first, so that no thread is left with a long one at the end. Unknown = longest.
  private let order: [Int]
  private let completion: Completion
  private let state: Lock<State>

  init(_ inputs: [Input], job: FuseJob, cores: Int = ProcessInfo.processInfo.activeProcessorCount) {
    self.inputs = inputs
    self.job = job
    completion = .endedBySignals()
    let durations = inputs.map { (try? $0.selection.get())?.duration ?? .infinity }
    order = inputs.indices.sorted { (-durations[$0], $0) < (-durations[$1], $1) }
    threadCount = max(1, min(cores, inputs.count))
    state = Lock(State(outcomes: inputs.map { _ in nil }))
  }

  /// Runs all.
  func run() throws -> [FuseOutcome] {
    let workers = DispatchGroup()
    for number in 0..<threadCount {
      workers.enter()
      do {
        try SystemThread.start("motion fusion") { [self] in
          while let index = claim() { run(index) }
          workers.leave()
        }
      } catch {
        workers.leave()
        // Fewer threads do the same work.
        if number == 0 { throw error }
        break
      }
    }
    workers.notify(queue: .global()) { [completion] in completion.finish(.done) }
    let durations = inputs.compactMap { (try? $0.selection.get())?.duration }
    let progress = ProgressLine(wanted: durations.count == inputs.count ? durations.reduce(0, +) : nil)
    let end = completion.run {
      let (rows, covered) = state.withLock { ($0.rows, $0.covered) }
      progress.update(rows, "row", covered: covered)
    }
    workers.wait()
    let outcomes = state.withLock { state in
      say(&state, all: true)
      return state.outcomes.compactMap { $0?.result }
    }
    if case .interrupted(let number) = end { throw ProgramEnd.signal(number) }
    return outcomes
  }

  /// The next recording for a thread; nil when none is left or the run was interrupted.
  private func claim() -> Int? {
    guard !completion.isFinished else { return nil }
    return state.withLock { state in
      guard state.claimed < order.count else { return nil }
      defer { state.claimed += 1 }
      return order[state.claimed]
    }
  }

  private func run(_ index: Int) {
    let item = inputs[index].item
    var outcome = Outcome(result: FuseOutcome(item, MotionRun.Report()))
    do {
      outcome.result = FuseOutcome(item, try fuse(inputs[index], &outcome.lines))
    } catch {
      outcome.lines.append(FuseJob.line(of: error, item))
      outcome.result = FuseOutcome(item, failure: error)
    }
    state.withLock { state in
      state.outcomes[index] = outcome
      say(&state, all: false)
    }
  }

  /// One recording into its file; `lines` are what there is to say.
  private func fuse(_ input: Input, _ lines: inout [String]) throws -> MotionRun.Report {
    let started = ContinuousClock.now
    let selection = try input.selection.get()
    guard let recording = RecordingFusion.recording(of: selection) else {
      throw CommandFailure("\(selection.name) is no recording.")
    }
    let frame = job.frame ?? .arbitrary
    let host = try selection.host(location: job.location)
    try MotionRequirements.check(frame, of: selection, on: host)
    var fusion = try RecordingFusion(
      recording, selection.info, frame.framing(on: host), limit: job.limit,
      smooths: job.smooths)
    let format = try job.rowFormat(of: input.item.output)
    let file = try OutputFile.open(input.item.output, readingFrom: recording.path)
    lines.append(selection.headline)
    do {
      var writer = RowWriter(file: file, format: format)
      var report = MotionRun.Report()
      var (rowsTold, timeTold) = (0, 0.0)
      let isWhole = try fusion.run(
        &report,
        goesOn: { report in
          state.withLock {
            $0.rows += report.rowCount - rowsTold
            $0.covered += report.duration - timeTold
          }
          (rowsTold, timeTold) = (report.rowCount, report.duration)
          return !completion.isFinished
        }, write: { try writer.append($0) })
      if isWhole {
        try FuseJob.requireRows(report, selection)
        try writer.flush()
        try file.commit()
      } else {
        file.discard()
      }
      lines += job.summary(report, selection, elapsed: ContinuousClock.now - started)
      if !isWhole { lines.append("Interrupted: \(input.item.output) was not written.") }
      return report
    } catch {
      file.discard()
      throw error
    }
  }

  /// Says what is known of the inputs up to the first that is not done, or of all.
  private func say(_ state: inout State, all: Bool) {
    while state.said < state.outcomes.count, all || state.outcomes[state.said] != nil {
      StandardError.shared.say(state.outcomes[state.said]?.lines ?? [])
      state.said += 1
    }
  }
}
