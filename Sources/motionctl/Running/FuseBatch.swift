// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Foundation
import MotionSensing
import MotionServices

/// Several recordings fused at once: on all cores, and on each core in the lanes of ``DeviceMotionBatch``.
///
/// What is said of each recording is said in the order of the inputs, whichever is done first.
final class FuseBatch: Sendable {
  struct Input: Sendable {
    var item: FusePlan.Item
    /// The failure is told in the input's turn.
    var selection: Result<SourceSelection, any Error>
  }

  /// What there is to say of an input that is done.
  private struct Outcome {
    var lines: [String] = []
    var hasFailed = false
  }

  private struct State {
    var outcomes: [Outcome?]
    /// Outcomes before this one have been said.
    var said = 0
    var nextGroup = 0
    var rows = 0
  }

  /// From so many streams on a step of eight lanes is cheaper than one step for each.
  static let fewestLanes = 3
  /// So many threads are enough: each has eight recordings open, and a process may open some thousand files.
  static let mostThreads = 8

  private let inputs: [Input]
  private let command: FuseCommand
  private let threadCount: Int
  private let groups: [[Int]]
  private let completion = Completion()
  private let state: Lock<State>

  init(_ inputs: [Input], command: FuseCommand, cores: Int = ProcessInfo.processInfo.activeProcessorCount) {
    self.inputs = inputs
    self.command = command
    let durations = inputs.map { (try? $0.selection.get())?.duration }
    threadCount = max(1, min(cores, Self.mostThreads))
    groups = Self.groups(durations, threads: threadCount)
    state = Lock(State(outcomes: inputs.map { _ in nil }))
  }

  /// Which inputs go together, at most eight: those of similar length, the longest first, and as many groups as keep all
  /// threads busy. Nil = nobody knows how long.
  static func groups(_ durations: [Double?], threads: Int) -> [[Int]] {
    guard !durations.isEmpty else { return [] }
    let order = durations.indices.sorted {
      let (a, b) = (durations[$0] ?? .infinity, durations[$1] ?? .infinity)
      return a == b ? $0 < $1 : a > b
    }
    let rounds = (order.count + DeviceMotionBatch.capacity * threads - 1) / (DeviceMotionBatch.capacity * threads)
    let size = (order.count + rounds * threads - 1) / (rounds * threads)
    return stride(from: 0, to: order.count, by: size).map { Array(order[$0..<min($0 + size, order.count)]) }
  }

  /// Runs all; returns how many failed. A signal ends all.
  func run() throws -> Int {
    Interruption.begin(completion)
    let workers = DispatchGroup()
    for _ in 0..<min(threadCount, groups.count) {
      workers.enter()
      Thread.detachNewThread { [self] in
        while let group = takeGroup() { run(group) }
        workers.leave()
      }
    }
    workers.notify(queue: .global()) { [completion] in completion.finish(.done) }
    let started = ContinuousClock.now
    let end = completion.wait {
      guard ContinuousClock.now - started > .seconds(1) else { return }
      StandardError.shared.show(
        "\(Text.count(state.withLock { $0.rows }, "row")) of \(Text.count(inputs.count, "recording"))")
    }
    workers.wait()
    StandardError.shared.endStatus()
    let failures = state.withLock { state in
      say(&state, all: true)
      return state.outcomes.count { $0?.hasFailed ?? false }
    }
    if case .interrupted(let number) = end { throw ExitCode(Interruption.exitCode(number)) }
    return failures
  }

  private func takeGroup() -> [Int]? {
    guard !completion.isFinished else { return nil }
    return state.withLock { state in
      guard state.nextGroup < groups.count else { return nil }
      defer { state.nextGroup += 1 }
      return groups[state.nextGroup]
    }
  }

  // MARK: One group, on its thread

  private func run(_ group: [Int]) {
    let started = ContinuousClock.now
    var jobs: [(index: Int, job: FuseJob)] = []
    var outcomes: [(index: Int, outcome: Outcome)] = []
    for index in group {
      let input = inputs[index]
      do {
        let job = try FuseJob(input.selection.get(), output: input.item.output, command: command) { [self] rows in
          state.withLock { $0.rows += rows }
          return !completion.isFinished
        }
        jobs.append((index, job))
      } catch {
        outcomes.append((index, failed(input, error)))
      }
    }
    Self.fuse(jobs.map(\.job))
    let elapsed = ContinuousClock.now - started
    for (index, job) in jobs { outcomes.append((index, finish(job, inputs[index], elapsed))) }
    state.withLock { state in
      for (index, outcome) in outcomes { state.outcomes[index] = outcome }
      say(&state, all: false)
    }
  }

  private static func fuse(_ jobs: [FuseJob]) {
    guard let first = jobs.first else { return }
    if jobs.count >= fewestLanes {
      var batch = DeviceMotionBatch(jobs.map(\.selection.info), usesMagnetometer: first.usesMagnetometer, run: 1)
      batch.run(next: { jobs[$0].next() }, take: { jobs[$0].take($1) })
      return
    }
    for job in jobs {
      var estimator = DeviceMotionEstimator(info: job.selection.info, run: 1)
      estimator.solutions = job.usesMagnetometer ? .nineAxis : .sixAxis
      while let sample = job.next() {
        if let motion = estimator.update(sample) { job.take(motion) }
      }
      if let motion = estimator.finish() { job.take(motion) }
    }
  }

  private func finish(_ job: FuseJob, _ input: Input, _ elapsed: Duration) -> Outcome {
    var outcome = Outcome(lines: [job.selection.headline])
    do {
      let isInterrupted = try job.finish()
      outcome.lines += command.summary(
        job.report, job.selection, omissions: job.omissions, elapsed: elapsed)
      if isInterrupted { outcome.lines.append("Interrupted: \(input.item.output) was not written.") }
    } catch {
      outcome.lines += failed(input, error).lines
      outcome.hasFailed = true
    }
    return outcome
  }

  private func failed(_ input: Input, _ error: any Error) -> Outcome {
    Outcome(lines: [FuseCommand.line(of: error, input.item)], hasFailed: true)
  }

  /// Says what is known of the inputs up to the first that is not done, or of all.
  private func say(_ state: inout State, all: Bool) {
    while state.said < state.outcomes.count, all || state.outcomes[state.said] != nil {
      for line in state.outcomes[state.said]?.lines ?? [] { StandardError.shared.say(line) }
      state.said += 1
    }
  }
}
