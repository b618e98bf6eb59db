// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// One hypothesis of how the device moves, with what follows from it for the errors.
///
/// What the accelerometer measures besides gravity is motion. A hand moves the device to and fro: its velocity stays near
/// zero, so its acceleration is gone after a second. A vehicle keeps accelerating for half a minute. And a gyroscope whose
/// bias moves tilts the attitude, which looks like an acceleration, too. Which of the three it is, one block cannot say; so
/// the filter follows all three, each with its own probability (``MotionBank``). They differ in two numbers only.
///
/// Each model holds the *deviation* of the errors from the one nominal trajectory that the samples are integrated along,
/// and its covariance, so everything here is linear. Documentation/Filter.md 5.
struct MotionModel: Sendable {
  /// How the acceleration that lasts behaves, and how fast the bias moves.
  struct Kind: Sendable, BitwiseCopyable {
    /// Root mean square of that acceleration, m/s², and for how long it lasts, s.
    var acceleration, time: Float
    /// How many times its usual variance the bias walks.
    var biasWalk: Float
  }

  /// The deviation of each error from the nominal.
  var deviation = ErrorVector()
  var covariance = ErrorCovariance()
  /// The probability.
  var weight: Float = 0
  /// The logarithm of the likelihood of the forces since it was taken; and the mean square of the hand's latest push,
  /// (m/s)².
  private var logLikelihood: Float = 0
  private(set) var squaredPush: Float = 0

  mutating func takeLogLikelihood() -> Float {
    defer { logLikelihood = 0 }
    return logLikelihood
  }

  // MARK: Prediction

  /// What a block says to all models.
  struct Block {
    /// Seconds.
    var time: Float
    /// dθ/d(bias, matrix), a row per axis of the world.
    var sensitivity = InlineArray<3, SensorRow>(repeating: SensorRow())
    /// The variance that the gyroscope adds to the attitude, rad², and to the bias, (rad/s)².
    var attitudeVariance: Float, biasVariance: Float
    /// Cosine and sine of the turn about the vertical.
    var cosine: Float, sine: Float
    /// ∫ f dt, m/s, east and north, as if the accelerometer had covered the whole block; its noise, (m/s)².
    var velocity: SIMD2<Float>, velocityNoise: Float
    /// Its dependence on the offset of the accelerometer, ∫ R dt: the rows east and north, s.
    var rotation = InlineArray<2, Four>(repeating: .zero)
    /// What is left of the hand's velocity after the block, and its variance in the long run, (m/s)².
    var kept: Float, handVariance: Float
    /// The variance of an acceleration that a steady turn adds, (m/s²)².
    var leverAcceleration: Float

    /// The variance of the hand's push, by which its velocity changes within the block, (m/s)².
    var pushVariance: Float { handVariance * (1 - kept * kept) }
  }

  /// The errors at the block's end, but for the velocity: the force measures how that has changed.
  mutating func predict(_ block: borrowing Block, _ kind: Kind) {
    for i in 0..<3 { deviation[i] += block.sensitivity[i].dot(deviation) }
    covariance.turn(by: block.sensitivity)
    let a = ErrorIndex.acceleration
    let left = 1 - Float(SampleTime.share(of: Real(block.time), constant: Real(kind.time)))
    let (c, s) = (left * block.cosine, left * block.sine)
    (deviation[a], deviation[a + 1]) = (
      c * deviation[a] - s * deviation[a + 1], s * deviation[a] + c * deviation[a + 1]
    )
    covariance.fade(velocity: 1, cosine: c, sine: s)
    let strength = (kind.acceleration * kind.acceleration + block.leverAcceleration) * (1 - left * left)
    for i in 0..<2 { covariance.add(strength, to: a + i) }
    for i in 0..<3 {
      covariance.add(block.attitudeVariance, to: i)
      covariance.add(block.biasVariance * kind.biasWalk, to: ErrorIndex.bias + i)
    }
  }

  /// The velocity moves on: v = kept · v′ + push.
  private mutating func moveVelocity(_ block: borrowing Block) {
    covariance.fade(velocity: block.kept, cosine: 1, sine: 0)
    for i in ErrorIndex.velocity..<ErrorIndex.acceleration {
      deviation[i] *= block.kept
      covariance.add(block.pushVariance, to: i)
    }
  }

  // MARK: Force

  /// A block without a force.
  mutating func coast(_ block: borrowing Block) {
    moveVelocity(block)
    squaredPush = block.pushVariance
  }

