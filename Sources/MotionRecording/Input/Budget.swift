// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What one input may make a process keep: bytes of memory, and of temporary files.
///
/// What a reader keeps besides the samples on their way (an index, a chunk, a filter for each device) is paid for here
/// before memory is taken, and given back when its owner goes. The limits follow the size of the input, so a small file
/// makes no process large, and a large one is not refused for what it needs:
///
/// | | limit | why |
/// |---|---|---|
/// | memory | 48 MiB, or 5 times the input | with `motionctl` itself 100 MB for a file of 10 MB |
/// | temporary files | 16 MiB, or 200 times the input | as much as a compressed file may become |
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
  static let leastDisk = 16 << 20
  static let diskRatio = 200

  private struct State {
    var input: Int
    var kept = 0
  }

  private let state: Lock<State>

  /// The budget of an input of so many bytes; 0 for a pipe, whose bytes are counted as they come.
  package init(input: Int64) { state = Lock(State(input: Int(clamping: max(0, input)))) }

  /// So many more bytes have come out of a pipe.
  package func receive(_ count: Int) { state.withLock { $0.input = Self.sum($0.input, count) } }

  /// Bytes that may be kept at once.
  package var memory: Int { state.withLock { Self.memory($0.input) } }

  /// Bytes of temporary files that an input of so many bytes may become.
  package static func disk(input: Int64) -> Int {
    let (product, overflows) = Int(clamping: max(0, input)).multipliedReportingOverflow(by: diskRatio)
    return overflows ? .max : max(leastDisk, product)
  }

  private static func memory(_ input: Int) -> Int {
    let (product, overflows) = input.multipliedReportingOverflow(by: memoryRatio)
    return overflows ? .max : max(leastMemory, product)
  }

  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflows) = first.addingReportingOverflow(max(0, second))
    return overflows ? .max : sum
  }

  /// The account of one owner.
  ///
  /// - Parameters:
  ///   - what: what is kept, as the beginning of a sentence, in the plural: "The devices of the table".
  ///   - remedy: what a person can do, as the end of one: "fuse them in parts".
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
      let (limit, total, input) = budget.state.withLock { state in
        let (limit, total) = (Budget.memory(state.input), Budget.sum(state.kept, count))
        if total <= limit { state.kept = total }
        return (limit, total, state.input)
      }
      guard total <= limit else {
        throw SensorError(
          .limitExceeded,
          "\(what) take \(Self.megabytes(total)) of memory; the limit for an input of \(Self.megabytes(input)) is \(Self.megabytes(limit)): \(remedy).",
          at: place)
      }
      own.withLock { $0 = Budget.sum($0, count) }
    }

    /// So many of them are kept no longer; all by default.
    package func giveBack(_ count: Int = .max) {
      let paid = own.withLock { own in
        let paid = min(own, count)
        own -= paid
        return paid
      }
      // At least what its shares have.
      budget.state.withLock { $0.kept -= paid }
    }

    private static func megabytes(_ count: Int) -> String {
      count < 1 << 20 ? "\(max(1, count >> 10)) kB" : "\((count - 1) >> 20 + 1) MB"
    }
  }
}
