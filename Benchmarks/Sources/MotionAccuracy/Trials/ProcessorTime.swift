// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// Time that this thread has spent computing: other programs on the machine do not count.
enum ProcessorTime {
  /// How often a measurement is repeated; the smallest counts, since every disturbance makes it longer.
  private static let passes = 3

  /// ns of the quickest of a few runs of `body`.
  ///
  /// Each run has to give the `expected` result: so the compiler cannot remove work whose result is unused, and a
  /// filter that gives two results for the same readings is detected.
  static func nanoseconds<R: Equatable>(expecting expected: R, _ body: () throws -> R) throws -> Double {
    var best = Double.infinity
    for _ in 0..<passes {
      let begun = now
      let result = try body()
      best = min(best, Double(now - begun))
      guard result == expected else {
        throw SensorError(
          .system, "Two runs over the same readings gave \(expected) and \(result): a filter must not do that.")
      }
    }
    return best
  }

  /// ns; the origin means nothing.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
