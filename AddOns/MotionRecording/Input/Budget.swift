// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// What one input may make a process keep: bytes of memory.
///
/// What a reader keeps besides the samples on their way (an index, a chunk) is paid for here
/// before memory is taken, and given back when its owner goes. The limit follows the size of the input, so a small file
/// makes no process large, and a large one is not refused for what it needs: 48 MiB, or 5 times the input, with
/// `motionctl` itself 100 MB for a file of 10 MB.
///
/// ```swift
/// let chunks = budget.share("Chunks that overlap in time", remedy: "write smaller chunks")
/// try chunks.keep(chunk.size, at: place)
/// ```
///
/// All readers of one recording have one budget, from any thread.
package final class Budget: Sendable {
  static let leastMemory = 48 << 20
  static let memoryRatio = 5

  private let input: Int
  private let kept = Lock(0)
  /// Bytes that may be kept at once.
  let memory: Int

  /// The budget of an input of so many bytes.
  package init(input: Int64) {
    self.input = Int(clamping: max(0, input))
    memory = max(Self.leastMemory, self.input.clamped(times: Self.memoryRatio))
  }

  /// The account of one owner.
  ///
  /// - Parameters:
  ///   - what: what is kept, as the beginning of a sentence, in the plural: "The connections of the bag".
  ///   - remedy: what a person can do, as the end of one: "record in shorter files".
  package func share(_ what: String, remedy: String) -> Share { Share(self, what, remedy) }

  /// What one owner keeps; given back when the owner goes.
  package final class Share: Sendable {
    private let budget: Budget
    private let what: String
    private let remedy: String
    private let own = Lock(0)

    fileprivate init(_ budget: Budget, _ what: String, _ remedy: String) {
      (self.budget, self.what, self.remedy) = (budget, what, remedy)
    }

    deinit { giveBack() }

    /// Pays for so many bytes, before they are kept; fails with a sentence where they are too many.
    package func keep(_ count: Int, at place: SensorError.Place) throws(SensorError) {
      let (limit, input) = (budget.memory, budget.input)
      let total = budget.kept.withLock { kept in
        let total = kept.clamped(plus: max(0, count))
        if total <= limit { kept = total }
        return total
      }
      guard total <= limit else {
        throw SensorError(
          .limitExceeded,
          "\(what) take \(Self.megabytes(total)) of memory; the limit for an input of \(Self.megabytes(input)) is \(Self.megabytes(limit)): \(remedy).",
          at: place)
      }
      own.withLock { $0 = $0.clamped(plus: max(0, count)) }
    }

    /// So many of them are kept no longer; all by default.
    package func giveBack(_ count: Int = .max) {
      let paid = own.withLock { own in
        let paid = min(own, count)
        own -= paid
        return paid
      }
      // At least what its shares have.
      budget.kept.withLock { $0 -= paid }
    }

    private static func megabytes(_ count: Int) -> String {
      count < 1 << 20 ? "\(max(1, count >> 10)) kB" : "\((count - 1) >> 20 + 1) MB"
    }
  }
}
