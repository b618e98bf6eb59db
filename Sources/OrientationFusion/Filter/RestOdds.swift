// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The odds that the device is still, from the means and the spreads of each block.
///
/// At rest rate and force stay where they are, and neighbouring readings differ by the noise of the sensors only. How far
/// a block is from that, in standard deviations, moves the logarithm of the odds: upwards by little, because blocks of a
/// slow motion look alike; downwards by much, because one push is enough. Whether what the gyroscope reads meanwhile is
/// its bias or a steady turn, ``MotionModel/measureRest(_:_:)`` decides. Documentation/Filter.md 7.
struct RestOdds: Sendable {
  /// The logarithm of the odds, −5…5.
  private var logOdds: Float = -Constant.Rest.largestLogOdds
  /// Means over the stillness, and its blocks: up to ``Constant/Rest/longestMean``.
  private var meanRate: RealVector<Device> = .zero, meanForce: RealVector<Device> = .zero
  private var count: Real = 0
  /// The blocks of that mean of a second.
  var recentCount: Real { min(count, Constant.Rest.blocksOfSecond) }
  /// The gyroscope's mean reading over the stillness, rad/s.
  var rate: RealVector<Device> { meanRate }
  /// Seconds of stillness.
  private(set) var stillTime: Real = 0
  /// A mean of the rate over a second, where that was when it last moved, and the seconds since then: a bias stays, the
  /// slow onset of a turn does not.
  private(set) var recentRate: RealVector<Device> = .zero
  private var steadyRate: RealVector<Device> = .zero
  private(set) var steadyTime: Real = 0
  /// The probability of rest; 0 where it is not worth using, and in a block that speaks against it.
  private(set) var probability: Float = 0

  /// What the readings of a block amount to: means and mean squared distances from them.
  struct Block {
    var rate: RealVector<Device>, rateSpread: Real
    var force: RealVector<Device>
    var time: Real
  }

  mutating func update(_ block: borrowing Block) {
    if count == 0 { begin(block) }
    typealias C = Constant.Rest
    let (rate, force) = (block.rate - meanRate, block.force - meanForce)
    let weight = count / (count + 1)
    let distance =
      weight * (rate.dot(rate) / C.squaredRateStep + force.dot(force) / C.squaredForceStep)
      + block.rateSpread / C.squaredRateSpread
    let rise = C.rise * Float(block.time)
    let change = min(rise, C.riseAtNoDistance * rise - C.slope * Float(distance))
    logOdds = max(-C.largestLogOdds, min(C.largestLogOdds, logOdds + change))
    if logOdds <= C.logOddsOfMotion {
      begin(block)
    } else {
      count = min(count + 1, C.longestMean)
      meanRate += (block.rate - meanRate) / count
      meanForce += (block.force - meanForce) / count
      stillTime += block.time
    }
    updateSteadiness(block)
    probability = 1 / (1 + Approximate.exp(-logOdds))
    if probability < C.leastProbability || change < 0 { probability = 0 }
  }

  private mutating func begin(_ block: borrowing Block) {
    (meanRate, meanForce, count, stillTime) = (block.rate, block.force, 1, 0)
  }

  private mutating func updateSteadiness(_ block: borrowing Block) {
    let share = count <= 1 ? 1 : min(1, max(block.time, 1 / count))
    recentRate += (block.rate - recentRate) * share
    let change = recentRate - steadyRate
    let largest = max(abs(change.x), abs(change.y), abs(change.z))
    steadyTime += block.time
    if count <= 1 || largest > Constant.Rest.steadyRate { (steadyRate, steadyTime) = (recentRate, 0) }
  }
}

extension MotionModel {
  /// What a rest says of the gyroscope.
  struct Rest {
    /// The rate that is left, rad/s in the world, if the nominal errors are right: of the block, and of the latest second;
    /// their variances, (rad/s)², before the tilt of a turn.
    var rate: SIMD3<Float>, recentRate: SIMD3<Float>
    var variance: Float, recentVariance: Float
    /// The mean reading, rad/s in the device.
    var reading: SIMD3<Float>
    /// The axes of the world in the device: rows.
    var axes = InlineArray<3, SIMD3<Float>>(repeating: .zero)
    /// The probability of stillness; its seconds, those for which the rate has been steady, those since levelling.
    var probability: Float, stillTime: Float, steadyTime: Float, age: Float
    /// Whether a rest has measured the bias before.
    var knowsBias: Bool
  }

