// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The velocity measurement pulls a small error of the inclination towards zero. Far from the truth it does not: upside down,
// a small turn changes nothing about the horizontal force, so that the filter would stay there and believe itself. This is the
// check that needs no linearisation: the mean of the specific force over a second points up, more or less, in any hand and in
// any vehicle. Documentation/Filter.md 6.8.
extension OrientationFilter {
  /// Compares the mean specific force with the vertical, and levels with it when they contradict each other.
  mutating func checkUpright() {
    let time = state.sums.velocityDuration
    guard time > 0 else { return }
    let force = RealVector<EastNorthUp>(state.sums.velocity / time)
    let age = state.upright.add(force, time: time)
    let mean = state.upright.meanForce
    let strength = mean.dot(mean).squareRoot()
    let g = Real(standardGravity)
    if age < Self.uprightSmoothing {
      // Just levelled, from one reading: more readings are better than one.
      guard strength > 0.5 * g, mean.z < Self.cosineOfFirstLean * strength else { return }
      return levelAgain(mean)
    }
    let leans = strength > 0.3 * g && (mean.z < 0.5 * g || mean.z < 0.5 * strength)
    state.upright.leaningTime = leans ? state.upright.leaningTime + time : 0
    if state.upright.leaningTime > Self.longestLean { levelAgain(mean) }
  }

  /// Seconds of the mean; and for which it may be far from up.
  static var uprightSmoothing: Real { 1 }
  private static var longestLean: Real { 0.7 }
  /// Of 25°.
  private static var cosineOfFirstLean: Real { 0.906 }

  /// Turns the attitude by the shortest way so that `mean` points up.
  private mutating func levelAgain(_ mean: RealVector<EastNorthUp>) {
    guard let attitude = state.attitude,
      let correction = Rotation<EastNorthUp, EastNorthUp>(levelling: Vector3(mean))
    else { return }
    state.attitude = correction * attitude
    let deviation = Angle(degrees: 15).radians
    for i in 0..<2 { state.covariance.reset(i, variance: Real(deviation * deviation)) }
    if usesMagnetometer { resetHeading() }
    resetVelocity()
    state.upright.leaningTime = 0
    state.upright.turned(to: mean)
  }
}

/// What the check of the vertical remembers.
struct UprightCheck: Sendable, BitwiseCopyable {
  /// The mean specific force in the world, m/s²: plain over the first second, then with a time constant of a second.
  private(set) var meanForce: RealVector<EastNorthUp> = .zero
  private var age: Real = 0
  /// Seconds for which it has been far from up.
  var leaningTime: Real = 0

  /// Returns the seconds that the mean covers.
  mutating func add(_ force: RealVector<EastNorthUp>, time: Real) -> Real {
    age = min(10, age + time)
    let share = time / min(age, OrientationFilter.uprightSmoothing)
    meanForce += (force - meanForce) * min(1, share)
    return age
  }

  /// The attitude was turned so that the mean now points up.
  mutating func turned(to mean: RealVector<EastNorthUp>) {
    meanForce = RealVector(x: 0, y: 0, z: mean.dot(mean).squareRoot())
  }
}
