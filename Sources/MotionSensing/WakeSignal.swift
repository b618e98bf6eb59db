// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Synchronization

/// A file descriptor that ends any wait of one source thread: at stop, at a new request, at a free credit.
///
/// An eventfd, so that a driver can put it into the same `poll` as its device. Signals that arrive before the wait are
/// not lost; several at once count as one.
///
/// A process that has used up its file descriptors gets a signal without one: ``descriptor`` is -1, which `poll` skips,
/// and a ``wait(limit:)`` polls a hundred times a second. What runs a source reports that as the source's failure.
public final class WakeSignal: Sendable {
  /// Readable while a signal is pending; -1 where the system had none left. Owned by this object: never close it, never
  /// read it other than by `drain`.
  public let descriptor: Int32
  /// Unique in the process, ascending; gives the order of sources that are due at the same virtual instant.
  public let number: Int

  private static let count = Atomic<Int>(0)
  /// How long a wait without a descriptor sleeps between two looks, ns.
  private static let pollInterval: Int64 = 10_000_000

  /// Why there is no descriptor; 0 = there is one.
  private let failure: Int32
  /// A signal without a descriptor.
  private let flag = Atomic<Bool>(false)

  /// Uses one file descriptor of the process.
  public convenience init() {
    let descriptor = motion_eventfd()
    self.init(descriptor: descriptor, failure: descriptor < 0 ? errno : 0)
  }

  /// `descriptor`: -1 = as if the system had none left.
  package init(descriptor: Int32, failure: Int32) {
    number = Self.count.add(1, ordering: .relaxed).newValue
    (self.descriptor, self.failure) = (descriptor, failure)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Throws when the system had no descriptor left.
  package func check() throws(SensorError) {
    guard descriptor < 0 else { return }
    throw SensorError(
      .system,
      "This program has no file descriptor left for a motion source: close files, or raise the limit (ulimit -n).",
      errno: failure)
  }

  /// Ends the current wait, or the next one.
  public func signal() {
    guard descriptor >= 0 else { return flag.store(true, ordering: .releasing) }
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Clears a pending signal, if there is one.
  public func drain() {
    guard descriptor >= 0 else { return flag.store(false, ordering: .releasing) }
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

  /// What a wait for a descriptor has found.
  package struct Readiness: Sendable, Hashable {
    /// The descriptor can be read or written, or its other end is gone.
    package var isReady = false
    /// The other end has hung up, or the device was removed.
    package var hasHungUp = false
    /// A signal came.
    package var isSignalled = false
  }

  /// Waits for the device of a driver: until its descriptor can be read (or is ready for other `events`), a signal
  /// comes, which is cleared, or `limit` nanoseconds have passed (negative = for ever). A descriptor -1 is passed over.
  @discardableResult
  package func wait(for device: Int32, _ events: Int32 = POLLIN, limit: Int64) -> Readiness {
    var descriptors = (
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: device, events: Int16(truncatingIfNeeded: events), revents: 0)
    )
    let count = withUnsafeMutableBytes(of: &descriptors) {  // unsafe: two in a row, as C wants them
      motion_ppoll($0.bindMemory(to: pollfd.self).baseAddress, 2, limit)
    }
    guard count > 0 else { return Readiness() }
    let found = Readiness(
      isReady: descriptors.1.revents != 0, hasHungUp: Int32(descriptors.1.revents) & (POLLHUP | POLLERR) != 0,
      isSignalled: descriptors.0.revents != 0)
    if found.isSignalled { drain() }
    return found
  }

  /// True while a signal is pending; it stays pending.
  package var isPending: Bool { poll(limit: 0) > 0 }

  /// Waits for a signal without clearing it.
  package func waitUntilPending() {
    while poll(limit: -1) < 0, errno == EINTR {}
  }

  /// `ppoll` on the descriptor for at most `limit` nanoseconds, negative = for ever.
  private func poll(limit: Int64) -> Int32 {
    guard descriptor >= 0 else { return pollFlag(limit: limit) }
    var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return motion_ppoll(&descriptors, 1, limit)
  }

  private func pollFlag(limit: Int64) -> Int32 {
    let end = limit < 0 ? Int64.max : motion_monotonic_nanoseconds() + min(limit, Int64.max / 2)
    while true {
      if flag.load(ordering: .acquiring) { return 1 }
      let left = end - motion_monotonic_nanoseconds()
      if left <= 0 { return 0 }
      // Nothing is polled: a sleep.
      _ = motion_ppoll(nil, 0, min(left, Self.pollInterval))
    }
  }
}
