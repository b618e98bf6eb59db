// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Foundation
package import MotionHost
package import MotionSensing

/// Puts rows into a store and does not lose them when that fails.
///
/// Rows that cannot be written, because the disk is full for example, wait in memory, up to an hour. Each new row is an
/// attempt, and so is every second one after a failure. What has to be given up is counted. A damaged file is put aside
/// and a new one begun. All of it is said, once.
package final class HistoryWriter: HistorySink {
  /// Numbers of rows.
  package struct Amount: Sendable, Equatable, CustomStringConvertible {
    /// Ten seconds of the accelerometer each.
    package var batches = 0
    package var spans = 0, changes = 0

    package var isEmpty: Bool { batches + spans + changes == 0 }

    /// More than waits at most, an hour of each: batches of 10 s; spans of 2.56 s, and no more changes than spans.
    var isTooMuch: Bool { batches > 360 || max(spans, changes) > 1407 }

    /// "1 batch of ten seconds, 4 spans of steps".
    package var description: String {
      [
        (batches, batches == 1 ? "batch of ten seconds" : "batches of ten seconds"),
        (spans, spans == 1 ? "span of steps" : "spans of steps"),
        (changes, changes == 1 ? "change of activity" : "changes of activity"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    mutating func add(_ rows: HistoryRows) {
      batches += rows.batches.count
      spans += rows.steps.count
      changes += rows.activities.count
    }
  }

  private struct State {
    var store: MotionStore
    var waiting: [(rows: HistoryRows, line: TimeLine)] = []
    var lastProblem: SensorError?
    var prunedAt: Date?
    /// Since the last row that was written.
    var lost = Amount()
    var isRetryPlanned = false

    var waitingAmount: Amount { waiting.reduce(into: Amount()) { $0.add($1.rows) } }
  }

  /// Seconds after a failure: room on a disk is used within seconds, also while no new rows come.
  private static let pause = 2.0

  private let source: String
  private let state: Lock<State>
  /// Held while rows are written: the end of a recorder writes on its own thread what a new start may write on another.
  private let flushing = Lock(())
  private let queue = DispatchQueue(label: "OpenCoreMotion history")
  /// Whether the source must not wait for the disk; otherwise rows are written before `write` returns.
  private let isLive: Bool
  private let say: @Sendable (String) -> Void

  /// - Parameters:
  ///   - source: the address that every row names.
  ///   - isLive: writing happens on a thread of its own.
  ///   - say: is told what a person has to know.
  package init(
    store: MotionStore, source: String, isLive: Bool, say: @escaping @Sendable (String) -> Void
  ) {
    (self.source, self.isLive, self.say) = (source, isLive, say)
    state = Lock(State(store: store))
  }

  /// The store; another one after damage.
  package var store: MotionStore { state.withLock { $0.store } }
  package var history: any History { store }
  /// Why the last attempt failed; nil when it did not.
  package var problem: SensorError? { state.withLock { $0.lastProblem } }
  /// What was handed over since the last row that was written, and is not in the file: it waits, or had to be given up
  /// because nothing could be written for more than an hour.
  package var unwritten: Amount {
    state.withLock { state in state.waiting.reduce(into: state.lost) { $0.add($1.rows) } }
  }
  /// The part of it that had to be given up.
  package var lost: Amount { state.withLock { $0.lost } }

  /// Writes what still waits, too.
  package func write(_ rows: HistoryRows, line: TimeLine, durably: Bool, at now: Date) {
    state.withLock { $0.waiting.append((rows, line)) }
    guard isLive else { return flush(durably: durably, at: now) }
    queue.async { self.flush(durably: durably, at: now) }
  }

  package func finish(at now: Date) { queue.sync { flush(durably: true, at: now) } }

  private func flush(durably: Bool, at now: Date?) {
    flushing.withLock { _ in flushAlone(durably: durably, at: now) }
  }

  private func flushAlone(durably: Bool, at now: Date?) {
    while let next = state.withLock({ $0.waiting.first }) {
      do throws(SensorError) {
        try replaceIfGone()
        try state.withLock { $0.store }.write(next.rows, source: source, line: next.line, durably: durably)
        let (wasBroken, lost) = state.withLock { state in
          defer { (state.lastProblem, state.lost) = (nil, Amount()) }
          state.waiting.removeFirst()
          return (state.lastProblem != nil, state.lost)
        }
        if wasBroken {
          say("The history is written again, \(lost.isEmpty ? "nothing is lost" : "but lost are \(lost)").")
        }
      } catch  where error.code == .malformed {
        guard replace(after: error) else { break }
      } catch {
        keep(after: error)
        break
      }
    }
    // On a full disk, too: what is removed makes room.
    if let now { pruneIfDue(at: now) }
  }

  /// A person may have removed the file: what is written from here on must not go into a file without a name.
  private func replaceIfGone() throws(SensorError) {
    let store = store
    guard store.isReplaced else { return }
    let (new, notice) = try store.replaced()
    state.withLock { $0.store = new }
    say(notice)
  }

  private func replace(after error: SensorError) -> Bool {
    do throws(SensorError) {
      let (new, notice) = try store.replaced(after: error)
      state.withLock { $0.store = new }
      say("\(new.path): \(notice)")
      return true
    } catch {
      keep(after: error)
      return false
    }
  }

  private func keep(after error: SensorError) {
    let (isNews, isFirstLoss) = state.withLock { state in
      defer { state.lastProblem = error }
      let before = state.lost
      while state.waitingAmount.isTooMuch { state.lost.add(state.waiting.removeFirst().rows) }
      return (state.lastProblem?.code != error.code, before.isEmpty && !state.lost.isEmpty)
    }
    if isNews { say("\(error.description) What is recorded meanwhile waits in memory, up to an hour.") }
    if isFirstLoss { say("An hour waits now: the oldest of it is given up from here on, and counted.") }
    planRetry()
  }

  private func planRetry() {
    let isPlanned = state.withLock { state in
      defer { state.isRetryPlanned = true }
      return state.isRetryPlanned
    }
    guard !isPlanned else { return }
    queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isRetryPlanned = false }
      flush(durably: true, at: nil)
    }
  }

  private func pruneIfDue(at now: Date) {
    let isDue = state.withLock { state in
      if let last = state.prunedAt, abs(now.timeIntervalSince(last)) < 3600 { return false }
      state.prunedAt = now
      return true
    }
    guard isDue else { return }
    do throws(SensorError) { try store.prune(at: now) } catch  where error.code != problem?.code {
      say(error.description)
    } catch {}
  }
}