  /// The force of a block: V = v − v′ + T a − g T θ + R̄ c + n.
  ///
  /// The lever of the inclination is g T, not the vertical part of V: that goes with the motion. Azimuth and offset of the
  /// accelerometer are considered, not estimated: of the first the force says nothing, and the acceleration at a lever
  /// arm, constant in the device, would pass for the second.
  mutating func measureForce(_ block: borrowing Block) {
    var equations = InlineArray<2, ForceEquation>(repeating: ForceEquation())
    for axis in 0..<2 { equations[axis] = ForceEquation(axis, block) }
    var rows = InlineArray<2, ErrorVector>(repeating: ErrorVector())
    for axis in 0..<2 { equations[axis].add(&covariance, to: &rows[axis]) }
    let push = block.pushVariance
    let first = equations[0].dot(rows[0]) + push + block.velocityNoise
    let common = equations[1].dot(rows[0])
    var second = equations[1].dot(rows[1]) + push + block.velocityNoise
    let z = block.velocity.x - equations[0].dot(deviation)
    var y = block.velocity.y - equations[1].dot(deviation)
    guard first > 0, first < .infinity else { return coast(block) }

    // Both equations are of the time before the velocity moves; the push of each axis is in its own.
    moveVelocity(block)
    let v = ErrorIndex.velocity
    for axis in 0..<2 {
      rows[axis][v] *= block.kept
      rows[axis][v + 1] *= block.kept
      rows[axis][v + axis] += push
    }
    rows[1].add(rows[0], times: -common / first)
    y -= common / first * z
    second -= common * common / first
    guard second > 0 else { return }
    correct(rows[0], innovation: z, variance: first)
    correct(rows[1], innovation: y, variance: second)
    logLikelihood -= 0.5 * (Approximate.log(first * second) + z * z / first + y * y / second)
    func square(_ z: Float, _ variance: Float) -> Float {
      let gain = push / variance
      return gain * gain * z * z + push * (1 - gain)
    }
    squaredPush = 0.5 * (square(z, first) + square(y, second))
  }

  /// The equation of one axis: its factors of the errors that it is about.
  private struct ForceEquation {
    private var axis = 0, tilt: Float = 0, lost: Float = 0, time: Float = 0, offset = Four.zero

    init() {}

    init(_ axis: Int, _ block: borrowing Block) {
      self.axis = axis
      let lever = Float(standardGravity) * block.time
      (tilt, lost, time) = (axis == 0 ? -lever : lever, block.kept - 1, block.time)
      offset = block.rotation[axis]
    }

    /// h P.
    func add(_ covariance: inout ErrorCovariance, to row: inout ErrorVector) {
      covariance.add(row: 1 - axis, times: tilt, to: &row)
      covariance.add(row: ErrorIndex.velocity + axis, times: lost, to: &row)
      covariance.add(row: ErrorIndex.acceleration + axis, times: time, to: &row)
      for i in 0..<3 { covariance.add(row: ErrorIndex.offset + i, times: offset[i], to: &row) }
    }

    /// h x.
    func dot(_ x: borrowing ErrorVector) -> Float {
      tilt * x[1 - axis] + lost * x[ErrorIndex.velocity + axis] + time * x[ErrorIndex.acceleration + axis]
        + (offset * x[group: ErrorIndex.offset >> 2]).sum()
    }
  }

  /// x ← x + K z without what is only considered; P ← P − K S Kᵀ + D S Dᵀ with D the part of K that is withheld (Schmidt,
  /// "Application of state-space methods to navigation problems", Advances in Control Systems 3, 1966).
  private mutating func correct(_ row: borrowing ErrorVector, innovation: Float, variance: Float) {
    covariance.add(outer: row, weight: -1 / variance)
    let doubt = 1 - Constant.Bank.believedBias
    var withheld = ErrorVector()
    withheld[ErrorIndex.azimuth] = row[ErrorIndex.azimuth]
    withheld[group: 1] = row[group: 1] * Four(doubt, doubt, doubt, 0)
    withheld[group: 5] = row[group: 5]
    covariance.add(outer: withheld, of: [0, 1, 5], weight: 1 / variance)
    let gain = innovation / variance
    deviation.add(row, times: gain)
    deviation.add(withheld, times: -gain)
  }

  // MARK: Azimuth

  /// The field has turned about the vertical: that is the error of the azimuth, and of the gyroscope behind it.
  mutating func measureAzimuth(_ turn: Float, variance: Float) {
    var row = ErrorVector()
    covariance.add(row: ErrorIndex.azimuth, times: 1, to: &row)
    let total = row[ErrorIndex.azimuth] + variance
    guard total > 0, total < .infinity else { return }
    covariance.add(outer: row, weight: -1 / total)
    var withheld = row
    withheld[ErrorIndex.azimuth] = 0
    for group in ErrorIndex.sensorGroups { withheld[group: group] = .zero }
    covariance.add(outer: withheld, weight: 1 / total)
    let gain = (turn - deviation[ErrorIndex.azimuth]) / total
    deviation.add(row, times: gain)
    deviation.add(withheld, times: -gain)
  }

  // MARK: Mixing

  /// Becomes the mixture of this model, with the probability 1 − `share`, and another.
  mutating func mix(_ other: inout MotionModel, share: Float) {
    guard share > 0 else { return }
    covariance.mix(&other.covariance, share: share)
    var difference = other.deviation
    difference.add(deviation, times: -1)
    covariance.add(outer: difference, weight: share * (1 - share))
    deviation.add(difference, times: share)
  }
}
