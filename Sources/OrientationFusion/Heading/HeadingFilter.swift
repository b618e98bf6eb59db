// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The heading: how the world of the attitude has to turn about the vertical so that the field points north.
///
/// Three models of the field differ in how strong the device's own iron can be and in how it changes: hardly any, some, or
/// iron that has just jumped, as when a magnet is put on. Their probabilities follow from how well each predicts the
/// readings; iron jumps rarely, and then it stays. What none of them explains is a disturbance: a noise of its own size, so
/// that a field in another direction weighs little, and a doubt about the heading, which is stated.
/// Documentation/Filter.md 8.
package struct HeadingFilter: Sendable {
  private var models: InlineArray<3, FieldModel>
  /// The turn about the vertical that leads the attitude's world to east-north-up, rad.
  private(set) var angle: Float = 0
  /// Whether that is known; its variance, rad², with the doubt that disturbances leave.
  private(set) var isKnown = false
  private(set) var statedVariance = Constant.unknownAzimuthVariance
  /// The hard iron that was known before, T: it is taken off the readings.
  private(set) var knownHardIron: Vector3<Device> = .zero
  /// By how much the readings are later than the gyroscope's, s: what was known, and what is taken off them.
  let delay: Float
  /// Mean square of what no model explains, per axis, relative to ``Constant/Field/unit``, and mean of the turn, rad.
  private var spread: Float = 0, meanTurn: Float = 0
  /// Seconds for which the field has agreed with the models, and been another one.
  private var agreedTime: Float = 0, otherTime: Float = 0
  private var hasReading = false
  /// What the latest block has shown of the iron.
  private(set) var calibration = MagnetometerCalibration.none

  /// `calibration`: of an earlier run; `isCalibrated`: the source has removed the iron itself; `delay`: as known, s, with
  /// its variance, s².
  init(calibration: MagnetometerCalibration?, isCalibrated: Bool, delay: Float, delayVariance: Float) {
    typealias C = Constant.Field
    self.delay = delay
    var (small, weight) = (C.smallIron, C.smallWeight)
    if let calibration, calibration.isPlausible {
      self.calibration = calibration
      knownHardIron = calibration.hardIron
      small = max(small, Float(calibration.hardIronDeviation) / C.unit)
      weight = C.knownWeight
    }
    if isCalibrated {
      weight = C.knownWeight
      self.calibration.accuracy = .high
    }
    let other = 0.5 * (1 - weight)
    models = [
      FieldModel(weight: weight, hardIron: small, delayVariance: delayVariance),
      FieldModel(weight: other, hardIron: C.mediumIron, delayVariance: delayVariance),
      FieldModel(weight: other, hardIron: C.strongIron, delayVariance: delayVariance),
    ]
  }

  /// The place of a model, and the random walk of its iron, per √s.
  private static var jumped: Int { 2 }
  private static func walk(_ model: Int) -> Float {
    model == jumped ? Constant.Field.jumpedWalk : Constant.Field.ironWalk
  }

  /// Returns the turn of the attitude that fits the block's field, rad, and its variance without that of the azimuth.
  mutating func update(_ block: borrowing FieldModel.Block) -> (turn: Float, variance: Float) {
    typealias C = Constant.Field
    var disturbance = Float.infinity
    Self.transition(&models, time: block.time)
    for k in 0..<3 {
      models[k].predict(block, ironWalk: Self.walk(k))
      disturbance = min(disturbance, models[k].unexplained(block))
    }
    let noise = (C.noiseVariance + C.disturbanceTime * disturbance) / block.time
    follow(disturbance, time: block.time)
    spread += (min(disturbance / 3, C.largestSpread) - spread) * min(1, block.time / C.spreadTime)
    var models = models.mutableSpan

    var turns = InlineArray<3, Float>(repeating: 0)
    var (turn, variance) = (Float(0), Float(0))
    for k in 0..<3 {
      let (t, v) = models[k].turn(block, noise: noise)
      turns[k] = t
      turn += models[k].weight * t
      variance += models[k].weight * v
      models[k].measure(block, noise: noise)
    }
    for k in 0..<3 { variance += models[k].weight * (turns[k] - turn) * (turns[k] - turn) }
    meanTurn += (turn - meanTurn) * min(1, block.time)
    // The first block is what the models begin with: it says nothing about them.
    if hasReading { Self.weigh(&models) }
    hasReading = true
    state()
    return (turn, variance)
  }

  /// A field that has been another one for longer than the known one had agreed is the field now.
  private mutating func follow(_ disturbance: Float, time: Float) {
    typealias C = Constant.Field
    let isOther = disturbance > C.otherField
    agreedTime = isOther ? agreedTime : min(agreedTime + time, C.largestTrust)
    otherTime = max(0, otherTime + (isOther ? time : -2 * time))
    guard otherTime > C.patience + agreedTime else { return }
    for k in 0..<3 { models[k].resetField() }
    (agreedTime, otherTime) = (0, 0)
  }

  /// Iron jumps, rarely, and stays then.
  private static func transition(_ models: inout InlineArray<3, FieldModel>, time: Float) {
    let (rate, back) = (Constant.Field.jumpRate * time, Constant.Field.stayRate * time)
    let before = models[jumped]
    models[jumped].weight *= 1 - 2 * back
    for k in 0..<jumped {
      let (inflow, outflow) = (back * before.weight, rate * models[k].weight)
      let earlier = models[k]
      models[k].weight += inflow - outflow
      models[k].mix(before, share: inflow / models[k].weight)
      models[jumped].weight += outflow
      models[jumped].mix(earlier, share: outflow / models[jumped].weight)
    }
  }

  private static func weigh(_ models: inout MutableSpan<FieldModel>) {
    let largest = max(models[0].logLikelihood, models[1].logLikelihood, models[2].logLikelihood)
    var sum: Float = 0
    for k in 0..<3 {
      models[k].weight *= Approximate.exp(Constant.Field.power * (models[k].logLikelihood - largest))
      sum += models[k].weight
    }
    for k in 0..<3 { models[k].weight = max(models[k].weight / sum, Constant.Field.leastWeight) }
  }

  /// The mean direction of the models' fields, the spread about it, and the iron.
  private mutating func state() {
    typealias C = Constant.Field
    let models = models.span
    var (east, north, square, strength) = (Float(0), Float(0), Float(0), Float(0))
    var iron = FieldModel.State.zero
    for k in 0..<3 {
      let (w, s) = (models[k].weight, models[k].state)
      let horizontal = s[0] * s[0] + s[1] * s[1]
      east += w * s[0] / max(horizontal, C.tiny).squareRoot()
      north += w * s[1] / max(horizontal, C.tiny).squareRoot()
      square += w * horizontal
      strength += w * (horizontal + s[2] * s[2]).squareRoot()
      iron += s * w
    }
    let length = max(east * east + north * north, C.tiny).squareRoot()
    var (variance, ironVariance) = (Float(0), Float(0))
    for k in 0..<3 {
      let (w, s) = (models[k].weight, models[k].state)
      let own = models[k].direction()
      let scale = max(own.square, C.tiny).squareRoot() * length
      let (sine, cosine) = ((s[0] * north - s[1] * east) / scale, (s[0] * east + s[1] * north) / scale)
      variance += w * (own.variance + (cosine > 0 ? sine * sine : C.oppositeVariance))
      let d = s - iron
      ironVariance += w * (models[k].ironVariance + (d[4] * d[4] + d[5] * d[5] + d[6] * d[6]) / 3)
    }
    angle = Float(Scalar.atan2(Real(east), Real(north)))
    // A field that is too weak or too strong for the earth's points anywhere.
    let isEarths = strength > C.weakest && strength < C.strongest
    if variance < C.knownVariance, isEarths { isKnown = true }
    if variance > C.lostVariance { isKnown = false }
    statedVariance =
      isEarths
      ? min(variance + C.statedSpread * spread / max(square, C.leastStatedSquare), Constant.unknownAzimuthVariance)
      : Constant.unknownAzimuthVariance
    calibration.hardIron =
      knownHardIron + Vector3(x: Double(iron[4]), y: Double(iron[5]), z: Double(iron[6])) * Double(C.unit)
    calibration.fieldStrength = Double(strength * C.unit)
    calibration.hardIronDeviation = Double(ironVariance.squareRoot() * C.unit)
    let relative = ironVariance.squareRoot() / max(strength, C.leastStrength)
    calibration.accuracy =
      !isEarths || relative > C.lowError
      ? .uncalibrated : relative > C.mediumError ? .low : relative > C.highError ? .medium : .high
  }

  /// True while the field points elsewhere, by more than 15°.
  var isDisturbed: Bool { isKnown && abs(meanTurn) > Constant.Field.disturbanceAngle }

  /// The delay as the models know it, s, and its variance, s².
  func learnedDelay() -> (delay: Float, variance: Float) {
    var (mean, variance) = (Float(0), Float(0))
    for k in 0..<3 { mean += models[k].weight * models[k].state[FieldModel.delay] }
    for k in 0..<3 {
      let d = models[k].state[FieldModel.delay] - mean
      variance += models[k].weight * (models[k].delayVariance + d * d)
    }
    return (delay + mean, variance)
  }

  /// The iron in the readings, the variance that the likeliest model assumes before anything is read, and the mean random
  /// walk, 1/s; relative.
  func iron() -> (value: Vector3<Device>, prior: Float, drift: Float) {
    var (sum, drift, best) = (FieldModel.State.zero, Float(0), 0)
    for k in 0..<3 {
      sum += models[k].state * models[k].weight
      drift += models[k].weight * Self.walk(k) * Self.walk(k)
      if models[k].weight > models[best].weight { best = k }
    }
    return (
      Vector3(x: Double(sum[4]), y: Double(sum[5]), z: Double(sum[6])), models[best].ironPrior, drift
    )
  }

  /// Nothing is known of the field: the azimuth of the attitude counts from elsewhere now.
  mutating func reset() {
    for k in 0..<3 { models[k].resetField() }
    (isKnown, statedVariance, hasReading) = (false, Constant.unknownAzimuthVariance, false)
    (spread, meanTurn) = (0, 0)
  }
}
