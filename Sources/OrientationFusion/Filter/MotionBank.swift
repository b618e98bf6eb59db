// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The three models of motion, mixed by their probabilities.
///
/// Every block each of them predicts and corrects; how well it predicted the force moves its probability. They may turn
/// into each other, rarely: a model that gave up leaves its errors to its successor. This is the interacting multiple model
/// estimator of Blom and Bar-Shalom, IEEE Trans. Automatic Control 33(8), 1988, about one nominal trajectory: after each
/// block the mean of the deviations moves there. Documentation/Filter.md 6.
struct MotionBank: Sendable {
  /// Hand, vehicle, and a bias that moves.
  var models: InlineArray<3, MotionModel>
  /// Their number; a library for devices has the first alone.
  static var count: Int { 3 }
  /// How many times its usual variance the gyroscope's matrix has had before anything was learned.
  private var matrixFactor: Float = 1
  /// Seconds since the models have mixed.
  private var sinceTransition: Float = 0

  static var kinds: InlineArray<3, MotionModel.Kind> {
    [
      .init(acceleration: Constant.Bank.handAcceleration, time: Constant.Bank.handTime, biasWalk: 1),
      .init(acceleration: Constant.Bank.vehicleAcceleration, time: Constant.Bank.vehicleTime, biasWalk: 1),
      .init(
        acceleration: Constant.Bank.handAcceleration, time: Constant.Bank.handTime,
        biasWalk: Constant.Bank.movingBiasWalk),
    ]
  }

  init(_ p: OrientationFilter.Parameters) {
    var model = MotionModel()
    for i in 0..<3 {
      model.covariance.reset(ErrorIndex.bias + i, variance: Float(p.gyroscopeBiasDeviation * p.gyroscopeBiasDeviation))
      model.covariance.reset(
        ErrorIndex.offset + i, variance: Float(p.accelerometerBiasDeviation * p.accelerometerBiasDeviation))
    }
    for i in 0..<9 {
      model.covariance.reset(
        ErrorIndex.matrix + i, variance: Float(p.gyroscopeMatrixDeviation * p.gyroscopeMatrixDeviation))
    }
    models = InlineArray(repeating: model)
    var models = models.mutableSpan
    for k in 0..<Self.count { models[k].weight = k == 0 ? Constant.Bank.weightOfHand : Constant.Bank.weightOfOther }
    resetMotion()
  }

  /// The covariance of bias and matrix that an earlier run has found, at most as large as the usual one: scaling a row and
  /// its column by one factor keeps it positive definite.
  mutating func start(with learned: LearnedSensor) {
    var models = models.mutableSpan
    var factors = InlineArray<12, Double>(repeating: 1)
    for i in 0..<12 {
      let index = ErrorIndex.bias + i
      factors[i] = min(1, (Double(models[0].covariance[index, index]) / learned[i, i]).squareRoot())
    }
    for k in 0..<Self.count {
      for i in 0..<12 {
        for j in i..<12 {
          models[k].covariance[ErrorIndex.bias + i, ErrorIndex.bias + j] = Float(
            learned[i, j] * factors[i] * factors[j])
        }
      }
    }
  }

  /// Nothing is known of the velocity but that it is small.
  mutating func resetMotion() {
    for k in 0..<Self.count {
      for i in ErrorIndex.velocity..<ErrorIndex.offset {
        models[k].deviation[i] = 0
        let isVelocity = i < ErrorIndex.acceleration
        let acceleration = Constant.Bank.handAcceleration
        models[k].covariance.reset(
          i, variance: isVelocity ? Constant.Bank.startVelocityVariance : acceleration * acceleration)
      }
    }
  }

  /// The inclination was set anew, with so much variance, rad².
  mutating func resetInclination(variance: Float) {
    for k in 0..<Self.count {
      for i in 0..<2 {
        models[k].deviation[i] = 0
        models[k].covariance.reset(i, variance: variance)
      }
    }
    resetMotion()
  }

  /// Adds to the variance of an error in all models, up to `largest`.
  mutating func add(_ variance: Float, to index: Int, largest: Float = .infinity) {
    var models = models.mutableSpan
    for k in 0..<Self.count {
      models[k].covariance.add(min(variance, max(0, largest - models[k].covariance[index, index])), to: index)
    }
  }

  /// The inclination and the bias may be wrong by so much, rad² and (rad/s)².
  mutating func open(squaredTilt: Float, squaredRate: Float) {
    for i in 0..<2 { add(squaredTilt, to: i) }
    for i in ErrorIndex.bias..<ErrorIndex.matrix { add(squaredRate, to: i) }
    resetMotion()
  }

