// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// The files that are written under a temporary name beside their place, and renamed when they are whole.
enum TemporaryFiles {
  private static let unfinished = Lock<Set<String>>([])
  private static let mostNames = 100

  /// Creates one. The name can be guessed, and in a shared folder anybody can put something there: what lies there already, a link
  /// too, is left as it is, and another name taken.
  static func create(beside place: String) throws(SystemFailure) -> (path: String, descriptor: Descriptor) {
    var number = 1
    while true {
      let path = "\(place).\(getpid())\(number == 1 ? "" : "-\(number)").part"
      do {
        let descriptor = try Descriptor.open(path, flags: O_CREAT | O_EXCL | O_NOFOLLOW)
        unfinished.withLock { _ = $0.insert(path) }
        return (path, descriptor)
      } catch {
        guard error.errno == EEXIST, number < mostNames else { throw error }
        number += 1
      }
    }
  }

  /// Gives one that is whole its place; it is removed when it cannot have it.
  static func move(_ path: String, to place: String) throws(SystemFailure) {
    guard rename(path, place) == 0 else {
      let failure = SystemFailure(errno: errno)
      remove(path)
      throw failure
    }
    unfinished.withLock { _ = $0.remove(path) }
  }

  /// Removes one that will not be whole.
  static func remove(_ path: String) {
    guard unfinished.withLock({ $0.contains(path) }) else { return }
    unlink(path)
    unfinished.withLock { _ = $0.remove(path) }
  }

  /// Removes all, before the program ends at once.
  static func removeAll() { for path in unfinished.withLock({ $0 }) { remove(path) } }
}
