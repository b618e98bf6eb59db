// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A calendar day of a worn accelerometer, in figures.
package struct WearDay: Sendable, Hashable {
  /// Five hours in a row and the mean of ENMO in them.
  package struct Window: Sendable, Hashable {
    /// g.
    package var mean: Double
    /// Seconds from midnight to its beginning, a multiple of ten minutes.
    package var start: Double
  }

  /// Days since 1970-01-01 on the local clock.
  package var day: Int
  /// Local clock in nanoseconds: the first and the last sample of the day; both the day's midnight where it has none.
  package var start: Int64
  package var end: Int64
  /// Samples.
  package var samples = 0
  /// Seconds with samples, of which worn and not worn.
  package var covered = 0.0
  package var worn = 0.0
  package var notWorn = 0.0
  /// Stretches of more than a second without samples that end in the day.
  package var gaps = 0
  /// 0…1: the part of the samples that reach the range of the sensor; 0 where the range is not known.
  package var clipped = 0.0
  /// g: the means over worn time; nil where nothing was worn.
  package var enmo: Double?
  package var mad: Double?
  /// The five hours in a row with most movement, and those with least; nil without five hours of worn time in a row.
  package var mostActive: Window?
  package var leastActive: Window?
  /// Worn minutes by steps a minute: 0, 1–19, 20–39, 40–59, 60–79, 80–99, 100–119, 120 and more.
  package var cadence = [Double](repeating: 0, count: CadenceBand.count)
}

/// Steps a minute in bands (Tudor-Locke et al. 2011, Prev Med 53, 178).
package enum CadenceBand {
  package static let count = 8
  package static let names = ["0", "1-19", "20-39", "40-59", "60-79", "80-99", "100-119", "120+"]

  /// The band of a minute with so many steps.
  static func index(_ steps: Double) -> Int {
    guard steps >= 0.5 else { return 0 }
    // fits: 1…1000
    return 1 + min(count - 2, Int(min(steps + 0.5, 1000)) / 20)
  }
}
