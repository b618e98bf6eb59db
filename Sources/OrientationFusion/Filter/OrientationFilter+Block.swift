// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The end of a block: the models predict and correct, and what they find moves the attitude (Documentation/Filter.md 5 to
// 7).
extension OrientationFilter {
  mutating func closeBlock() {
    guard state.sums.duration > 0, state.pose.isKnown else { return }
    state.sums.endSegment(at: state.axes)
    // The samples do not restore its length.
    state.pose.quaternion.normalize()
    let before = state.pose.quaternion
    if state.keepsBlocks { recordSums() }
    state.axes = before.axes
    let (still, isOneStep) = (state.sums.still(), state.sums.isOneStep)
    if let still { state.rest.update(still) }
    state.bank.transition(after: Float(state.sums.duration), isStill: state.rest.probability > 0)
    state.bank.widenMatrix(squaredBias: Float(state.bias.dot(state.bias)))
    let block = modelBlock()
    let hasForce = state.sums.velocityDuration > Constant.leastForceShare * state.sums.duration
    correct(block, hasForce: hasForce, still: still)
    measureField()
    let turn = applyMean()
    if hasForce { lookUp(turn) }
    if state.keepsBlocks { finishRecord() }
    state.age += state.sums.duration
    let (had, turned) = (state.pose.hasHeading, state.pose.turnToNorth)
    state.updateHeading(usesMagnetometer: usesMagnetometer)
    state.axes = state.pose.quaternion.axes
    state.beginBlock()
    let correction = state.pose.north.turned(state.pose.quaternion.turn(from: before) as RealVector<EastNorthUp>)
    // The first heading takes effect at once, and so does all where no sample is between two corrections.
    guard !isOneStep else { return state.pose.rate = state.corrected(RealVector(state.rawRate)).simd }
    let swing = had && state.pose.hasHeading ? wrapped(state.pose.turnToNorth - turned) : 0
    state.pose.latestCorrection = correction.simd + Real4(0, 0, swing)
    state.pose.rate = state.corrected(RealVector(state.rawRate)).simd
  }

  /// The block as the models see it.
  private mutating func modelBlock() -> MotionModel.Block {
    let time = Float(state.sums.duration)
    let covered = Float(state.sums.velocityDuration)
    let scale = covered > 0 ? time / covered : 0
    let attitude =
      coefficients.gyroscopeVariance * state.sums.duration
      + coefficients.gyroscopeRelativeVariance * state.sums.squaredRate + state.sums.extraVariance
    if covered > 0 {
      var acceleration = RealVector<EastNorthUp>(state.sums.velocity / state.sums.velocityDuration)
      acceleration.z -= Real(standardGravity)
      state.hand.addAcceleration(Float(acceleration.dot(acceleration)), time: time)
    }
    let corrected = state.corrected(RealVector<Device>(state.rawRate))
    let rate = state.axes * corrected
    state.hand.addRate(corrected, tilting: Float(rate.x * rate.x + rate.y * rate.y), time: time)
    let half = Quaternion(turn: RealVector<EastNorthUp>(x: 0, y: 0, z: rate.z * state.sums.duration))
    var block = MotionModel.Block(
      time: time, attitudeVariance: Float(attitude), biasVariance: coefficients.biasDriftVariance * time,
      cosine: Float(half.w * half.w - half.z * half.z), sine: Float(2 * half.w * half.z),
      velocity: SIMD2(Float(state.sums.velocity.x), Float(state.sums.velocity.y)) * scale,
      velocityNoise: time * time
        * Float(state.sums.meanForceVariance(squaredAcceleration: Real(state.hand.squaredAcceleration))),
      kept: 1 - Float(SampleTime.share(of: state.sums.duration, constant: Real(Constant.Hand.time))),
      handVariance: state.hand.variance(coefficients), leverAcceleration: state.hand.leverAcceleration,
      up: SIMD3(Float(state.axes.x.z), Float(state.axes.y.z), Float(state.axes.z.z)))
    for i in 0..<3 {
      for j in 0..<3 { block.bias[i][j] = Float(state.sums.sensitivity[12 * i + j]) }
      for j in 0..<9 { block.matrix[i][j] = Float(state.sums.sensitivity[12 * i + 3 + j]) }
    }
    return block
  }

  private mutating func correct(_ block: borrowing MotionModel.Block, hasForce: Bool, still: RestOdds.Block?) {
    let rest = still.flatMap { state.rest.probability > 0 ? restBlock($0) : nil }
    let isBias = state.bank.update(block, hasForce: hasForce, rest: rest)
    state.isAtRest = state.rest.probability * isBias > Constant.Rest.leastProbability
    if state.isAtRest { noteKnownBias() }
    if hasForce {
      let a = ErrorIndex.acceleration
      let vehicle = SIMD2(state.bank.mean { $0.deviation[a] }, state.bank.mean { $0.deviation[a + 1] })
      state.hand.update(
        squaredPush: state.bank.mean { $0.squaredPush }, velocity: block.velocity - vehicle * block.time,
        kept: block.kept, time: block.time)
    }
  }

