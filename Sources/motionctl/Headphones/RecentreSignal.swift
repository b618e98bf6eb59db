// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// SIGUSR1 as the wish to recentre: for a key of the desktop, or a game pad's button, while a game has the keyboard.
enum RecentreSignal {
  private static let action = Lock<(@Sendable () -> Void)?>(nil)

  /// Begins to listen; to be called before the program has made threads, which inherit what is blocked. Once per process.
  static func begin(_ take: @escaping @Sendable () -> Void) {
    let isFirst = action.withLock { action in
      defer { action = take }
      return action == nil
    }
    guard isFirst else { return }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    Thread.detachNewThread {
      var signals = waited
      var number: Int32 = 0
      while true {
        if sigwait(&signals, &number) == 0 { action.withLock { $0 }?() }
      }
    }
  }
}
