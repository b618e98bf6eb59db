// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionTools

/// SIGUSR1 as the request to recentre: for a key of the desktop, or a game pad's button, while a game has the keyboard.
enum RecentreSignal {
  private static var set: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    return signals
  }

  /// Keeps the signal from ending the program. Before any thread is made, as threads inherit what is blocked, and
  /// before ``Interruption`` begins.
  static func block() {
    var signals = set
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // All other commands ignore it.
    signal(SIGUSR1, SIG_DFL)
  }

  /// Begins to listen; to be called once, after `Interruption` has blocked the signals that it waits for.
  static func begin(_ action: @escaping @Sendable () -> Void) {
    let waited = set
    Thread.detachNewThread {
      var signals = waited
      var number: Int32 = 0
      while true {
        if sigwait(&signals, &number) == 0 { action() }
      }
    }
  }
}
