// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing
import Synchronization

/// The pieces of work that a consumer was handed and has not finished: the one count of them.
///
/// Each start of a handler has a count of its own, and each of its operations counts from its creation to its release,
/// whether it ran or was cancelled. An on-demand source waits while `window` pieces are outstanding, so a recording at
/// full speed never floods memory; a live source never waits. Virtual time waits for every piece. After a stop or a
/// replacement the old count holds up nobody: its operations may never run.
package final class Outstanding: Sendable {
  /// Pieces of work that may be outstanding before an on-demand source waits.
  package let window: Int
  /// Whose virtual time waits for the work; nil = nobody's: a reader takes it when it likes.
  private let clock: (any SensorClock)?
  private let pieces = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)
  private let isAwaited = Atomic<Bool>(false)
  private let waiting = Lock<WakeSignal?>(nil)

  /// Nothing is outstanding yet.
  package init(window: Int = 64, clock: (any SensorClock)? = nil) { (self.window, self.clock) = (window, clock) }

  /// Pieces of work handed over and not yet finished.
  package var count: Int { pieces.load(ordering: .relaxed) }

  /// One more piece of work is on its way; returns the count with it.
  @discardableResult
  package func begin() -> Int {
    clock?.beginWork()
    return pieces.add(1, ordering: .sequentiallyConsistent).newValue
  }

  /// A piece of work is over: done, cancelled or dropped.
  package func end() {
    let left = pieces.subtract(1, ordering: .sequentiallyConsistent).newValue
    if left <= window / 2, isAwaited.load(ordering: .sequentiallyConsistent) { signal() }
    clock?.endWork()
  }

  /// What is outstanding holds up no source any more.
  func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    signal()
  }

  private func signal() { waiting.withLock { $0 }?.signal() }

  /// Holds the source's thread while the consumer is behind. True when it had to wait.
  func waitForRoom(_ session: SensorSession) throws(SourceStopped) -> Bool {
    guard pieces.load(ordering: .acquiring) >= window else { return false }
    waiting.withLock { $0 = session.wake }
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    defer {
      isAwaited.store(false, ordering: .sequentiallyConsistent)
      waiting.withLock { $0 = nil }
    }
    while pieces.load(ordering: .sequentiallyConsistent) > window / 2,
      !isClosed.load(ordering: .sequentiallyConsistent)
    {
      if session.isStopped { throw SourceStopped() }
      _ = session.wake.wait(limit: nil)
    }
    if session.isStopped { throw SourceStopped() }
    // The signal may have meant a new request: it is handed on to the source, for which one too many is harmless.
    session.wake.signal()
    return true
  }
}
