// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing
package import MotionServices

/// A history that ends with the process. It answers as a recorder's file does.
package final class MemoryHistory: History, HistorySink {
  /// What lies on one line.
  fileprivate struct Part {
    var line: TimeLine
    /// By their ends.
    var steps: [StepEpoch] = []
    /// By their beginnings.
    var activities: [ActivityChange] = []
    var batches: [(identifier: UInt64, batch: AccelerationBatch)] = []
  }

  fileprivate struct State {
    var parts: [Part] = []
    var lastIdentifier: UInt64
    var prunedAt: Date?
  }

  private let state: Lock<State>

  /// Batches are numbered after `lastIdentifier`.
  package init(after lastIdentifier: UInt64 = 0) { state = Lock(State(lastIdentifier: lastIdentifier)) }

  package var history: any History { self }
  package var damagedRows: Int { 0 }
  package func finish(at now: Date) {}
  package func lastIdentifier() -> UInt64 { state.withLock { $0.lastIdentifier } }

  package func write(_ rows: HistoryRows, line: TimeLine, durably: Bool = false, at now: Date) {
    state.withLock { state in
      let index = state.place(line)
      for epoch in rows.steps { state.parts[index].steps.insert(epoch, by: \.end, replacing: false) }
      // An activity of the same beginning is a better decision.
      for change in rows.activities { state.parts[index].activities.insert(change, by: \.start, replacing: true) }
      for batch in rows.batches {
        state.lastIdentifier += 1
        state.parts[index].batches.append((state.lastIdentifier, batch))
      }
      if state.prunedAt.map({ abs(now.timeIntervalSince($0)) >= 3600 }) ?? true { state.prune(at: now) }
    }
  }

  package func steps(from start: Date, to end: Date) throws(SensorError) -> StepTotals {
    let (start, end) = (try start.microseconds(), try end.microseconds())
    guard start < end else { return StepTotals() }
    // The parts of epochs before each edge are added over all lines before they are rounded.
    var (whole, before, after) = (StepSums(), StepSums(), StepSums())
    for part in state.withLock({ $0.parts }) {
      let (low, high) = (start - part.line.origin, end - part.line.origin)
      let later = part.steps.drop { $0.end.microseconds <= low }
      let inside = later.prefix { $0.end.microseconds <= high }
      for epoch in inside { whole.add(StepSums(epoch)) }
      if let first = later.first { before.add(first.sums(before: low)) }
      if let next = later.dropFirst(inside.count).first { after.add(next.sums(before: high)) }
    }
    return whole.totals(from: before, to: after)
  }

  package func activities(from start: Date, to end: Date) throws(SensorError) -> [RecordedActivity] {
    let (first, last) = (try start.microseconds(), try end.microseconds())
    guard first <= last else { return [] }
    let found = state.withLock { $0.parts }.flatMap { part in
      let (low, high) = RecordedActivity.surroundings(first - part.line.origin, last - part.line.origin)
      let begin = part.activities.lastIndex { $0.start.microseconds < low } ?? 0
      return part.activities[begin...].prefix { $0.start.microseconds <= high }.map {
        RecordedActivity($0, origin: part.line.origin)
      }
    }
    return RecordedActivity.selected(found, from: start, to: end)
  }

  package func accelerometer(from start: Date, to end: Date) throws(SensorError) -> AccelerationSequence {
    let (first, last) = (try start.microseconds(), try end.microseconds())
    let batches = state.withLock { $0.parts }.flatMap { part in
      part.batches.filter { _, batch in
        batch.end >= first - part.line.origin && batch.start <= last - part.line.origin
      }.map { identifier, batch in
        AccelerationSequence.Batch(identifier: identifier, origin: part.line.origin) { batch }
      }
    }
    return AccelerationSequence(batches, from: first, to: last)
  }

  package func lastInstant(ofClock clock: String) -> SensorInstant? {
    state.withLock { state in
      state.parts.filter { $0.line.clock == clock }.flatMap { part in
        [part.steps.last?.end, part.activities.last?.start]
          + [part.batches.map { SensorInstant(microseconds: $0.batch.end) }.max()]
      }.compactMap { $0 }.max()
    }
  }
}

extension MemoryHistory.State {
  /// The part of a line, made when there is none.
  mutating func place(_ line: TimeLine) -> Int {
    let same = parts.indices.reversed().filter { parts[$0].line.clock == line.clock }
    let (step, index) = line.place(among: same.map { parts[$0].line })
    for index in same { parts[index].line.origin += step }
    if let index { return same[index] }
    parts.append(.init(line: line))
    return parts.count - 1
  }

  mutating func prune(at now: Date) {
    prunedAt = now
    // A date that is no number removes nothing.
    guard let batchLimit = try? (now - HistoryRetention.accelerometer).microseconds(),
      let limit = try? (now - HistoryRetention.history).microseconds()
    else { return }
    for index in parts.indices {
      let origin = parts[index].line.origin
      parts[index].batches.removeAll { $0.batch.end < batchLimit - origin }
      parts[index].steps.removeAll { $0.end.microseconds < limit - origin }
      parts[index].activities.removeAll { $0.start.microseconds < limit - origin }
    }
  }
}

extension StepEpoch {
  /// What it has counted before a time, microseconds on its line.
  fileprivate func sums(before time: Int64) -> StepSums {
    StepSums(self).part(before: time, from: start.microseconds, to: end.microseconds)
  }
}

extension Array {
  /// Puts a value where its time belongs. Of two with the same time one stays.
  fileprivate mutating func insert(_ value: Element, by time: (Element) -> SensorInstant, replacing: Bool) {
    let before = lastIndex { time($0) <= time(value) }
    if let before, time(self[before]) == time(value) {
      if replacing { self[before] = value }
    } else {
      insert(value, at: before.map { $0 + 1 } ?? 0)
    }
  }
}
