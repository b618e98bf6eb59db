// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// Ctrl-C, `kill` and a closed terminal: the first signal asks the run to end with its summary, the second ends the program.
///
/// The signals are blocked and waited for on a thread of their own (sigwait(3)), so that none is lost, however early it comes.
/// Blocking reaches the threads that are made later: begin before there are any.
enum Interruption {
  /// The run that a signal ends, and whether the thread that waits for signals is there. A process has one set of signals.
  private static let run = Lock<(completion: Completion?, lastWords: (@Sendable () -> Void)?, isWaiting: Bool)>(
    (nil, nil, false))

  /// From now on the first signal finishes `completion`, in place of that of an earlier run; `lastWords` is called before the second
  /// one ends the program, to put a terminal back.
  static func begin(_ completion: Completion, lastWords: (@Sendable () -> Void)? = nil) {
    let isWaiting = run.withLock { run in
      defer { run = (completion, lastWords, true) }
      return run.isWaiting
    }
    if !isWaiting { waitForSignals() }
  }

  private static func waitForSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    // Under nohup a closed terminal is no reason to end.
    if !isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    Thread.detachNewThread {
      let number = next(of: waited)
      run.withLock { $0.completion }?.finish(.interrupted(number))
      // The run may hang in a write that nobody reads.
      let second = next(of: waited)
      run.withLock { $0.lastWords }?()
      TemporaryFiles.removeAll()
      _exit(exitCode(second))
    }
  }

  /// The exit code that says so, as shells write it.
  static func exitCode(_ number: Int32) -> Int32 { 128 + number }

  private static func next(of signals: sigset_t) -> Int32 {
    var signals = signals
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
    return number
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // SIG_IGN is the address 1 (signal.h), which Swift cannot compare as a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
