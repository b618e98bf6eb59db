// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// How far off a distance on foot may be.
///
/// What the steps of a person have in common (height, way of walking, place of the device) is the same at the end of a
/// kilometre as at its begin: those errors add up. What differs from walk to walk averages out: the variances add up.
/// So four metres are less certain, in per cent, than a kilometre.
package struct DistanceError: Sendable, Hashable, BitwiseCopyable {
  /// Metres: standard deviation of what all the steps have in common.
  package var common = 0.0
  /// m²: variance of what differs from walk to walk.
  package var variance = 0.0

  /// None.
  package init() {}

  /// That of two distances together.
  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.common += right.common
    sum.variance += right.variance
    return sum
  }

  /// Metres: standard deviation of the whole.
  package var deviation: Double { (common * common + variance).squareRoot() }

  /// Metres within which the true distance is in 95 of 100 cases. An error multiplies (a log-normal distribution), so
  /// the upper part is longer.
  package func interval(around distance: Double) -> ClosedRange<Double> {
    guard distance > 0 else { return 0...0 }
    let part = deviation / distance
    let factor = Scalar.exp(1.96 * Scalar.log(1 + part * part).squareRoot())
    return distance / factor...distance * factor
  }
}
