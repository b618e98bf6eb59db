// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Foundation

/// Names the handler that stops a program because it belongs to the main actor and is called on another queue (G29).
///
/// Swift stops such a program by a trap in libdispatch, as on Apple's systems; there the crash report has the reason,
/// and on Linux nothing is printed. So a signal handler (in C) writes one line when the trap is in libdispatch and one
/// of our handlers runs on the thread. It then restores what was installed before and returns: the trap occurs again and
/// takes its usual way, with a core file or a backtrace. In a statically linked program the two cannot be distinguished,
/// and nothing is written. Unsafe: what a signal handler reads must lie in C's memory.
enum HandlerTrap {
  /// What is written for a handler. The signal handler reads the bytes, so they stay where they are.
  ///
  /// `@unchecked Sendable`: the bytes do not change.
  final class Text: @unchecked Sendable {
    fileprivate let bytes: UnsafeMutablePointer<CChar>?

    /// `what` names the handler: "The handler for CMDeviceMotion"; `takesQueue`: whether its start has a queue to pass.
    init(_ what: String, takesQueue: Bool) {
      let remedy = takesQueue ? "Pass OperationQueue.main as its queue, or begin" : "Begin"
      bytes = strdup(
        "CoreMotion: \(what) belongs to the main actor and was called on another queue, which stops the program. \(remedy) the closure with “@Sendable” (a delegate's method with “nonisolated”) and go to the main actor inside it: Task { @MainActor in … }\n"
      )
    }

    deinit { free(bytes) }
  }

  /// Of the calls whose receiver has no type of its own: answers and delegates.
  static let answer = Text("A handler or a delegate", takesQueue: false)

  /// Runs `body`; a trap in it is explained with `text`.
  static func explaining(_ text: Text?, _ body: () -> Void) {
    guard let text, isWatched else { return body() }
    let outer = motion_trap_text(text.bytes)
    body()
    _ = motion_trap_text(outer)
  }

  private static let isWatched = motion_watch_traps() != 0
}
