// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// One thread as a task executor: `run` of a source may block it, and no thread of the cooperative pool is held up.
///
/// It ends after ``close()``. When a source never returns, so does its thread: nothing can end a thread from outside.
final class ConformanceThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isClosed = false
  }
  private let state = Lock(State())
  private let wake = WakeSignal()

  /// Runs `body` on a thread of its own and returns at once.
  static func start(_ body: @escaping @Sendable () async -> Void) throws(SensorError) {
    let executor = ConformanceThread()
    try SystemThread.start("conformance") { executor.work() }
    Task.detached(executorPreference: executor) {
      await body()
      executor.close()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    wake.signal()
  }

  private func close() {
    state.withLock { $0.isClosed = true }
    wake.signal()
  }

  private func work() {
    while true {
      let (jobs, isClosed) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isClosed)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if jobs.isEmpty {
        if isClosed { return }
        _ = wake.wait(limit: nil)
      }
    }
  }
}
