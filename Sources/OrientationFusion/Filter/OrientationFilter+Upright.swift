// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The velocity measurement pulls a small error of the inclination towards zero. Far from the truth it does not: upside
// down, a small turn changes nothing about the horizontal force; and a wrong inclination that the covariance excludes
// counts as the acceleration of a vehicle. So the filter would stay there and believe itself. This is the check that
// needs neither linearisation nor covariance: the mean of the specific force points up, the closer the longer the mean.
// Documentation/Filter.md 6.8.
extension OrientationFilter {
  /// Compares the mean specific forces with the vertical, and opens the inclination when they contradict each other.
  mutating func checkUpright() {
    let time = state.sums.velocityDuration
    guard time > 0 else { return }
    let force = RealVector<EastNorthUp>(state.sums.velocity / time)
    state.upright.add(force, time: time)
    let mean = state.upright.means[0]
    let strength = mean.dot(mean).squareRoot()
    let g = Real(standardGravity)
    if state.upright.age < UprightCheck.times[0] {
      // Just levelled, from one reading: more readings are better than one.
      guard strength > 0.5 * g, mean.z < Constant.cosineOfFirstLean * strength else { return }
      return levelAgain(mean)
    }
    let leans = strength > Constant.leastLeaningForce * g && (mean.z < 0.5 * g || mean.z < 0.5 * strength)
    state.upright.leaningTime = leans ? state.upright.leaningTime + time : 0
    if state.upright.leaningTime > Constant.longestLean { return levelAgain(mean) }
    checkContradiction(time: time)
  }

  /// Whether a mean force that leans by `angle` is too short for an acceleration: that makes it g / cos φ, which is twice
  /// as much longer than g as is asked here.
  private func isShort(_ mean: RealVector<EastNorthUp>, leaning angle: Real) -> Bool {
    let longest = Real(standardGravity) * (1 + 0.25 * angle * angle) + coefficients.strengthError
    return mean.dot(mean) < longest * longest
  }

  /// A lean of some seconds without a longer specific force is no acceleration: that lengthens it, g / cos φ. On a device
  /// that is turned about, whose errors the covariance excludes, it is an error of the gyroscope that counts as known.
  private mutating func checkContradiction(time: Real) {
    let rate = RealVector<Device>(state.pose.rate)
    let vertical = rate.dot(RealVector<Device>(x: state.axes.x.z, y: state.axes.y.z, z: state.axes.z.z))
    state.squaredTiltingRate +=
      (rate.dot(rate) - vertical * vertical - state.squaredTiltingRate)
      * SampleTime.share(of: time, constant: coefficients.tiltMemory)
    let mean = state.upright.means[1]
    let (across, along) = ((mean.x * mean.x + mean.y * mean.y).squareRoot(), max(mean.z, 1))
    // An angle is smaller than its tangent: mostly that is enough.
    let isSmall = across <= coefficients.smallestContradiction * along
    let angle = isSmall ? 0 : Scalar.atan2(across, along)
    let known = 3 * (state.covariance.element(0, 0) + state.covariance.element(1, 1)).squareRoot()
    let leans = angle > max(coefficients.smallestContradiction, known)
    let length = mean.dot(mean).squareRoot()
    if !leans, state.upright.age >= UprightCheck.times[1] {
      let share = state.upright.strength == 0 ? 1 : SampleTime.share(of: time, constant: coefficients.tiltMemory)
      state.upright.strength += (length - state.upright.strength) * share
    }
    let isHandled = state.squaredTiltingRate > coefficients.squaredHandRate && isShort(mean, leaning: angle)
    let contradicts = leans && (isHandled || length < state.upright.strength - coefficients.strengthNoise)
    state.contradictionTime = max(0, state.contradictionTime + (contradicts ? time : -time))
    guard state.contradictionTime > coefficients.longestContradiction else { return }
    state.contradictionTime = 0
    openInclination(angle, rate: isHandled ? angle / UprightCheck.times[1] : 0)
  }

  /// The inclination may be wrong by `angle`, rad, and the bias by `rate`, rad/s.
  mutating func openInclination(_ angle: Real, rate: Real) {
    for i in 0..<2 { state.covariance.reset(i, variance: max(state.covariance.element(i, i), angle * angle)) }
    // A bias about the vertical does not tilt. The mean of "up" is shorter the more the device has been tilted.
    let up = state.meanUp.simd
    for i in 0..<3 {
      for j in i..<3 {
        state.covariance[ErrorIndex.bias + i, ErrorIndex.bias + j] += rate * rate * ((i == j ? 1 : 0) - up[i] * up[j])
      }
    }
    resetVelocity()
    state.upright.restart(keeping: true)
  }

  /// Turns the attitude by the shortest way so that `mean` points up.
  private mutating func levelAgain(_ mean: RealVector<EastNorthUp>) {
    guard let attitude = state.attitude,
      let correction = Rotation<EastNorthUp, EastNorthUp>(levelling: Vector3(mean))
    else { return }
    state.attitude = correction * attitude
    let angle = Real(correction.angle)
    let heading = state.covariance.element(ErrorIndex.heading, ErrorIndex.heading) + angle * angle
    state.covariance.reset(ErrorIndex.heading, variance: min(Constant.unknownAzimuthVariance, heading))
    let deviation = Angle(degrees: 15).radians
    for i in 0..<2 { state.covariance.reset(i, variance: Real(deviation * deviation)) }
    if usesMagnetometer { resetHeading() }
    resetVelocity()
    state.upright.turned(to: mean)
  }
}

/// What the check of the vertical remembers.
struct UprightCheck: Sendable, BitwiseCopyable {
  /// Mean specific forces in the world, m/s², over the times below: plain until these have passed, then low-passes.
  private(set) var means = InlineArray<2, RealVector<EastNorthUp>>(repeating: .zero)
  private(set) var age: Real = 0
  /// The length of the mean force while it points up, m/s²; 0 = not known.
  var strength: Real = 0
  /// Seconds for which the shortest mean has been far from up.
  var leaningTime: Real = 0

  static var times: InlineArray<2, Real> { [1, 4] }

  mutating func add(_ force: RealVector<EastNorthUp>, time: Real) {
    age = min(Constant.longestMean, age + time)
    for i in 0..<2 {
      let share = time / min(age, Self.times[i])
      means[i] += (force - means[i]) * min(1, share)
    }
  }

  /// The square of the angle, rad, between the mean force of 4 s and up; 0 before they have passed.
  var squaredLean: Real {
    guard age >= Self.times[1] else { return 0 }
    let mean = means[1]
    return (mean.x * mean.x + mean.y * mean.y) / max(1, mean.dot(mean))
  }

  /// The attitude was turned so that `mean` now points up.
  mutating func turned(to mean: RealVector<EastNorthUp>) {
    let up = RealVector<EastNorthUp>(x: 0, y: 0, z: mean.dot(mean).squareRoot())
    leaningTime = 0
    for i in 0..<2 { means[i] = up }
  }

  /// The inclination was opened or initialised: the old means no longer hold.
  mutating func restart(keeping first: Bool) {
    leaningTime = 0
    age = first ? Self.times[0] : 0
    strength = 0
    for i in 0..<2 { means[i] = first ? means[0] : .zero }
  }
}
