// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
package import MotionSensing

/// The end of a run: the first call says how it ended, and the main thread waits for it.
package final class Completion: Sendable {
  /// How a run ended.
  package enum Outcome: Sendable {
    /// The source had no more, or what was asked for is there.
    case done
    /// Real time was over, and the source had fallen silent before.
    case silent
    /// The source failed for good.
    case failed(SensorError)
    /// Writing failed.
    case stopped(any Error)
    /// A signal came: its number.
    case interrupted(Int32)

    /// Throws what ended the run before it was done; after a signal `interruption` is reported first.
    package func check(interruption: String? = nil) throws {
      switch self {
      case .done, .silent: break
      case .failed(let error): throw error
      case .stopped(let error): throw error
      case .interrupted(let number):
        if let interruption { StandardError.shared.say(interruption) }
        throw ProgramEnd.signal(number)
      }
    }
  }

  private let outcome = Lock<Outcome?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  /// One that a signal finishes as well: from here on it ends the run, not the program. `Interruption` explains the
  /// rest.
  package static func endedBySignals(grace: SensorDuration = Interruption.grace) -> Completion {
    let completion = Completion()
    Interruption.begin(completion, grace: grace)
    return completion
  }

  /// Later outcomes do not count.
  package func finish(_ value: Outcome) {
    let isFirst = outcome.withLock { outcome in
      guard outcome == nil else { return false }
      outcome = value
      return true
    }
    if isFirst { semaphore.signal() }
  }

  package var isFinished: Bool { outcome.withLock { $0 != nil } }

  /// The number of the signal that has ended the run; nil while it goes on, and after any other end.
  package var interruption: Int32? {
    if case .interrupted(let number) = outcome.withLock({ $0 }) { number } else { nil }
  }

  /// Waits until the end, or until `condition`, looked at about five times a second, holds no more.
  package func pause(while condition: () -> Bool) {
    while !isFinished, condition() {
      // The end is announced once: it stays for the thread that waits for its outcome.
      if semaphore.wait(timeout: .now() + .milliseconds(200)) == .success { semaphore.signal() }
    }
  }

  /// Waits for the end and calls `tick` now and then meanwhile, by default about five times a second.
  func wait(every interval: Duration = .milliseconds(200), tick: () -> Void) -> Outcome {
    while true {
      if semaphore.wait(timeout: .now() + interval.seconds) == .success,
        let outcome = outcome.withLock({ $0 })
      {
        return outcome
      }
      tick()
    }
  }
}

/// What signals that end a run mean, in the order in which they come.
///
/// timeout(1), a closed terminal, systemd, and Ctrl-C in a pipeline under a wrapper send two and more of them within
/// microseconds: all are one wish, that the run ends with its summary and its files whole. Only Ctrl-C that is
/// pressed again after a while means at once.
package struct EndingSignals {
  package enum Meaning { case finish, atOnce, nothing }

  /// From the first interrupt to one that means at once.
  package static let patience = SensorDuration.milliseconds(500)
  private var hasBegun = false
  private var interrupted: SensorInstant?

  package init() {}

  package mutating func take(_ signal: Int32, at time: SensorInstant) -> Meaning {
    defer { hasBegun = true }
    if signal == SIGINT {
      if let interrupted, time - interrupted >= Self.patience { return .atOnce }
      interrupted = interrupted ?? time
    }
    return hasBegun ? .nothing : .finish
  }
}

/// Ctrl-C, `kill` and a closed terminal ask the run to end with its summary. What ends the program at once is a second
/// Ctrl-C (``EndingSignals``), and the end of ``grace`` when the run hangs in a write to a full pipe, or in a long
/// computation.
///
/// The signals are blocked and waited for on a thread of their own (sigwait(3)), so that none is lost, however early it
/// comes. Blocking reaches the threads that are made later: begin before there are any.
package enum Interruption {
  /// The run that a signal ends, and whether the thread that waits for signals is there. A process has one set of
  /// signals.
  private static let run = Lock<Run>(Run())

  private struct Run {
    var completion: Completion?
    var grace = Interruption.grace
    var isWaiting = false
    var onUserSignal: (@Sendable () -> Void)?
  }

  /// What a run has for its summary after the first signal.
  package static let grace = SensorDuration.milliseconds(900)
  /// The same for a run that has a file to finish, of which nothing may be lost: as long as a slow disk may take.
  package static let graceForFiles = SensorDuration.seconds(60)

  /// From now on signals end `completion`, in place of that of an earlier run.
  fileprivate static func begin(_ completion: Completion, grace: SensorDuration) {
    let isWaiting = run.withLock { run in
      defer { run = Run(completion: completion, grace: grace, isWaiting: true) }
      return run.isWaiting
    }
    if !isWaiting { waitForSignals() }
  }

  /// SIGUSR1 asks the run to recentre: a key of the desktop, or a game pad's button, while a game has the keyboard.
  /// Any other run takes no notice.
  package static func onUserSignal(_ action: @escaping @Sendable () -> Void) {
    run.withLock { $0.onUserSignal = action }
  }

  private static func waitForSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGUSR1)
    // Under nohup a closed terminal is no reason to end.
    if !isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    let wait: @Sendable () -> Void = {
      var (ending, first, end) = (EndingSignals(), SIGTERM, SensorInstant?.none)
      while let number = next(of: waited, until: end) {
        let now = MonotonicClock().now
        switch ending.take(number, at: now) {
        case .finish:
          let (completion, grace) = run.withLock { ($0.completion, $0.grace) }
          completion?.finish(.interrupted(number))
          (first, end) = (number, now + grace)
        case .atOnce: end = now
        case .nothing: break
        }
      }
      Draft.removeAll()
      _exit(exitCode(first))
    }
    // Without the thread a signal ends the program as it ends any other.
    do { try SystemThread.start("motion signals", wait) } catch { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
  }

  /// The exit code that says so, as shells write it.
  package static func exitCode(_ number: Int32) -> Int32 { 128 + number }

  /// Nil when none comes before `end`; nil = for ever.
  private static func next(of signals: sigset_t, until end: SensorInstant?) -> Int32? {
    var signals = signals
    while true {
      let left = end.map { ($0 - MonotonicClock().now).nanoseconds }
      guard left ?? 1 > 0 else { return nil }
      // fits: a grace of some seconds
      var time = timespec(tv_sec: Int((left ?? 0) / 1_000_000_000), tv_nsec: Int((left ?? 0) % 1_000_000_000))
      let number = left == nil ? sigwaitinfo(&signals, nil) : sigtimedwait(&signals, nil, &time)
      if number > 0, number != SIGUSR1 { return number }
      if number == SIGUSR1 { run.withLock { $0.onUserSignal }?() }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // unsafe: SIG_IGN is the address 1 (signal.h), which Swift cannot compare as a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
