// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Glibc
import Synchronization

/// A file descriptor that ends any wait of one source thread: at stop, at a new request, at a free credit.
///
/// An eventfd, so that a driver can put it into the same `poll` as its device. Signals that arrive before the wait are not
/// lost; several at once count as one.
public final class WakeSignal: Sendable {
  /// Readable while a signal is pending. Owned by this object: never close it, never read it other than by `drain`.
  public let descriptor: Int32
  /// Unique in the process, ascending; gives the order of sources that are due at the same virtual instant.
  public let number: Int

  private static let count = Atomic<Int>(0)

  /// Uses one file descriptor of the process.
  public init() {
    number = Self.count.add(1, ordering: .relaxed).newValue
    descriptor = motion_eventfd()
    // Without descriptors no device could be opened either: there is nothing sensible left to do for the program.
    precondition(descriptor >= 0, "No file descriptor is available for a motion source: raise the limit (ulimit -n).")
  }

  deinit { close(descriptor) }

  /// Ends the current wait, or the next one.
  public func signal() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Clears a pending signal, if there is one.
  public func drain() {
    var value: UInt64 = 0
    _ = read(descriptor, &value, MemoryLayout<UInt64>.size)
  }

  /// Waits for a signal, at most `limit` (nil = for ever). True when one came; it is then cleared.
  public func wait(limit: SensorDuration?) -> Bool {
    let start = motion_monotonic_nanoseconds()
    var left = limit.map { max(0, $0.nanoseconds) } ?? -1
    while true {
      let ready = poll(limit: left)
      if ready > 0 {
        drain()
        return true
      }
      guard ready < 0, errno == EINTR else { return false }
      // A handler of a process signal ran in between: the wait goes on for what is left of it.
      if let limit { left = max(0, limit.nanoseconds - (motion_monotonic_nanoseconds() - start)) }
    }
  }

  /// True while a signal is pending; it stays pending.
  var isPending: Bool { poll(limit: 0) > 0 }

  /// Waits for a signal without clearing it.
  func waitUntilPending() {
    while poll(limit: -1) < 0, errno == EINTR {}
  }

  /// `ppoll` on the descriptor for at most `limit` nanoseconds, negative = for ever.
  private func poll(limit: Int64) -> Int32 {
    var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return motion_ppoll(&descriptors, 1, limit)
  }
}
