// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionServices

/// What happened to a source's samples, in words. Nothing is dropped without a line here.
enum StatisticsReport {
  /// A line for each sensor that was heard of.
  static func lines(_ statistics: TimelineStatistics) -> [String] {
    statistics.named.compactMap { name, counts in
      guard counts.delivered + counts.dropped > 0 else { return nil }
      return "  \(name): \(sentence(counts))"
    }
  }

  /// "6,000 samples at 100 Hz, no gaps, none dropped".
  static func sentence(_ counts: TimelineStatistics.Counts) -> String {
    var text = Text.count(counts.delivered, "sample")
    if let rate = counts.rate { text += " at \(Text.decimal(rate, places: 2)) Hz" }
    text +=
      counts.gaps == 0
      ? ", no gaps"
      : ", \(Text.count(counts.gaps, "gap")) (\(Text.duration(Double(counts.gapNanoseconds) / 1e9)) together)"
    guard counts.dropped > 0 else { return text + ", none dropped" }
    return text + ", dropped: \(counts.late) late, \(counts.duplicates) duplicate, \(counts.nonFinite) non-finite"
  }
}
