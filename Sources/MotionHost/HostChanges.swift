// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Logging
import MotionSensing

/// Calls observers when the host's policy or detectors have changed.
final class HostChanges: Sendable {
  private struct State {
    var observers: [(key: Int, body: @Sendable () -> Void)] = []
    var nextKey = 0
  }

  private let state = Lock(State())

  func add(_ body: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextKey += 1
      state.observers.append((state.nextKey, body))
      return state.nextKey
    }
  }

  func remove(_ key: Int) {
    let removed = state.withLock { state -> [(key: Int, body: @Sendable () -> Void)] in
      let removed = state.observers.filter { $0.key == key }
      state.observers.removeAll { $0.key == key }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  func announce() {
    for observer in state.withLock({ $0.observers }) { observer.body() }
  }
}

extension MotionHost {
  /// Calls `body` after every change of ``policy`` and ``detectors``, on the thread that made it, until the observation
  /// is removed. Two changes at once may be announced in either order: look at the state, not at the number of calls.
  package func observeChanges(_ body: @escaping @Sendable () -> Void) -> Observation {
    Observation(changes: changes, key: changes.add(body))
  }

  /// An observer of a host's changes. Keep it, and remove it at the end.
  package struct Observation: Sendable {
    let changes: HostChanges
    let key: Int
    /// Ends it. Further calls do nothing.
    package func remove() { changes.remove(key) }
  }
}

/// The host's voice: swift-log, label `motion`. Layers below only count; this is where counts become words.
enum HostLog {
  private static let logger = Logger(label: "motion")

  static func notice(_ text: String) { logger.notice("\(text.printable())") }
  static func warning(_ text: String) { logger.warning("\(text.printable())") }
  static func error(_ text: String) { logger.error("\(text.printable())") }
}
