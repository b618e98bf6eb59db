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
  /// What all models share; the first one learns it.
  var shared = SharedErrors()
  var doubt = ForceDoubt()
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
      model.reset(ErrorIndex.bias + i, variance: Float(p.gyroscopeBiasDeviation * p.gyroscopeBiasDeviation))
      shared.covariance.reset(
        SharedIndex.offset + i, variance: Float(p.accelerometerBiasDeviation * p.accelerometerBiasDeviation))
    }
    for i in 0..<9 {
      shared.covariance.reset(
        SharedIndex.matrix + i, variance: Float(p.gyroscopeMatrixDeviation * p.gyroscopeMatrixDeviation))
    }
    models = InlineArray(repeating: model)
    resetWeights()
    resetMotion()
  }

  private mutating func resetWeights() {
    for k in 0..<Self.count { models[k].weight = Constant.Bank.startWeights[k] }
  }

  /// Nothing is known of the velocity but that it is small.
  mutating func resetMotion() {
    let acceleration = Constant.Bank.handAcceleration * Constant.Bank.handAcceleration
    for k in 0..<Self.count {
      for i in ErrorIndex.velocity..<ErrorIndex.count {
        models[k].reset(
          i, variance: i < ErrorIndex.acceleration ? Constant.Bank.startVelocityVariance : acceleration)
      }
    }
  }

  /// The inclination was set anew, with so much variance, rad².
  mutating func resetInclination(variance: Float) {
    for k in 0..<Self.count {
      for i in 0..<2 { models[k].reset(i, variance: variance) }
    }
    resetMotion()
    doubt.reset(to: models[0])
  }

  /// Adds to the variance of an error in all models, up to `largest`.
  mutating func add(_ variance: Float, to index: Int, largest: Float = .infinity) {
    for k in 0..<Self.count {
      models[k].covariance[index][index] += min(variance, max(0, largest - models[k].covariance[index][index]))
    }
  }

  /// The inclination and the bias may be wrong by so much, rad² and (rad/s)²; then what the models and the matrix have
  /// learned from them is wrong, too.
  mutating func open(squaredTilt: Float, squaredRate: Float) {
    for i in 0..<2 { add(squaredTilt, to: i) }
    for i in 0..<3 { add(squaredRate, to: ErrorIndex.bias + i) }
    for i in 0..<9 {
      shared.covariance[i][i] = max(shared.covariance[i][i], matrixFactor * Constant.matrixVariance)
    }
    resetMotion()
    resetWeights()
    doubt.reset(to: models[0])
  }

  /// Adds an error of the attitude in a known direction, rad, to all models.
  mutating func add(turn: Real4) {
    var error = ErrorVector()
    for i in 0..<3 { error[i] = Float(turn[i]) }
    for k in 0..<Self.count { models[k].covariance.add(outer: error, error) }
    doubt.add(error)
  }

  // MARK: Block

  /// Every half second the models mix: hands turn into vehicles and back, and a bias begins and ends to move.
  mutating func transition(after time: Float, isStill: Bool) {
    sinceTransition += time
    guard sinceTransition > Constant.Bank.transitionTime else { return }
    defer { sinceTransition = 0 }
    doubt.mix(models[0], share: isStill ? 1 : sinceTransition / Constant.Bank.doubtTime)
    guard Self.count == 3 else { return }
    weigh()
    typealias B = Constant.Bank
    let (hand, vehicle, moving) = (models[0].weight, models[1].weight, models[2].weight)
    let (toVehicle, toMoving) = (hand * B.handToVehicle * sinceTransition, hand * B.handToMovingBias * sinceTransition)
    let fromVehicle = vehicle * B.vehicleToHand * sinceTransition
    let fromMoving = moving * B.movingBiasToHand * sinceTransition
    let staying = hand - toVehicle - toMoving
    models[0].weight = staying + fromVehicle + fromMoving
    models[1].weight = vehicle - fromVehicle + toVehicle
    models[2].weight = moving - fromMoving + toMoving
    let before = models[0]
    models[0].mix(models[1], share: fromVehicle / (staying + fromVehicle))
    models[0].mix(models[2], share: fromMoving / models[0].weight)
    models[1].mix(before, share: toVehicle / models[1].weight)
    models[2].mix(before, share: toMoving / models[2].weight)
  }

  /// All models predict and correct by a block: the others first, so that they see the matrix as the first one does before
  /// it learns. Returns the probability, with the first one, that the gyroscope reads its bias.
  mutating func update(_ block: borrowing MotionModel.Block, hasForce: Bool, rest: MotionModel.Rest?) -> Float {
    shared.correction = ErrorVector()
    var probability: Float = 0
    for k in (0..<Self.count).reversed() {
      models[k].predict(block, Self.kinds[k])
      if hasForce { models[k].measureForce(block, &shared, learns: k == 0) } else { models[k].coast(block) }
      if let rest { probability = models[k].measureRest(rest, &shared) }
    }
    doubt.predict(block)
    return probability
  }

  /// The field has turned about the vertical by so much, rad.
  mutating func measureAzimuth(_ turn: Float, variance: Float) {
    for k in (0..<Self.count).reversed() {
      models[k].measureAzimuth(turn, variance: variance, &shared, learns: k == 0)
    }
  }

  /// A gyroscope whose bias is n times the usual one is not calibrated: its scale and its axes are as much worse.
  mutating func widenMatrix(squaredBias: Float) {
    let factor = squaredBias / Constant.usualSquaredBias
    guard factor > max(Constant.largestUsualFactor, matrixFactor) else { return }
    let limited = min(factor, Constant.largestMatrixFactor)
    for i in 0..<9 { shared.covariance[i][i] += (limited - matrixFactor) * Constant.matrixVariance }
    matrixFactor = limited
  }

  /// Moves the probabilities by how well each model has predicted the force since.
  ///
  /// Neighbouring blocks err alike: one of five counts as independent.
  private mutating func weigh() {
    var logs = InlineArray<3, Float>(repeating: -.infinity)
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

  /// The other models follow what the first one has learned of the matrix. Then the mean deviation of attitude and bias
  /// leaves the models: it moves to the nominal, as ``SharedErrors/correction`` does.
  mutating func takeMean(time: Float) -> ErrorVector {
    for k in 1..<max(1, Self.count) { models[k].follow(shared.correction) }
    var mean = ErrorVector()
    for k in 0..<Self.count { mean.add(models[k].deviation, times: models[k].weight) }
    for i in ErrorIndex.velocity..<ErrorIndex.count { mean[i] = 0 }
    for k in 0..<Self.count { models[k].deviation.add(mean, times: -1) }
    doubt.update(hand: &models[0], &shared, mean: mean, time: time)
    return mean
  }

  // MARK: Results

  /// A mean over the models.
  ///
  /// Methods that only read are `mutating`, too: a read through a borrowed `self` copies the whole bank (Swift 6.3).
  @inline(__always)
  mutating func mean(_ value: (inout MotionModel) -> Float) -> Float {
    var models = models.mutableSpan
    var sum: Float = 0
    for k in 0..<Self.count { sum += models[unchecked: k].weight * value(&models[unchecked: k]) }
    return sum
  }

  /// One number that is not finite gets into all models, and into the sum of the variances.
  mutating func isFinite() -> Bool {
    var sum: Float = 0
    for i in 0..<ErrorIndex.count { sum += models[unchecked: 0].covariance[unchecked: i][i] }
    for i in 0..<SharedIndex.count { sum += shared.covariance[unchecked: i][i] }
    return sum.isFinite
  }

  /// The covariance of two errors: within the models, between them, and what both have from the shared errors.
  mutating func covariance(_ i: Int, _ j: Int) -> Float {
    let own = mean { $0.covariance[unchecked: i][j] + $0.deviation[i] * $0.deviation[j] }
    let (row, other) = dependence(i, j)
    return own + shared.product(row).dot(other)
  }

  /// The variance of an error if the shared ones were known.
  mutating func ownCovariance(_ i: Int) -> Float {
    mean { $0.covariance[unchecked: i][i] + $0.deviation[i] * $0.deviation[i] }
  }

  /// How two errors depend on the shared ones, by the likeliest model.
  private mutating func dependence(_ i: Int, _ j: Int) -> (ErrorVector, ErrorVector) {
    var (best, largest) = (0, Float(0))
    for k in 0..<Self.count {
      let weight = models[unchecked: k].weight
      if weight > largest { (best, largest) = (k, weight) }
    }
    return (models[unchecked: best].dependence[unchecked: i], models[unchecked: best].dependence[unchecked: j])
  }
}

