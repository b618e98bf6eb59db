// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem

/// A thread of the system for work that may block. The system can refuse one: that is an error, and no reason to end
/// the program.
package enum SystemThread {
  private final class Start {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
  }

  /// Runs `body` on a new thread and returns at once; 15 bytes of the name are kept.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SensorError) {
    let context = Unmanaged.passRetained(Start(name, body))
    let code = motion_start_thread(
      { context in
        guard let context else { return nil }
        // Released when the body has returned.
        let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        motion_name_thread(start.name)
        start.body()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw SensorError(
        .system, "The system gives this program no further thread: end other programs, or raise the limit (ulimit -u).",
        errno: code)
    }
  }
}
