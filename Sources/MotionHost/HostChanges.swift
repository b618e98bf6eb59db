// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Logging
import MotionSensing

/// What was added and has not been removed, oldest first. What is removed is returned, so that it is released outside
/// the lock that the list lies behind.
struct Keyed<Value> {
  private(set) var all: [(key: Int, value: Value)] = []
  private var lastKey = 0

  mutating func add(_ value: Value) -> Int {
    lastKey += 1
    all.append((lastKey, value))
    return lastKey
  }

  mutating func remove(_ key: Int) -> Value? {
    all.firstIndex { $0.key == key }.map { all.remove(at: $0).value }
  }
}

extension MotionHost {
  /// Calls `body` after every change of ``policy`` and ``detectors``, on the thread that made it, until the observation
  /// is removed. Two changes at once may be announced in either order: look at the state, not at the number of calls.
  package func observeChanges(_ body: @escaping @Sendable () -> Void) -> Observation {
    Observation(observers: observers, key: observers.withLock { $0.add(body) })
  }

  /// An observer of a host's changes. Keep it, and remove it at the end.
  package struct Observation: Sendable {
    let observers: Lock<Keyed<@Sendable () -> Void>>
    let key: Int
    /// Ends it. Further calls do nothing.
    package func remove() { withExtendedLifetime(observers.withLock { $0.remove(key) }) {} }
  }

  func announceChange() {
    for observer in observers.withLock({ $0.all }) { observer.value() }
  }
}

/// The host's voice: swift-log, label `motion`. Layers below only count; this is where counts become words.
enum HostLog {
  private static let logger = Logger(label: "motion")

  static func notice(_ text: String) { logger.notice("\(text.printable())") }
  static func warning(_ text: String) { logger.warning("\(text.printable())") }
  static func error(_ text: String) { logger.error("\(text.printable())") }
}
