// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Packages that find a module `os` take its locks (swift-argument-parser does), whether they were asked to or not. So
// these exist, work, and leave no symbol behind that would have to be linked.

/// A lock: the system's mutex.
public typealias os_unfair_lock = pthread_mutex_t
/// A lock: the system's mutex.
public typealias os_unfair_lock_s = pthread_mutex_t
/// A lock in a place that does not move. Unsafe: as Apple's is; its users say where it lies.
public typealias os_unfair_lock_t = UnsafeMutablePointer<pthread_mutex_t>

/// Waits for the lock and takes it.
@_alwaysEmitIntoClient
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  pthread_mutex_lock(lock)
}

/// Gives the lock back.
@_alwaysEmitIntoClient
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  pthread_mutex_unlock(lock)
}

/// Takes the lock if it is free.
@_alwaysEmitIntoClient
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  pthread_mutex_trylock(lock) == 0
}
