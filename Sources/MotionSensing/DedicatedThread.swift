// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A task executor over one pthread: asynchronous code on a thread that may block.
///
/// Sources block in `poll` and in `deliver`. On the cooperative pool two blocked sources would stop every other task of
/// the program on a two-core machine (measured: for as long as they block), so each running source has its own.
package final class DedicatedThread: TaskExecutor {
  /// What is to run, in order; nil: the end.
  private let jobs = Lock<[UnownedJob?]>([])
  private let ready = DispatchSemaphore(value: 0)

  /// Runs `body` on a new thread and returns at once. The thread ends with `body`: nothing can end one from outside.
  @discardableResult
  package static func launch(
    _ name: String, _ body: @escaping @Sendable () async -> Void
  ) throws(SensorError) -> Task<Void, Never> {
    let executor = DedicatedThread()
    try SystemThread.start(name) { executor.loop() }
    return Task.detached(executorPreference: executor) {
      await body()
      executor.add(nil)
    }
  }

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

  private func add(_ job: UnownedJob?) {
    jobs.withLock { $0.append(job) }
    ready.signal()
  }

  private func loop() {
    while true {
      ready.wait()
      guard let job = jobs.withLock({ $0.removeFirst() }) else { return }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
