// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Ctrl-C and `kill`: the first asks the run to end with its summary, the second ends the program at once.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// `action` is called once, on a queue of its own, with the number of the signal.
  init(_ action: @escaping @Sendable (Int32) -> Void) {
    let queue = DispatchQueue(label: "motionctl.signals", qos: .userInitiated)
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // From now on the system's own way: the next signal ends the process.
        signal(number, SIG_DFL)
        action(number)
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  /// The exit code that says so, as shells write it.
  static func exitCode(_ number: Int32) -> Int32 { 128 + number }
}
