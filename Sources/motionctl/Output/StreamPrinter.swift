// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing
import MotionServices

/// Prints the samples that a handler receives, counts them, and says when there are enough.
final class StreamPrinter: Sendable {
  /// What has been printed.
  struct Totals: Sendable {
    var count = 0
    /// Seconds on the source's clock.
    var first = 0.0
    var last = 0.0
    /// The most samples that were queued for the handler at once.
    var backlog = 0

    var duration: Double { last - first }
    /// Hz; nil below two samples.
    var rate: Double? { count > 1 && duration > 0 ? Double(count - 1) / duration : nil }
  }

  private struct State {
    var buffer = JSONText(capacity: 1 << 16)
    var totals = Totals()
    /// Totals at the last look at the rate.
    var seen = (count: 0, time: ContinuousClock.now)
  }

  let completion: Completion
  private let writer: SampleWriter
  private let limit: Seconds?
  private let count: Int?
  private let output = OutputFile.standardOutput
  private let state = Lock(State())
  /// Standard output is the terminal that shows the statistics.
  private let sharesTerminal = isatty(STDOUT_FILENO) == 1 && StandardError.shared.isTerminal

  /// Prints the header. `limit` and `count` end the stream when they are reached.
  init(writer: SampleWriter, limit: Seconds?, count: Int?, completion: Completion) throws {
    (self.writer, self.limit, self.count, self.completion) = (writer, limit, count, completion)
    try state.withLock { state in
      writer.appendHeader(to: &state.buffer)
      try flush(&state)
    }
  }

  var totals: Totals { state.withLock { $0.totals } }

  /// Takes a sample; `backlog` counts the handler calls that are queued, this one included.
  func take(_ sample: ServiceSample, backlog: Int) {
    guard !completion.isFinished else { return }
    do {
      let isEnough = try state.withLock { state -> Bool in
        if state.totals.count == 0 { state.totals.first = sample.timestamp }
        if let limit, limit.isOver(after: sample.timestamp - state.totals.first) { return true }
        state.totals.count += 1
        state.totals.last = sample.timestamp
        state.totals.backlog = max(state.totals.backlog, backlog)
        writer.append(sample, to: &state.buffer)
        // Whoever reads along sees every sample at once; at full speed samples go out in blocks.
        if backlog <= 1 || state.buffer.count > 1 << 15 { try flush(&state) }
        return state.totals.count == count
      }
      if isEnough { completion.finish(.done) }
    } catch {
      completion.finish(.stopped(error))
    }
  }

  /// An error of the handler, as a sentence.
  func say(_ error: any Error) {
    let error = error as NSError
    StandardError.shared.say("\(error.localizedDescription) (\(error.domain) \(error.code))")
  }

  /// The status line, for a person who watches.
  func tick(_ statistics: TimelineStatistics) {
    guard StandardError.shared.isTerminal else { return }
    let (totals, rate) = state.withLock { state -> (Totals, Double) in
      let now = ContinuousClock.now
      let rate = Double(state.totals.count - state.seen.count) / max(1e-3, (now - state.seen.time).seconds)
      // Looked at once a second, so that the number stands still long enough to be read.
      if now - state.seen.time > .seconds(1) { state.seen = (state.totals.count, now) }
      return (state.totals, rate)
    }
    StandardError.shared.show(
      "\(Text.duration(totals.duration)) · \(Text.count(totals.count, "sample")) · \(Text.decimal(rate, places: 0)) Hz · \(Text.count(statistics.gaps, "gap")) · \(statistics.dropped) dropped · backlog \(totals.backlog)"
    )
  }

  /// Writes what is left.
  func flush() throws { try state.withLock { try flush(&$0) } }

  private func flush(_ state: inout State) throws {
    guard state.buffer.count > 0 else { return }
    let bytes = state.buffer.bytes
    state.buffer.removeAll()
    if sharesTerminal {
      try StandardError.shared.aside { try output.write(bytes) }
    } else {
      try output.write(bytes)
    }
  }
}