  /// At rest the gyroscope reads its bias, 0 = (1 + M) reading − b, unless it turns steadily; returns the probability of
  /// that bias.
  ///
  /// Three explanations compete, about all axes together: the bias that is known; another one, because it has jumped or was
  /// never known; a turn. A device turns about the vertical at any rate, and about other axes only as far as it is held
  /// askew, and less the longer gravity has stood still in it. A turn seldom stays constant for long: so time speaks for the
  /// bias. The measurement counts by its probability (Bar-Shalom and Tse, "Tracking in a cluttered environment with
  /// probabilistic data association", Automatica 11(5), 1975).
  mutating func measureRest(_ rest: borrowing Rest, _ shared: inout SharedErrors) -> Float {
    let tilt = rest.rate.z * rest.rate.z * 0.5 * (covariance[0][0] + covariance[1][1])
    var rows = InlineArray<3, Measurement>(repeating: Measurement())
    for axis in 0..<3 { rows[unchecked: axis] = equation(rest, axis, tilt: tilt, &shared) }
    let (isBias, jumps) = decide(rest, rows)
    let p = rest.probability * isBias
    guard isBias > 0.5 else { return isBias }
    for axis in 0..<3 {
      if jumps[axis] > 0 { addJump(jumps[axis], axis, rest) }
      var row = equation(rest, axis, tilt: tilt, &shared)
      let z = row.innovation
      row.probability = p
      row.certainty = p - p * (1 - p) * min(z * z, 4 * row.total) / row.total
      guard row.certainty > 0 else { continue }
      correct(row, gain: gain(row, &shared), &shared, learns: false)
    }
    return isBias
  }

  private mutating func equation(
    _ rest: borrowing Rest, _ axis: Int, tilt: Float, _ shared: inout SharedErrors
  ) -> Measurement {
    let r = rest.axes[axis]
    var row = Measurement()
    row.innovation = -rest.rate[axis]
    row.variance = rest.variance + (axis < 2 ? tilt : 0)
    for i in 0..<3 {
      let b = ErrorIndex.bias + i
      row.product.add(covariance[b], times: -r[i])
      row.shared.add(dependence[b], times: -r[i])
      for j in 0..<3 { row.shared[SharedIndex.matrix + 3 * i + j] += r[i] * rest.reading[j] }
      row.innovation += r[i] * deviation[b]
    }
    for i in 0..<3 { row.variance -= r[i] * row.product[ErrorIndex.bias + i] }
    row.complete(&shared)
    return row
  }

  /// The probability that the rate is the bias, and by which variance that has jumped about each axis of the world.
  private mutating func decide(
    _ rest: borrowing Rest, _ rows: borrowing InlineArray<3, Measurement>
  ) -> (isBias: Float, jumps: SIMD3<Float>) {
    typealias C = Constant.Rest
    let (most, askew) = (C.largestVote * max(1, rest.steadyTime), C.askewRate / max(1, rest.steadyTime))
    var (known, another, jumps) = (Float(0), C.logOfAnother, SIMD3<Float>.zero)
    for axis in 0..<3 {
      let z = rows[axis].innovation + rest.rate[axis] - rest.recentRate[axis]
      let variance = rows[axis].total + rest.recentVariance - rest.variance
      func likelihood(_ v: Float) -> Float { -0.5 * (Approximate.log(v) + z * z / v) }
      let same = likelihood(variance)
      let other = max(same, likelihood(variance + C.squaredUnknownBias))
      if other > same, rest.knowsBias || C.logOfUnknown + other > same { jumps[axis] = z * z - variance }
      guard rest.knowsBias else { continue }
      let turn = likelihood(variance + (axis == 2 ? C.squaredTurn : askew * askew))
      known += axis == 2 ? same - turn : min(same - turn, most)
      another += axis == 2 ? other - turn : min(other - turn, most)
    }
    guard rest.knowsBias else {
      return (1 / (1 + Approximate.exp(-C.firstLogOdds - Self.firstLogOdds(rest))), jumps)
    }
    if known >= another { jumps = .zero }
    let logOdds = C.priorLogOdds + min(C.largestPatience, C.patience * rest.steadyTime) + max(known, another)
    return (1 / (1 + Approximate.exp(-logOdds)), jumps)
  }

  /// Before a bias is known: most gyroscopes have a small one about each axis of the *device*, some a large one about any
  /// axis, some about all. A turn is about the vertical of the *world*; that a bias should have that axis is a coincidence.
  private static func firstLogOdds(_ rest: borrowing Rest) -> Float {
    typealias C = Constant.Rest
    func normal(_ rate: Float, _ variance: Float) -> Float {
      -0.5 * (Approximate.log(variance) + rate * rate / variance)
    }
    func poor(_ rate: Float) -> Float { normal(rate, C.squaredPoorBias) }
    func one(_ rate: Float) -> Float { max(normal(rate, C.squaredUsualBias), C.logOfUnknown + poor(rate)) }
    // As read: once a part of the bias is known, the rest of it looks less like one.
    let r = rest.reading
    let w = SIMD3((rest.axes[0] * r).sum(), (rest.axes[1] * r).sum(), (rest.axes[2] * r).sum())
    let bias = max(one(r.x) + one(r.y) + one(r.z), C.logOfUnknown + poor(r.x) + poor(r.y) + poor(r.z))
    let turn = max(one(w.x) + one(w.y), C.logOfUnknown + poor(w.x) + poor(w.y)) + normal(w.z, C.squaredTurn)
    return bias - turn
  }

  /// A bias that has jumped about an axis of the world since the stillness began, by a rate of the variance `square`, has
  /// turned the attitude since: what is measured of it later comes back to the attitude.
  private mutating func addJump(_ square: Float, _ axis: Int, _ rest: borrowing Rest) {
    var error = ErrorVector()
    for i in 0..<3 { error[ErrorIndex.bias + i] = -rest.axes[axis][i] }
    error[axis] = rest.knowsBias ? rest.stillTime : rest.age
    covariance.add(outer: error, error, weight: square)
  }
}
