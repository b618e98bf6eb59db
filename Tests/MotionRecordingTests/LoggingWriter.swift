// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// What a ``LoggingWriter`` was told.
final class WriterLog: Sendable {
  private struct State {
    var items: [RecordedItem] = []
    var isFinished = false
  }
  private let state = Lock(State())
  /// Signalled at each flush.
  let flushed = WakeSignal()

  var items: [RecordedItem] { state.withLock { $0.items } }
  var isFinished: Bool { state.withLock { $0.isFinished } }
  var samples: [SensorSample] {
    items.compactMap { if case .sample(let sample, _) = $0 { sample } else { nil } }
  }
  func append(_ item: RecordedItem) { state.withLock { $0.items.append(item) } }
  func finish() { state.withLock { $0.isFinished = true } }
}

/// A writer for tests: keeps what it is given, and hangs or fails on demand.
final class LoggingWriter: RecordingWriter {
  private let log: WriterLog
  private var gate: WakeSignal?
  private let failsAfter: Int
  private var count = 0

  /// `gate`: the first item waits for it. `failsAfter`: items before the disk is full.
  init(_ log: WriterLog, gate: WakeSignal? = nil, failsAfter: Int = .max) {
    (self.log, self.gate, self.failsAfter) = (log, gate, failsAfter)
  }

  func write(_ item: RecordedItem) throws(SensorError) {
    _ = gate?.wait(limit: nil)
    gate = nil
    guard count < failsAfter else { throw SensorError(.system, "The disk is full.") }
    count += 1
    log.append(item)
  }

  func flush() { log.flushed.signal() }
  func finish() { log.finish() }
}

/// A thread that can be waited for.
final class JoinableThread: Sendable {
  private let done = WakeSignal()

  init(_ body: @escaping @Sendable () -> Void) {
    let done = done
    Thread.detachNewThread {
      body()
      done.signal()
    }
  }

  func join() { _ = done.wait(limit: nil) }
}
