// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Foundation
package import MotionHost
package import MotionSensing

/// Puts rows into a store and does not lose them when that fails.
///
/// Rows that cannot be written, because the disk is full for example, wait in memory for the next attempt: of
/// accelerations an hour. A damaged file is put aside and a new one begun. All of it is said, once.
package final class HistoryWriter: HistorySink {
  private struct State {
    var store: MotionStore
    var waiting: [(rows: HistoryRows, line: TimeLine)] = []
    var lastProblem: SensorError?
    var prunedAt: Date?
    var lostBatches = 0
  }

  /// Batches that wait at most: an hour.
  private static let longestQueue = 360

  private let source: String
  private let state: Lock<State>
  /// Held while rows are written: the end of a recorder writes on its own thread what a new start may write on another.
  private let flushing = Lock(())
  /// Where a live source must not wait for the disk; nil: rows are written before `write` returns.
  private let queue: DispatchQueue?
  private let say: @Sendable (String) -> Void

  /// - Parameters:
  ///   - source: the address that every row names.
  ///   - isLive: writing happens on a thread of its own.
  ///   - say: is told what a person has to know.
  package init(
    store: MotionStore, source: String, isLive: Bool, say: @escaping @Sendable (String) -> Void
  ) {
    (self.source, self.say) = (source, say)
    state = Lock(State(store: store))
    queue = isLive ? DispatchQueue(label: "OpenCoreMotion history") : nil
  }

  /// The store; another one after damage.
  package var store: MotionStore { state.withLock { $0.store } }
  package var history: any History { store }
  /// Why the last attempt failed; nil when it did not.
  package var problem: SensorError? { state.withLock { $0.lastProblem } }
  /// Batches that had to be given up because nothing could be written for more than an hour.
  package var lostBatches: Int { state.withLock { $0.lostBatches } }

  /// Writes what still waits, too.
  package func write(_ rows: HistoryRows, line: TimeLine, durably: Bool, at now: Date) {
    state.withLock { $0.waiting.append((rows, line)) }
    guard let queue else { return flush(durably: durably, at: now) }
    queue.async { self.flush(durably: durably, at: now) }
  }

  package func finish(at now: Date) {
    guard let queue else { return flush(durably: true, at: now) }
    queue.sync { flush(durably: true, at: now) }
  }

  private func flush(durably: Bool, at now: Date) {
    flushing.withLock { _ in flushAlone(durably: durably, at: now) }
  }

  private func flushAlone(durably: Bool, at now: Date) {
    while let next = state.withLock({ $0.waiting.first }) {
      do throws(SensorError) {
        try replaceIfGone()
        try state.withLock { $0.store }.write(next.rows, source: source, line: next.line, durably: durably)
        let (wasBroken, lost) = state.withLock { state in
          defer { state.lastProblem = nil }
          state.waiting.removeFirst()
          return (state.lastProblem != nil, state.lostBatches)
        }
        if wasBroken {
          say(
            "The history is written again\(lost > 0 ? "; \(lost) batches of ten seconds are lost" : ", nothing is lost")."
          )
        }
      } catch  where error.code == .malformed {
        guard replace(after: error) else { return }
      } catch {
        return keep(after: error)
      }
    }
    pruneIfDue(at: now)
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
      let (new, notice) = try store.replaced()
      state.withLock { $0.store = new }
      say("\(error.description) \(notice)")
      return true
    } catch {
      keep(after: error)
      return false
    }
  }

  private func keep(after error: SensorError) {
    let isNews = state.withLock { state in
      defer { state.lastProblem = error }
      var excess = state.waiting.count - Self.longestQueue
      while excess > 0 {
        state.lostBatches += state.waiting.removeFirst().rows.batches.count
        excess -= 1
      }
      return state.lastProblem?.code != error.code
    }
    if isNews { say("\(error.description) What is recorded meanwhile waits in memory, up to an hour.") }
  }

  private func pruneIfDue(at now: Date) {
    let isDue = state.withLock { state in
      if let last = state.prunedAt, abs(now.timeIntervalSince(last)) < 3600 { return false }
      state.prunedAt = now
      return true
    }
    guard isDue else { return }
    do throws(SensorError) { try store.prune(at: now) } catch { say(error.description) }
  }
}
