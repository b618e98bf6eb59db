// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import MotionSensing

/// The end of a run: whoever comes first says how it ended, and the main thread waits for it.
final class Completion: Sendable {
  /// How a run ended.
  enum Outcome: Sendable {
    /// The source had no more, or what was asked for is there.
    case done
    /// The source failed for good.
    case failed(SensorError)
    /// Writing failed.
    case stopped(any Error)
    /// A signal came: its number.
    case interrupted(Int32)

    /// Throws what ended the run before it was done; after a signal `interruption` is told first.
    func check(interruption: String? = nil) throws {
      switch self {
      case .done: break
      case .failed(let error): throw error
      case .stopped(let error): throw error
      case .interrupted(let number):
        if let interruption { StandardError.shared.say(interruption) }
        throw ExitCode(Interruption.exitCode(number))
      }
    }
  }

  private let outcome = Lock<Outcome?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Later outcomes do not count.
  func finish(_ value: Outcome) {
    let isFirst = outcome.withLock { outcome in
      guard outcome == nil else { return false }
      outcome = value
      return true
    }
    if isFirst { semaphore.signal() }
  }

  var isFinished: Bool { outcome.withLock { $0 != nil } }

  /// Waits until the end, or until `condition`, looked at about five times a second, holds no more.
  func pause(while condition: () -> Bool) {
    while !isFinished, condition() {
      // The end is announced once: it stays for whoever waits for its outcome.
      if semaphore.wait(timeout: .now() + .milliseconds(200)) == .success { semaphore.signal() }
    }
  }

  /// Waits for the end and calls `tick` now and then meanwhile, by default about five times a second.
  func wait(every interval: DispatchTimeInterval = .milliseconds(200), tick: () -> Void) -> Outcome {
    while true {
      if semaphore.wait(timeout: .now() + interval) == .success,
        let outcome = outcome.withLock({ $0 })
      {
        return outcome
      }
      tick()
    }
  }
}