  /// What a rest says of the gyroscope, if the nominal errors are right.
  private mutating func restBlock(_ still: borrowing RestOdds.Block) -> MotionModel.Rest {
    func short(_ v: Real4) -> SIMD3<Float> { SIMD3(Float(v.x), Float(v.y), Float(v.z)) }
    let variance = coefficients.restRateVariance / Float(still.time)
    var rest = MotionModel.Rest(
      rate: short(state.axes * state.corrected(still.rate)),
      recentRate: short(state.axes * state.corrected(state.rest.recentRate)), variance: variance,
      recentVariance: variance / Float(state.rest.recentCount),
      reading: SIMD3(Float(still.rate.x), Float(still.rate.y), Float(still.rate.z)),
      probability: state.rest.probability, stillTime: Float(state.rest.stillTime),
      steadyTime: Float(state.rest.steadyTime), age: Float(state.age), knowsBias: state.knowsBias)
    let (x, y, z) = (state.axes.x, state.axes.y, state.axes.z)
    for i in 0..<3 { rest.axes[i] = SIMD3(Float(x[i]), Float(y[i]), Float(z[i])) }
    return rest
  }

  private mutating func noteKnownBias() {
    guard !state.knowsBias else { return }
    var variance: Float = 0
    for i in ErrorIndex.bias..<ErrorIndex.velocity { variance += state.bank.models[0].covariance[i][i] }
    state.knowsBias = variance < Constant.knownBiasVariance
  }

  /// The mean deviation moves to the nominal; returns the turn of the attitude.
  private mutating func applyMean() -> RealVector<EastNorthUp> {
    let mean = state.bank.takeMean(time: Float(state.sums.duration))
    let turn = RealVector<EastNorthUp>(x: Real(mean[0]), y: Real(mean[1]), z: Real(mean[2]))
    state.pose.quaternion = Quaternion(turn: turn) * state.pose.quaternion
    let (b, m) = (ErrorIndex.bias, state.bank.shared.correction)
    state.bias += RealVector(x: Real(mean[b]), y: Real(mean[b + 1]), z: Real(mean[b + 2]))
    state.matrix =
      state.matrix
      + RealMatrix(
        Real(m[0]), Real(m[1]), Real(m[2]), Real(m[3]), Real(m[4]), Real(m[5]), Real(m[6]), Real(m[7]), Real(m[8]))
    return turn
  }

  /// Adds the force to its mean, and levels once more where that contradicts the first levelling.
  private mutating func lookUp(_ turn: RealVector<EastNorthUp>) {
    let force = RealVector<EastNorthUp>(state.sums.velocity / state.sums.velocityDuration)
    let level = RealVector<EastNorthUp>(x: turn.x, y: turn.y, z: 0)
    state.up.add(force + level.cross(force), time: state.sums.duration, turn: level)
    learnOffset()
    doubtInclination()
    guard state.up.contradictsLevelling, let attitude = state.attitude,
      let correction = Rotation<EastNorthUp, EastNorthUp>(levelling: Vector3(state.up.mean))
    else { return }
    state.attitude = correction * attitude
    state.bank.resetInclination(variance: Constant.levellingVariance)
    let angle = Float(correction.angle)
    state.bank.add(angle * angle, to: ErrorIndex.azimuth, largest: Constant.unknownAzimuthVariance)
    state.hand.reset()
    state.heading.reset()
    state.up.stand()
  }

  /// The mean specific force is as long as gravity, but for the offset of the accelerometer and for what has lasted. One
  /// direction shows one part of it only: so its scale rises soon and falls slowly.
  private mutating func learnOffset() {
    guard state.up.age >= Constant.leanTime else { return }
    let error = state.up.mean.dot(state.up.mean).squareRoot() - Real(standardGravity)
    let square = min(Float(error * error), Constant.largestOffsetVariance)
    let memory = square > state.offsetVariance ? Constant.offsetRise : Constant.offsetFall
    state.offsetVariance += Float(state.sums.duration) / memory * (square - state.offsetVariance)
  }

  /// The difference of two angles, −π…π.
  private func wrapped(_ angle: Real) -> Real {
    angle > .pi ? angle - 2 * .pi : angle < -.pi ? angle + 2 * .pi : angle
  }

  /// A lean of some seconds that no error explains, without the longer force of an acceleration (g / cos φ), on a device
  /// that is turned about: what counts as known is wrong. So no wrong state lasts, however sure it is.
  private mutating func doubtInclination() {
    let (square, length) = (Float(state.up.squaredLean), state.up.mean.dot(state.up.mean).squareRoot())
    let known = state.bank.ownCovariance(0) + state.bank.ownCovariance(1) + Constant.Doubt.squaredLean
    let longest = Real(standardGravity) * (1 + 0.25 * Real(square)) + Constant.Doubt.forceError
    let isWrong =
      square > 9 * known && length < longest && state.up.age >= Constant.leanTime
      && state.hand.squaredTiltingRate > Constant.Doubt.squaredRate
    let time = Float(state.sums.duration)
    state.doubtTime = max(0, state.doubtTime + (isWrong ? time : -time))
    guard state.doubtTime > Constant.Doubt.time else { return }
    state.doubtTime = 0
    state.bank.open(squaredTilt: square, squaredRate: square / Float(Constant.leanTime * Constant.leanTime))
    // What looked like motion meanwhile was none, and the field was seen from elsewhere.
    state.hand.reset()
    state.heading.reset(forgetsIron: true)
  }

  /// One number that is not finite makes the sum not finite.
  mutating func isFinite() -> Bool {
    let (b, m) = (state.bias, state.matrix)
    let sensor = (b.x + b.y + b.z) + (m.m11 + m.m12 + m.m13) + (m.m21 + m.m22 + m.m23) + (m.m31 + m.m32 + m.m33)
    return sensor.isFinite && state.heading.statedVariance.isFinite && state.heading.angle.isFinite
      && state.bank.isFinite()
  }
}
