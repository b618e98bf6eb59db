// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// How strongly the hand moves: the variance of its velocity, (m/s)², from the data.
///
/// A velocity that stays near zero levels the attitude; how near, differs by a factor of a thousand between a desk and a
/// runner. Two things show it: the pushes that the models find, and a velocity of its own, the integral of the force that
/// forgets in two seconds. It must not be the velocity of the models, whose own strength it sets: that would run away.
struct HandVelocity: Sendable {
  /// The variance that the data show.
  private var shown: Float = 0
  /// m/s, east and north.
  private var recent = SIMD2<Float>.zero
  /// The squared acceleration, (m/s²)²: it rises at once, and falls in a second.
  private(set) var squaredAcceleration: Float = 0

  /// The mean rate over the latest minute, rad/s, and the seconds that it covers.
  private var rate: RealVector<Device> = .zero
  private var squaredRate: Float = 0
  private var rateTime: Float = 1

  /// The mean square of the rate about horizontal axes over some seconds, (rad/s)².
  private(set) var squaredTiltingRate: Float = 0

  mutating func addRate(_ latest: RealVector<Device>, tilting: Float, time: Float) {
    rateTime = min(rateTime + time, Constant.Hand.rateMemory)
    rate += (latest - rate) * Real(time / rateTime)
    squaredRate += (Float(latest.dot(latest)) - squaredRate) * (time / rateTime)
    squaredTiltingRate += (tilting - squaredTiltingRate) * Self.share(time, Constant.Hand.tiltMemory)
  }

  /// A device that turns steadily has an acceleration that is constant in it: that of its lever arm, (m/s²)².
  var leverAcceleration: Float {
    guard squaredRate > 0 else { return 0 }
    let square = Float(rate.dot(rate))
    let a = Constant.Hand.lever * square * square / squaredRate
    return a * a
  }

  /// At least the usual one of a device in a hand.
  func variance(_ c: borrowing OrientationFilter.Coefficients) -> Float {
    let density = c.velocityVariance + c.velocityVariancePerAcceleration * squaredAcceleration
    return max(shown, density / (2 * Constant.Hand.time))
  }

  mutating func addAcceleration(_ square: Float, time: Float) {
    squaredAcceleration = max(square, squaredAcceleration + (square - squaredAcceleration) * Self.share(time, 1))
  }

  /// `push`: the mean square of the latest one, (m/s)²; `velocity`: ∫ f dt of the block without the vehicle, m/s.
  mutating func update(squaredPush push: Float, velocity: SIMD2<Float>, kept: Float, time: Float) {
    let share = Self.share(time, Constant.Hand.memory)
    recent = (recent + velocity) * (1 - share)
    let square = (recent * recent).sum() / 2
    let now = max(push / (1 - kept * kept), Constant.Hand.velocityFactor * square)
    shown += (now - shown) * share
  }

  /// Starts again, after a new levelling.
  mutating func reset() { (shown, recent, squaredAcceleration) = (0, .zero, 0) }

  private static func share(_ time: Float, _ constant: Float) -> Float {
    Float(SampleTime.share(of: Real(time), constant: Real(constant)))
  }
}
