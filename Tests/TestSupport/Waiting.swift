// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A value that handlers on any queue and the test share.
package final class Box<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  package init(_ value: Value) { stored = value }

  package func with<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&stored) } }
  package var value: Value { with { $0 } }
}

/// A queue that runs one handler at a time, in order.
package func serialQueue() -> OperationQueue {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 1
  return queue
}

/// Waits until `condition` holds for what another thread or process does; false when it does not within `seconds`, which
/// are many because all suites run at once.
@discardableResult
package func waitUntil(within seconds: Int = 60, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    usleep(2000)
  }
  return try condition()
}

/// The same in a task; false after `seconds`, and never before as many looks as that time holds in a quiet process:
/// while other tests keep the threads of Swift's pool, neither the looks nor the expected event happen.
package func eventually(within seconds: Double = 20, _ condition: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  var looks = 0
  while ContinuousClock.now < deadline || Double(looks) < min(2000, seconds * 100) {
    if condition() { return true }
    looks += 1
    try? await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}
