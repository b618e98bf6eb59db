// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MotionRecording
import MotionSensing

/// Rows on their way into a file, made into text beside the work that makes them: a quarter of the time of `fuse` is
/// digits.
///
/// Rows go over in batches; a few batches may wait, then ``append(_:)`` waits too, so that memory stays as it is. What
/// goes wrong in writing is thrown by one of the next calls, at the latest by ``finish()``.
final class BackgroundRowWriter: Sendable {
  private struct State {
    var buffer = JSONText(capacity: block + 4096)
    var failure: (any Error)?
  }

  /// Bytes per write: large enough that the system call does not count.
  private static let block = 1 << 18
  private static let batch = 512
  private static let mostWaiting = 4

  private let file: OutputFile
  private let writer: SampleWriter
  private let state = Lock(State())
  private let pending = Lock<[MotionRow]>([])
  private let queue = DispatchQueue(label: "row writer", qos: .userInitiated)
  private let credits = DispatchSemaphore(value: mostWaiting)

  init(file: OutputFile, format: SampleFormat) {
    self.file = file
    writer = SampleWriter(service: .deviceMotion, format: format)
    state.withLock { writer.appendHeader(to: &$0.buffer) }
  }

  func append(_ row: MotionRow) throws {
    let full = pending.withLock { rows -> [MotionRow]? in
      rows.append(row)
      guard rows.count >= Self.batch else { return nil }
      return exchange(&rows, with: [])
    }
    if let full { try hand(over: full) }
  }

  /// Everything is in the file.
  func finish() throws {
    try hand(over: pending.withLock { exchange(&$0, with: []) })
    queue.sync {}
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      try file.write(state.buffer.bytes)
    }
  }

  /// Nothing is being written any more, and nothing will be.
  func stop() {
    pending.withLock { $0 = [] }
    queue.sync {}
  }

  private func hand(over rows: [MotionRow]) throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
    credits.wait()
    queue.async { [self] in
      defer { credits.signal() }
      state.withLock { state in
        guard state.failure == nil else { return }
        do {
          for row in rows {
            writer.append(.motion(row.withoutUncalibratedField), to: &state.buffer)
            guard state.buffer.count >= Self.block else { continue }
            try file.write(state.buffer.bytes)
            state.buffer.removeAll()
          }
        } catch {
          state.failure = error
        }
      }
    }
  }
}
