// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivityEstimation
package import MotionMath

/// A figure and how far off it may be.
package struct Estimate: Sendable, Equatable {
  package var value: Double
  package var low: Double
  package var high: Double

  init(_ value: Double, minus: Double, plus: Double) {
    (self.value, low, high) = (value, max(0, value - minus), value + plus)
  }
}

/// How far off the figures of a recording may be. The constants are the bounds that `Benchmarks/steps.py` holds on
/// recordings with truth, where there are some; each comment says what they were measured on.
package enum ActivityErrors {
  /// Share of the steps: the largest error of a file of the Oxford set (phones in six places; the mean is 1.5 % at
  /// most).
  private static let steps = 0.05
  /// Share of the floors. There is no free recording with counted floors: chosen. A floor is 3 m, and 2.6 m count as
  /// one.
  private static let floors = 0.15
  /// Seconds by which the beginning of an activity may be early or late: walking is told within 5 s.
  private static let change = 5.0

  /// Steps a minute that are none: sitting and standing 0.1 (MotionSense), other motion 0.5 on the body and 3 on the
  /// wrist (desk and kitchen, WISDM), car 1, bicycle 5 (rides that are not published).
  private static func falseSteps(_ activity: MotionActivity, _ placement: Placement) -> Double {
    if activity.contains(.walking) || activity.contains(.running) { return 0 }
    if activity.contains(.cycling) { return 5 }
    if activity.contains(.automotive) { return 1 }
    if activity.contains(.stationary) { return 0.1 }
    return placement == .wrist ? 3 : 0.5
  }

  /// The share of an activity's time that may be another's: stationary, walking and running 2 % (MotionSense and WISDM,
  /// people left out), automotive 20 %, cycling 15 % (one phone, one ride: evidence, not proof); what is undecided may
  /// be anything.
  private static func confusion(_ activity: MotionActivity) -> Double {
    if activity.contains(.automotive) { return 0.2 }
    if activity.contains(.cycling) { return 0.15 }
    return activity.isEmpty || activity.contains(.unknown) ? 1 : 0.02
  }

  package static func steps(_ tally: ActivityTally, _ placement: Placement) -> Estimate {
    let steps = Double(tally.walk.steps)
    let wrong = tally.shares().reduce(0) { $0 + $1.seconds / 60 * falseSteps($1.activity, placement) }
    let share = (steps * Self.steps).rounded(.up)
    return Estimate(steps, minus: share + min(wrong, steps).rounded(.up), plus: share)
  }

  /// Metres, with the interval that the length of each step brings (``DistanceError``).
  package static func distance(_ walk: StepTotals) -> Estimate {
    let interval = walk.distanceError.interval(around: walk.distance)
    return Estimate(
      walk.distance, minus: walk.distance - interval.lowerBound, plus: interval.upperBound - walk.distance)
  }

  /// At least one floor either way, once somebody has climbed.
  package static func floors(_ count: Int) -> Estimate {
    let error = count == 0 ? 0 : max(1, (Double(count) * floors).rounded(.up))
    return Estimate(Double(count), minus: error, plus: error)
  }

  /// Minutes.
  package static func minutes(_ activity: MotionActivity, seconds: Double, _ tally: ActivityTally) -> Estimate {
    let stretches = tally.spans.count { $0.activity == activity }
    let error = (seconds * confusion(activity) + change * Double(stretches)) / 60
    let rest = tally.covered - seconds
    return Estimate(seconds / 60, minus: error, plus: min(error, max(0, rest) / 60))
  }
}