// What an earlier run has learned of bias and matrix, and what this one has: twelve numbers, the bias first.
extension MotionBank {
  /// The covariance of two of them.
  mutating func sensorCovariance(_ i: Int, _ j: Int) -> Float {
    switch (i < 3, j < 3) {
    case (true, true): return covariance(ErrorIndex.bias + i, ErrorIndex.bias + j)
    case (false, false): return shared.covariance[i - 3][j - 3]
    default:
      let row = dependence(ErrorIndex.bias + min(i, j), 0).0
      return shared.product(row)[max(i, j) - 3]
    }
  }

  /// The covariance that an earlier run has found, at most as large as the usual one: scaling a row and its column by one
  /// factor keeps it positive definite. The bias depends on the matrix by C M⁻¹ with the covariance M of the matrix and C of
  /// both.
  mutating func start(with learned: LearnedSensor) {
    var scaled = InlineArray<12, InlineArray<12, Double>>(repeating: .init(repeating: 0))
    var factors = InlineArray<12, Double>(repeating: 1)
    for i in 0..<12 { factors[i] = min(1, (Double(sensorCovariance(i, i)) / learned[i, i]).squareRoot()) }
    for i in 0..<12 {
      for j in 0..<12 { scaled[i][j] = learned[i, j] * factors[i] * factors[j] }
    }
    var matrix = CholeskyFactor<9>.Matrix(repeating: .init(repeating: 0))
    for i in 0..<9 {
      for j in 0..<9 { matrix[i][j] = scaled[3 + i][3 + j] }
    }
    guard let factor = CholeskyFactor(matrix, smallestPivot: Constant.smallestPivot) else { return }
    for i in 0..<9 {
      for j in 0..<9 { shared.covariance[i][j] = Float(matrix[i][j]) }
    }
    var model = models[0]
    for i in 0..<3 {
      var both = CholeskyFactor<9>.Vector(repeating: 0)
      for j in 0..<9 { both[j] = scaled[i][3 + j] }
      let row = factor.solve(both)
      for j in 0..<9 { model.dependence[ErrorIndex.bias + i][j] = Float(row[j]) }
      for k in 0..<3 {
        var left = scaled[i][k]
        for j in 0..<9 { left -= row[j] * scaled[3 + j][k] }
        model.covariance[ErrorIndex.bias + i][ErrorIndex.bias + k] = Float(left)
      }
    }
    for k in 0..<Self.count {
      (models[k].covariance, models[k].dependence) = (model.covariance, model.dependence)
    }
  }
}
