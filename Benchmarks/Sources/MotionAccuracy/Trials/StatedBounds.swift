// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How many of something are so: a share that can be added to others.
package struct Share: Sendable, Hashable {
  package private(set) var yes = 0
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ isSo: Bool) {
    yes += isSo ? 1 : 0
    count += 1
  }

  /// Nil of nothing.
  package var percent: Double? { count == 0 ? nil : 100 * Double(yes) / Double(count) }

  package static func + (a: Share, b: Share) -> Share {
    var sum = a
    sum.yes += b.yes
    sum.count += b.count
    return sum
  }
}

/// What the filter stated of itself, held against what it did: the bounds within which 95 % of its errors should be,
/// and whether it knew the heading.
package struct StatedBounds: Sendable, Hashable {
  /// Bounds of 95 % per standard deviation. A tilt has two axes: its square is distributed exponentially, and √(−ln
  /// 0.05) = 1.73.
  static let (inclinationFactor, headingFactor) = (1.73, 1.96)
  /// An error that sends a walker the wrong way, rad: 45°.
  private static let wrongHeading = Double.pi / 4

  /// Samples whose inclination error is within the stated bound.
  package private(set) var inclination = Share()
  /// Samples with a heading whose error is within the stated bound.
  package private(set) var heading = Share()
  /// Samples with a heading that counts from north.
  package private(set) var known = Share()
  /// Of those, the ones that are wrong by more than 45°.
  package private(set) var wrong = Share()

  package init() {}

  mutating func add(_ row: ScoredRow) {
    inclination.add(row.error.inclination <= Self.inclinationFactor * row.inclinationDeviation)
    guard let deviation = row.headingDeviation else { return }
    known.add(row.hasHeading)
    guard row.hasHeading else { return }
    heading.add(row.error.heading <= Self.headingFactor * deviation)
    wrong.add(row.error.heading > Self.wrongHeading)
  }

  package static func + (a: StatedBounds, b: StatedBounds) -> StatedBounds {
    var sum = StatedBounds()
    sum.inclination = a.inclination + b.inclination
    sum.heading = a.heading + b.heading
    sum.known = a.known + b.known
    sum.wrong = a.wrong + b.wrong
    return sum
  }
}

/// The error of one sample, and what the filter said of it.
struct ScoredRow: Sendable {
  var error: OrientationError
  /// One standard deviation, rad.
  var inclinationDeviation: Double
  /// One standard deviation, rad; nil = the run has no magnetometer.
  var headingDeviation: Double?
  /// True when the azimuth counts from north.
  var hasHeading: Bool
  /// The error where the stamps count as late (``TrialOptions/referenceDelay``).
  var delayed: OrientationError?
}

extension [ScoredRow] {
  var bounds: StatedBounds { reduce(into: StatedBounds()) { $0.add($1) } }
}
