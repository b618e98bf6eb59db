// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The heading: how the world of the attitude has to turn about the vertical so that the field points north.
///
/// Five models of the field differ in how strong the device's own iron can be (small, medium, strong), in whether it
/// has just jumped, as when a magnet is put on, and in whether the field is disturbed. Their probabilities follow from
/// how well each predicts the readings; iron jumps rarely and then stays, a disturbance comes and goes. What a model
/// does not explain is its noise, so that a field in another direction weighs little, and a doubt about the heading,
/// which is stated. Documentation/Filter.md 8.
package struct HeadingFilter: Sendable {
  private var models: InlineArray<5, FieldModel>
  /// The turn about the vertical that leads the attitude's world to east-north-up, rad.
  private(set) var angle: Float = 0
  /// Whether that is known; its variance, rad², with the doubt that disturbances leave.
  private(set) var isKnown = false
  /// False while the field jumps about by more than what a known heading allows.
  private var isCalm = true
  /// Whether the source removes the iron itself, so that the first field is the earth's: nothing disturbs that.
  private let isCalibrated: Bool
  private var hasField = false
  private(set) var statedVariance = Constant.unknownAzimuthVariance
  /// The hard iron that was known before, T: it is taken off the readings.
  private(set) var knownHardIron: Vector3<Device> = .zero
  /// Mean square of what no model explains, per axis, relative to ``Constant/Field/unit``, and the same without what large
  /// disturbances have in it; the mean of the turn, rad.
  private var disturbance: Float = 0, spread: Float = 0, meanTurn: Float = 0
  /// The mean of the models.
  private var mean = FieldModel.State.zero
  /// What the latest block has shown of the iron.
  private(set) var calibration = MagnetometerCalibration.none

  /// `calibration`: of an earlier run; `isCalibrated`: the source has removed the iron itself; `delay`: as known, s, with
  /// its variance, s².
  init(calibration: MagnetometerCalibration?, isCalibrated: Bool, delay: Float, delayVariance: Float) {
    typealias C = Constant.Field
    self.isCalibrated = isCalibrated
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
    mean[FieldModel.delay] = delay
    let other = 0.5 * (1 - weight)
    func model(_ weight: Float, _ iron: Float) -> FieldModel {
      FieldModel(weight: weight, hardIron: iron, delay: delay, delayVariance: delayVariance)
    }
    models = [
      model(weight, small), model(other, C.mediumIron), model(other, C.strongIron), model(0, C.strongIron),
      model(0, small),
    ]
  }

  // The first three: small, medium and strong iron.
  private static var medium: Int { 1 }
  private static var jumped: Int { 3 }
  private static var disturbed: Int { 4 }
  private static var count: Int { 5 }

  /// The random walk of a model's iron, per √s.
  private static func walk(_ model: Int) -> Float {
    model == jumped ? Constant.Field.jumpedWalk : Constant.Field.ironWalk
  }

  /// Returns the turn of the attitude that fits the block's field, rad, and its variance without that of the azimuth.
  mutating func update(_ block: borrowing FieldModel.Block) -> (turn: Float, variance: Float) {
    typealias C = Constant.Field
    transition(time: block.time)
    var models = models.mutableSpan
    var turns = InlineArray<5, Float>(repeating: 0)
    var tilted: Float = 0
    for k in 0..<Self.count { tilted += models[k].weight * models[k].tiltNoise(block) }
    var (turn, variance, least) = (Float(0), Float(0), Float.infinity)
    let isFirst = isCalibrated && !hasField
    hasField = true
    for k in 0..<Self.count {
      models[k].predict(block, ironWalk: Self.walk(k), forgetsField: !isKnown && !isCalm)
      let disturbance = isFirst ? 0 : models[k].unexplained(block)
      least = min(least, disturbance)
      let isDisturbed = k == Self.disturbed
      let noise =
        (C.noiseVariance * (isDisturbed ? C.disturbedNoise : 1) + tilted
          + C.disturbanceTime * disturbance * (isDisturbed ? C.disturbedShare : 1)) / block.time
      let (t, v) = models[k].turn(block, noise: noise)
      turns[k] = t
      turn += models[k].weight * t
      variance += models[k].weight * v
      models[k].measure(block, noise: noise)
    }
    for k in 0..<Self.count { variance += models[k].weight * (turns[k] - turn) * (turns[k] - turn) }
    let share = min(1, block.time / C.spreadTime)
    disturbance += (least / 3 - disturbance) * share
    spread += (min(least / 3, C.largestSpread) - spread) * share
    meanTurn += (turn - meanTurn) * min(1, block.time)
    Self.weigh(&models)
    state()
    return (turn, variance)
  }

  /// Iron jumps, rarely, and then it is of medium strength: what was small before is not known to be small any more. The
  /// field is disturbed for a while.
  private mutating func transition(time: Float) {
    typealias C = Constant.Field
    let before = models
    let calm = before[0].weight + before[1].weight + before[2].weight
    for k in 0..<3 {
      let weight = before[k].weight
      flow(from: k, before[k], to: Self.jumped, C.jumpRate * time * weight, jump: C.strongIron)
      flow(from: k, before[k], to: Self.disturbed, C.disturbedRate * time * weight)
      let back = C.calmRate * time * before[Self.disturbed].weight * weight / max(calm, C.leastWeight)
      flow(from: Self.disturbed, before[Self.disturbed], to: k, back)
    }
    flow(
      from: Self.jumped, before[Self.jumped], to: Self.medium, C.stayRate * time * before[Self.jumped].weight)
  }

  /// So much of the probability of a model, as it was, becomes another's.
  private mutating func flow(
    from k: Int, _ model: borrowing FieldModel, to other: Int, _ weight: Float, jump: Float = 0
  ) {
    guard weight > 0 else { return }
    models[k].weight -= weight
    models[other].weight += weight
    models[other].mix(model, share: weight / models[other].weight, jump: jump)
  }

  private static func weigh(_ models: inout MutableSpan<FieldModel>) {
    var (largest, sum) = (-Float.infinity, Float(0))
    for k in 0..<count { largest = max(largest, models[k].logLikelihood) }
    for k in 0..<count {
      models[k].weight *= Approximate.exp(models[k].logLikelihood - largest)
      sum += models[k].weight
    }
    for k in 0..<count { models[k].weight = max(models[k].weight / sum, Constant.Field.leastWeight) }
  }

  /// The mean direction of the models' fields, the spread about it, and the iron.
  private mutating func state() {
    typealias C = Constant.Field
    let models = models.span
    var (east, north, square, strength) = (Float(0), Float(0), Float(0), Float(0))
    mean = .zero
    for k in 0..<Self.count {
      let (w, s) = (models[k].weight, models[k].state)
      let horizontal = s[0] * s[0] + s[1] * s[1]
      east += w * s[0] / max(horizontal, C.tiny).squareRoot()
      north += w * s[1] / max(horizontal, C.tiny).squareRoot()
      square += w * horizontal
      strength += w * (horizontal + s[2] * s[2]).squareRoot()
      mean += s * w
    }
    let length = max(east * east + north * north, C.tiny).squareRoot()
    var (variance, ironVariance) = (Float(0), Float(0))
    for k in 0..<Self.count {
      let (w, s) = (models[k].weight, models[k].state)
      let own = models[k].direction()
      let scale = max(own.square, C.tiny).squareRoot() * length
      let (sine, cosine) = ((s[0] * north - s[1] * east) / scale, (s[0] * east + s[1] * north) / scale)
      variance += w * (own.variance + (cosine > 0 ? sine * sine : C.oppositeVariance))
      let d = s - mean
      ironVariance += w * (models[k].ironVariance + (d[4] * d[4] + d[5] * d[5] + d[6] * d[6]) / 3)
    }
    angle = Float(Scalar.atan2(Real(east), Real(north)))
    // A field that is too weak or too strong for the earth's points anywhere.
    let isEarths = strength > C.weakest && strength < C.strongest
    square = max(square, C.leastStatedSquare)
    let stated = variance + C.statedSpread * spread / square
    // While the field jumps about, no direction of it is north.
    let doubt = C.statedSpread * disturbance / square
    isCalm = doubt < C.knownVariance
    if variance + doubt < C.knownVariance, isEarths { isKnown = true }
    if variance > C.lostVariance { isKnown = false }
    statedVariance = isEarths ? min(stated, Constant.unknownAzimuthVariance) : Constant.unknownAzimuthVariance
    calibration.hardIron =
      knownHardIron + hardIron * Double(C.unit)
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
    var variance: Float = 0
    for k in 0..<Self.count {
      let d = models[k].state[FieldModel.delay] - mean[FieldModel.delay]
      variance += models[k].weight * (models[k].delayVariance + d * d)
    }
    return (mean[FieldModel.delay], variance)
  }

  private var hardIron: Vector3<Device> { Vector3(x: Double(mean[4]), y: Double(mean[5]), z: Double(mean[6])) }

  /// The iron in the readings, the variance that the models assume before anything is read, and the mean random
  /// walk, 1/s; relative.
  func iron() -> (value: Vector3<Device>, prior: Float, drift: Float) {
    var (drift, information) = (Float(0), Float(0))
    for k in 0..<Self.count {
      drift += models[k].weight * Self.walk(k) * Self.walk(k)
      information += models[k].weight / models[k].ironPrior
    }
    return (hardIron, 1 / information, drift)
  }

  /// Nothing is known of the field: the azimuth of the attitude counts from elsewhere now. Nor of the iron, where the
  /// attitude that it was learned with was wrong.
  mutating func reset(forgetsIron: Bool = false) {
    for k in 0..<Self.count {
      models[k].resetField()
      if forgetsIron { models[k].resetIron() }
    }
    (isKnown, statedVariance) = (false, Constant.unknownAzimuthVariance)
    (disturbance, spread, meanTurn, isCalm) = (0, 0, 0, true)
    hasField = false
  }
}
