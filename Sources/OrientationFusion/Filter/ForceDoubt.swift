// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What if the forces of the latest minutes were not gravity on average: a doubt about the inclination, which is
/// stated.
///
/// A steady acceleration that lasts longer than any model expects becomes an inclination, and the bias follows it; once
/// both agree, no residual shows it. What still shows it is the gyroscope alone: a fourth deviation, which no force
/// corrects, and which returns to that of the hand over minutes. Their difference, in terms of its own uncertainty,
/// says whether an acceleration explains it better than the drift of a gyroscope; that the bias has moved explains it,
/// too, so the doubt is one half at most. Documentation/Filter.md 6.
struct ForceDoubt: Sendable {
  /// The gyroscope's errors without the forces since.
  private var gyroscope = MotionModel()
  /// rad², of the inclination.
  private(set) var variance: Float = 0

  /// After a levelling nothing else is known.
  mutating func reset(to hand: MotionModel) { (gyroscope, variance) = (hand, 0) }

  mutating func add(_ error: ErrorVector) { gyroscope.covariance.add(outer: error, error) }

  mutating func mix(_ hand: borrowing MotionModel, share: Float) { gyroscope.mix(hand, share: share) }

  mutating func predict(_ block: borrowing MotionModel.Block) {
    gyroscope.predict(block, .init(acceleration: 0, time: 1, biasWalk: 1))
  }

  /// `mean`: what leaves the deviations of all models.
  mutating func update(
    hand: inout MotionModel, _ shared: inout SharedErrors, mean: ErrorVector, time: Float
  ) {
    typealias B = Constant.Bank
    gyroscope.follow(shared.correction)
    gyroscope.deviation.add(mean, times: -1)
    let (x, y) = (gyroscope.deviation[0], gyroscope.deviation[1])
    let square = x * x + y * y
    var own: Float = 0
    for i in 0..<2 {
      var row = gyroscope.dependence[i]
      row.add(hand.dependence[i], times: -1)
      own += 0.5 * (gyroscope.covariance[i][i] - hand.covariance[i][i] + shared.product(row).dot(row))
    }
    own = max(own, B.leastDoubt)
    let tilt = B.vehicleAcceleration * B.vehicleAcceleration / Float(Constant.squaredGravity)
    let log = Approximate.log(B.lastingWeight * own / (own + tilt)) + 0.5 * square * (1 / own - 1 / (own + tilt))
    let share = tilt / (tilt + own)
    let shown = square * share * share / (2 + Approximate.exp(-log))
    variance = max(shown, variance * (1 - min(1, time / B.doubtTime)))
  }
}