  /// Adds an error of the attitude in a known direction, rad, to all models.
  mutating func add(turn: Real4) {
    var error = ErrorVector()
    for i in 0..<3 { error[i] = Float(turn[i]) }
    for k in 0..<Self.count { models[k].covariance.add(outer: error, weight: 1) }
  }

  // MARK: Block

  /// Every half second the models mix: hands turn into vehicles and back, and a bias begins and ends to move.
  mutating func transition(after time: Float) {
    sinceTransition += time
    guard Self.count == 3, sinceTransition > Constant.Bank.transitionTime else { return }
    weigh()
    typealias B = Constant.Bank
    var span = models.mutableSpan
    let (hand, vehicle, moving) = (span[0].weight, span[1].weight, span[2].weight)
    let (toVehicle, toMoving) = (hand * B.handToVehicle * sinceTransition, hand * B.handToMovingBias * sinceTransition)
    let fromVehicle = vehicle * B.vehicleToHand * sinceTransition
    let fromMoving = moving * B.movingBiasToHand * sinceTransition
    sinceTransition = 0
    let staying = hand - toVehicle - toMoving
    span[0].weight = staying + fromVehicle + fromMoving
    span[1].weight = vehicle - fromVehicle + toVehicle
    span[2].weight = moving - fromMoving + toMoving
    var before = span[0]
    Self.mix(&span, 0, with: 1, share: fromVehicle / (staying + fromVehicle))
    Self.mix(&span, 0, with: 2, share: fromMoving / span[0].weight)
    span[1].mix(&before, share: toVehicle / span[1].weight)
    span[2].mix(&before, share: toMoving / span[2].weight)
    // It may have jumped.
    for i in ErrorIndex.bias..<ErrorIndex.matrix {
      span[2].covariance.add(toMoving / span[2].weight * B.squaredJump, to: i)
    }
  }

  private static func mix(_ models: inout MutableSpan<MotionModel>, _ i: Int, with j: Int, share: Float) {
    models.withUnsafeMutableBufferPointer { $0[i].mix(&$0[j], share: share) }
  }

  /// A gyroscope whose bias is n times the usual one is not calibrated: its scale and its axes are as much worse.
  mutating func widenMatrix(squaredBias: Float) {
    let factor = squaredBias / Constant.usualSquaredBias
    guard factor > max(Constant.largestUsualFactor, Constant.matrixStep * matrixFactor) else { return }
    let limited = min(factor, Constant.largestMatrixFactor)
    for i in 0..<9 { add((limited - matrixFactor) * Constant.matrixVariance, to: ErrorIndex.matrix + i) }
    matrixFactor = limited
  }

  /// Moves the probabilities by how well each model has predicted the force since.
  ///
  /// Neighbouring blocks err alike: one of five counts as independent.
  private mutating func weigh() {
    var logs = InlineArray<3, Float>(repeating: 0)
    var models = models.mutableSpan
    for k in 0..<Self.count {
      logs[k] =
        Approximate.log(models[k].weight) + Constant.Bank.shareOfLikelihood * models[k].takeLogLikelihood()
    }
    let largest = max(logs[0], logs[1], logs[2])
    var sum: Float = 0
    for k in 0..<Self.count {
      models[k].weight = Approximate.exp(logs[k] - largest)
      sum += models[k].weight
    }
    for k in 0..<Self.count { models[k].weight = max(models[k].weight / sum, Constant.Bank.leastWeight) }
  }

  /// The mean deviation of attitude, bias and matrix, which leaves the models: it moves to the nominal.
  mutating func takeMean() -> ErrorVector {
    var mean = ErrorVector()
    var models = models.mutableSpan
    for k in 0..<Self.count {
      for group in 0..<4 { mean[group: group] += models[k].deviation[group: group] * models[k].weight }
    }
    for k in 0..<Self.count {
      for group in 0..<4 { models[k].deviation[group: group] -= mean[group: group] }
    }
    return mean
  }

  // MARK: Results

  /// A mean over the models.
  @inline(__always)
  mutating func mean(_ value: (inout MotionModel) -> Float) -> Float {
    var span = models.mutableSpan
    var sum: Float = 0
    for k in 0..<Self.count { sum += span[unchecked: k].weight * value(&span[unchecked: k]) }
    return sum
  }

  /// One number that is not finite gets into all models, and into the sum of the variances.
  mutating func isFinite() -> Bool {
    var models = models.mutableSpan
    return models[0].covariance.trace().isFinite
  }

  /// The covariance of two errors: within the models and between them.
  mutating func covariance(_ i: Int, _ j: Int) -> Float {
    mean { $0.covariance[i, j] + $0.deviation[i] * $0.deviation[j] }
  }
}
