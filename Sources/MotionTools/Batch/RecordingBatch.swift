// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MotionSensing
import MotionServices

/// Several recordings worked on in parallel: each thread claims one after another. What each becomes is what it becomes
/// alone.
///
/// Messages come in the order of the inputs, whichever is finished first.
final class RecordingBatch: Sendable {
  /// Told by the work on its way: rows and seconds of sample time so far. False = it should end now.
  typealias GoesOn = (_ rows: Int, _ covered: Double) -> Bool

  struct Input: Sendable {
    var item: BatchPlan.Item
    /// Seconds of sample time, where they are known.
    var duration: Double?
    /// Does all there is to do, and appends to the lines what there is to say. What it throws is reported in the
    /// input's turn.
    var work: @Sendable (inout [String], GoesOn) throws -> BatchOutcome
  }

  /// What there is to say of an input that is done.
  private struct Outcome {
    var lines: [String] = []
    var result: BatchOutcome
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
  private let threadCount: Int
  /// The inputs, the longest first, so that no thread is left with a long one at the end. Unknown = longest.
  private let order: [Int]
  private let completion: Completion
  private let state: Lock<State>

  /// `completion`: what ends the run early; nil = a signal does.
  init(
    _ inputs: [Input], completion: Completion? = nil, cores: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.inputs = inputs
    self.completion = completion ?? .endedBySignals()
    let durations = inputs.map { $0.duration ?? .infinity }
    order = inputs.indices.sorted { (-durations[$0], $0) < (-durations[$1], $1) }
    threadCount = max(1, min(cores, inputs.count))
    state = Lock(State(outcomes: inputs.map { _ in nil }))
  }

  /// Runs all.
  func run() throws -> [BatchOutcome] {
    let workers = DispatchGroup()
    for number in 0..<threadCount {
      workers.enter()
      do {
        try SystemThread.start("recordings") { [self] in
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
    let durations = inputs.compactMap(\.duration)
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
    var lines: [String] = []
    var (rowsTold, timeTold) = (0, 0.0)
    let result: BatchOutcome
    do {
      result = try inputs[index].work(&lines) { rows, covered in
        state.withLock {
          $0.rows += rows - rowsTold
          $0.covered += covered - timeTold
        }
        (rowsTold, timeTold) = (rows, covered)
        return !completion.isFinished
      }
    } catch {
      lines.append(BatchOutcome.line(of: error, item))
      result = BatchOutcome(item, failure: error)
    }
    let outcome = Outcome(lines: lines, result: result)
    state.withLock { state in
      state.outcomes[index] = outcome
      say(&state, all: false)
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
