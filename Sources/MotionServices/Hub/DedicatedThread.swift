// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MotionSensing

/// A task executor over one pthread: asynchronous code on a thread that may block.
///
/// Sources block in `poll` and in `deliver`. On the cooperative pool two blocked sources would stop every other task of
/// the program on a two-core machine (measured: for as long as they block), so each running source has its own.
///
/// `@unchecked Sendable`: `jobs` and `isClosed` are touched only under `mutex`. Unsafe: a mutex may not move.
package final class DedicatedThread: TaskExecutor, @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [UnownedJob] = []
  private var isClosed = false

  /// Runs `body` on a new thread and returns at once. The thread ends with `body`: nothing can end one from outside.
  @discardableResult
  package static func launch(
    _ name: String, _ body: @escaping @Sendable () async -> Void
  ) throws(SensorError) -> Task<Void, Never> {
    let executor = DedicatedThread()
    try SystemThread.start(name) { executor.loop() }
    return Task.detached(executorPreference: executor) {
      await body()
      executor.close()
    }
  }

  private init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(mutex)
    jobs.append(job)
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  private func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  private func loop() {
    while true {
      pthread_mutex_lock(mutex)
      while jobs.isEmpty && !isClosed { pthread_cond_wait(condition, mutex) }
      if jobs.isEmpty {
        pthread_mutex_unlock(mutex)
        return
      }
      let job = jobs.removeFirst()
      pthread_mutex_unlock(mutex)
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
