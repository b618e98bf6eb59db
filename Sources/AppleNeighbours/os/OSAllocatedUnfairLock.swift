// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A lock with the state that it guards, on Foundation's `NSLock`.
///
/// `@unchecked Sendable`: the state is read and written while the lock is held only.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  fileprivate final class Storage {
    let lock = NSLock()
    var state: State

    init(_ state: State) {
      self.state = state
    }
  }

  fileprivate let storage: Storage

  /// A lock with a state that may be used in one thread only.
  public init(uncheckedState initialState: State) {
    storage = Storage(initialState)
  }

  /// Runs a closure with the state while the lock is held.
  public func withLock<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }

  /// Runs a closure with the state while the lock is held, and takes its word for safety.
  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }

  /// As `withLock`, or nil when another thread holds the lock.
  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result? {
    guard storage.lock.try() else { return nil }
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  /// A lock with a state.
  public init(initialState: State) {
    self.init(uncheckedState: initialState)
  }
}

extension OSAllocatedUnfairLock where State == Void {
  /// A lock without a state.
  public init() {
    self.init(uncheckedState: ())
  }

  /// Waits for the lock and takes it.
  public func lock() {
    storage.lock.lock()
  }

  /// Gives the lock back.
  public func unlock() {
    storage.lock.unlock()
  }

  /// Runs a closure while the lock is held.
  public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body()
  }
}
