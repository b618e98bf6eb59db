// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// How long the intervals between samples were, in bounded memory: quantiles to one part in a thousand.
///
/// A histogram whose bins are as wide as their value demands: below 1024 ns one nanosecond, above it each power of two is cut into
/// 1024 bins. A bin keeps the sum of what fell into it, so a stream of equal intervals gives exactly that interval. At most 55,000
/// bins whatever comes; real streams use a few hundred. Source: the log-linear bucketing of HdrHistogram (G. Tene, public domain).
struct IntervalDistribution: Sendable {
  private struct Bin {
    var key: UInt32
    var count = 0
    var sum: Double = 0
  }

  private var bins: [Bin] = []
  private var places: [UInt32: Int] = [:]
  /// The bin of the interval before: most intervals fall where the last one fell.
  private var latest = 0
  /// Intervals counted.
  private(set) var count = 0

  private static let precision = 10

  private static func key(_ value: UInt64) -> UInt32 {
    let shift = max(0, 63 - precision - value.leadingZeroBitCount)
    return UInt32(shift) << 11 | UInt32(truncatingIfNeeded: value >> UInt64(shift))
  }

  /// Counts an interval; negative ones are nobody's interval and are left out.
  mutating func add(_ interval: SensorDuration) {
    guard interval >= .zero else { return }
    let key = Self.key(UInt64(interval.nanoseconds))
    if bins.isEmpty || bins[latest].key != key {
      if let place = places[key] {
        latest = place
      } else {
        latest = bins.count
        places[key] = latest
        bins.append(Bin(key: key))
      }
    }
    bins[latest].count += 1
    bins[latest].sum += Double(interval.nanoseconds)
    count += 1
  }

  /// The intervals below which the given shares (0…1, ascending) of all lie; empty when nothing was counted.
  func quantiles(_ shares: [Double]) -> [SensorDuration] {
    guard count > 0 else { return [] }
    let sorted = bins.sorted { $0.key < $1.key }
    var result: [SensorDuration] = []
    var (index, passed) = (0, sorted[0].count)
    for share in shares {
      let rank = Int((share * Double(count)).rounded(.down))
      while passed <= rank, index < sorted.count - 1 {
        index += 1
        passed += sorted[index].count
      }
      let mean = sorted[index].sum / Double(sorted[index].count)
      result.append(SensorDuration(nanoseconds: Int64(mean.rounded())))
    }
    return result
  }
}
