// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// One hypothesis of how the device moves, with what follows from it for the errors.
///
/// What the accelerometer measures besides gravity is motion. A hand moves the device to and fro: its velocity stays
/// near zero, so its acceleration is gone after a second. A vehicle keeps accelerating for half a minute. And a
/// gyroscope whose bias moves tilts the attitude, which looks like an acceleration, too. Which of the three it is, one
/// block cannot say; so the filter follows all three, each with its own probability (``MotionBank``). They differ in
/// three numbers only.
///
/// Each model holds the *deviation* of the errors from the one nominal trajectory that the samples are integrated
/// along, and its covariance, so everything here is linear. Documentation/Filter.md 5.
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
  /// The covariance of the errors if the shared ones were known, and how each depends on those.
  var covariance = InlineArray<10, ErrorVector>(repeating: ErrorVector())
  var dependence = InlineArray<10, ErrorVector>(repeating: ErrorVector())
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

  /// The error is what the variance says, and has nothing to do with any other.
  mutating func reset(_ index: Int, variance: Float) {
    covariance.reset(index, variance: variance)
    dependence[index] = ErrorVector()
    deviation[index] = 0
  }

  // MARK: Prediction

  /// What a block says to all models.
  struct Block {
    /// Seconds.
    var time: Float
    /// dθ/dbias and dθ/dmatrix, a row per axis of the world.
    var bias = InlineArray<3, Four>(repeating: .zero)
    var matrix = InlineArray<3, ErrorVector>(repeating: ErrorVector())
    /// The variance that the gyroscope adds to the attitude, rad², and to the bias, (rad/s)².
    var attitudeVariance: Float, biasVariance: Float
    /// Cosine and sine of the turn about the vertical.
    var cosine: Float, sine: Float
    /// ∫ f dt, m/s, east and north, as if the accelerometer had covered the whole block; its noise, (m/s)².
    var velocity: SIMD2<Float>, velocityNoise: Float
    /// What is left of the hand's velocity after the block, and its variance in the long run, (m/s)².
    var kept: Float, handVariance: Float
    /// The variance of an acceleration that a steady turn adds, (m/s²)².
    var leverAcceleration: Float
    /// The vertical of the world in the device.
    var up: SIMD3<Float>

    /// The variance of the hand's push, by which its velocity changes within the block, (m/s)².
    var pushVariance: Float { handVariance * (1 - kept * kept) }
  }

  /// The errors at the block's end, but for the velocity: the force measures how that has changed.
  mutating func predict(_ block: borrowing Block, _ kind: Kind) {
    turn(block)
    for i in 0..<3 {
      covariance[unchecked: i][i] += block.attitudeVariance
      covariance[unchecked: 3 + i][3 + i] += block.biasVariance * kind.biasWalk
    }
    let a = ErrorIndex.acceleration
    let left = 1 - Float(SampleTime.share(of: Real(block.time), constant: Real(kind.time)))
    turnAcceleration(cosine: left * block.cosine, sine: left * block.sine)
    let strength = (kind.acceleration * kind.acceleration + block.leverAcceleration) * (1 - left * left)
    for i in a..<a + 2 { covariance[unchecked: i][i] += strength }
  }

  /// θ ← θ + J b + J′ m with the bias b and the matrix m: P ← F P Fᵀ, in which the matrix is known.
  @inline(__always)
  private mutating func turn(_ block: borrowing Block) {
    let b = ErrorIndex.bias
    var x = InlineArray<3, ErrorVector>(repeating: ErrorVector())
    for i in 0..<3 {
      let j = block.bias[unchecked: i]
      for k in 0..<3 {
        deviation[i] += j[k] * deviation[b + k]
        dependence[unchecked: i].add(dependence[unchecked: b + k], times: j[k])
        x[unchecked: i].add(covariance[unchecked: b + k], times: j[k])
      }
      dependence[unchecked: i].add(block.matrix[unchecked: i], times: 1)
    }
    for i in 0..<3 {
      let row = x[unchecked: i]
      covariance[unchecked: i].add(row, times: 1)
      for k in 0..<3 {
        let j = block.bias[unchecked: k]
        covariance[unchecked: i][k] += x[unchecked: k][i] + row[b] * j.x + row[b + 1] * j.y + row[b + 2] * j.z
      }
    }
    for k in b..<ErrorIndex.count {
      covariance[unchecked: k][group: 0] += Four(x[unchecked: 0][k], x[unchecked: 1][k], x[unchecked: 2][k], 0)
    }
  }

  /// The acceleration turns with the device and fades.
  @inline(__always)
  private mutating func turnAcceleration(cosine c: Float, sine s: Float) {
    let a = ErrorIndex.acceleration
    (deviation[a], deviation[a + 1]) = (
      c * deviation[a] - s * deviation[a + 1], s * deviation[a] + c * deviation[a + 1]
    )
    for group in 0..<ErrorVector.groups {
      let (p, q) = (covariance[unchecked: a][group: group], covariance[unchecked: a + 1][group: group])
      covariance[unchecked: a][group: group] = p * c - q * s
      covariance[unchecked: a + 1][group: group] = p * s + q * c
      let (y, z) = (dependence[unchecked: a][group: group], dependence[unchecked: a + 1][group: group])
      dependence[unchecked: a][group: group] = y * c - z * s
      dependence[unchecked: a + 1][group: group] = y * s + z * c
    }
    for k in 0..<ErrorIndex.count {
      let last = covariance[unchecked: k][group: 2]
      covariance[unchecked: k][group: 2] = Four(c * last.x - s * last.y, s * last.x + c * last.y, 0, 0)
    }
  }

  /// The velocity moves on along one axis: v = kept · v′ + push.
  @inline(__always)
  private mutating func moveVelocity(_ block: borrowing Block, _ axis: Int) {
    let v = ErrorIndex.velocity + axis
    deviation[v] *= block.kept
    covariance[unchecked: v].scale(by: block.kept)
    dependence[unchecked: v].scale(by: block.kept)
    for k in 0..<ErrorIndex.count { covariance[unchecked: k][v] *= block.kept }
    covariance[unchecked: v][v] += block.pushVariance
  }

  // MARK: Force

  /// A block without a force.
  mutating func coast(_ block: borrowing Block) {
    for axis in 0..<2 { moveVelocity(block, axis) }
    squaredPush = block.pushVariance
  }

  /// The force of a block: V = v − v′ + T a − g T θ + R̄ c + n, axis by axis; each before its velocity moves.
  ///
  /// The lever of the inclination is g T, not the vertical part of V: that goes with the motion. Azimuth and offset of
  /// the accelerometer are considered, not estimated: of the first the force says nothing, and the acceleration at a
  /// lever arm, constant in the device, would pass for the second.
  mutating func measureForce(_ block: borrowing Block, _ shared: inout SharedErrors, learns: Bool) {
    squaredPush = 0
    let lever = Float(standardGravity) * block.time
    let push = block.pushVariance
    for axis in 0..<2 {
      let (theta, v, a) = (1 - axis, ErrorIndex.velocity + axis, ErrorIndex.acceleration + axis)
      let (tilt, lost) = (axis == 0 ? -lever : lever, block.kept - 1)
      var row = Measurement()
      row.product.add(covariance[unchecked: theta], times: tilt)
      row.product.add(covariance[unchecked: v], times: lost)
      row.product.add(covariance[unchecked: a], times: block.time)
      row.shared.add(dependence[unchecked: theta], times: tilt)
      row.shared.add(dependence[unchecked: v], times: lost)
      row.shared.add(dependence[unchecked: a], times: block.time)
      // dθ/dbias is −∫ R dt.
      for i in 0..<3 { row.shared[SharedIndex.offset + i] -= block.bias[unchecked: axis][i] }
      row.innovation =
        block.velocity[axis] - (tilt * deviation[theta] + lost * deviation[v] + block.time * deviation[a])
      row.variance =
        tilt * row.product[theta] + lost * row.product[v] + block.time * row.product[a] + push + block.velocityNoise
      moveVelocity(block, axis)
      row.product[v] = row.product[v] * block.kept + push
      row.complete(&shared)
      guard row.variance > 0, row.total < Constant.Bank.largestVariance else { continue }
      var gain = gain(row, &shared)
      gain[ErrorIndex.azimuth] = 0
      believe(&gain, up: block.up)
      correct(row, gain: gain, &shared, learns: learns)
      let (z, part) = (row.innovation, push / row.total)
      logLikelihood -= 0.5 * (Approximate.log(row.total) + z * z / row.total)
      squaredPush += 0.5 * (part * part * z * z + push * (1 - part))
    }
  }

  /// Of the bias' gain a part is used: neighbouring blocks err alike. About the vertical none is left at a fifth of a
  /// degree per second: the error of a swing is the same for minutes.
  @inline(__always)
  private mutating func believe(_ gain: inout ErrorVector, up: SIMD3<Float>) {
    let b = ErrorIndex.bias
    let vertical = up.x * gain[b] + up.y * gain[b + 1] + up.z * gain[b + 2]
    var variance: Float = 0
    for i in 0..<3 {
      let row = covariance[unchecked: b + i]
      variance += up[i] * (row[b] * up.x + row[b + 1] * up.y + row[b + 2] * up.z)
    }
    let withheld = vertical * min(1, Constant.Bank.verticalBiasVariance / max(variance, .leastNormalMagnitude))
    for i in 0..<3 { gain[b + i] = Constant.Bank.believedBias * (gain[b + i] - withheld * up[i]) }
  }

  // MARK: Measurement

  /// An equation about the errors: what is measured beyond the nominal, and what it has to do with each error.
  struct Measurement {
    /// h P with the row h of the errors; the row of the shared errors, and that times their covariance.
    var product = ErrorVector(), shared = ErrorVector(), sharedProduct = ErrorVector()
    var innovation: Float = 0
    /// Its variance if the shared errors were known; in total.
    var variance: Float = 0, total: Float = 0
    /// The probability that it is about these errors at all, and what of its information counts.
    var probability: Float = 1, certainty: Float = 1

    @inline(__always)
    mutating func complete(_ errors: inout SharedErrors) {
      sharedProduct = errors.product(shared)
      total = variance + shared.dot(sharedProduct)
    }
  }

  /// The gain if the matrix were known; the offset is only considered.
  @inline(__always)
  mutating func gain(_ row: borrowing Measurement, _ shared: inout SharedErrors) -> ErrorVector {
    let offsets = shared.offsets(row.shared)
    let scale = 1 / (row.variance + (offsets * row.shared[group: 2]).sum())
    var gain = row.product
    for k in 0..<ErrorIndex.count { gain[k] = (gain[k] + (dependence[unchecked: k][group: 2] * offsets).sum()) * scale }
    return gain
  }

  /// x ← x + K z, and the covariance for any gain K (Joseph's form). What the measurement says of the matrix, one model
  /// learns for all.
  @inline(__always)
  mutating func correct(
    _ row: borrowing Measurement, gain: borrowing ErrorVector, _ shared: inout SharedErrors, learns: Bool
  ) {
    var half = ErrorVector()
    for group in 0..<ErrorVector.groups {
      half[group: group] =
        (gain[group: group] * (0.5 * row.variance) - row.product[group: group]) * row.certainty
    }
    for i in 0..<ErrorIndex.count {
      covariance[unchecked: i].add(half, times: gain[i])
      covariance[unchecked: i].add(gain, times: half[i])
      dependence[unchecked: i].add(row.shared, times: -row.probability * gain[i])
    }
    deviation.add(gain, times: row.probability * row.innovation)
    guard learns else { return }
    let moved = shared.correct(row.sharedProduct, innovation: row.innovation, variance: row.total)
    follow(moved)
  }

  /// The matrix has moved: so do the errors that depend on it.
  @inline(__always)
  mutating func follow(_ correction: borrowing ErrorVector) {
    for k in 0..<ErrorIndex.count { deviation[k] += dependence[unchecked: k].dot(correction) }
  }

  /// The field has turned about the vertical: that is the error of the azimuth, and of the gyroscope behind it.
  mutating func measureAzimuth(_ turn: Float, variance: Float, _ shared: inout SharedErrors, learns: Bool) {
    var row = Measurement()
    row.product = covariance[ErrorIndex.azimuth]
    row.shared = dependence[ErrorIndex.azimuth]
    row.innovation = turn - deviation[ErrorIndex.azimuth]
    row.variance = row.product[ErrorIndex.azimuth] + variance
    row.complete(&shared)
    guard row.variance > 0, row.total < .infinity else { return }
    var gain = gain(row, &shared)
    for i in 0..<ErrorIndex.azimuth { gain[i] = 0 }
    for i in ErrorIndex.velocity..<ErrorIndex.count { gain[i] = 0 }
    correct(row, gain: gain, &shared, learns: learns)
  }

  // MARK: Mixing

  /// Becomes the mixture of this model, with the probability 1 − `share`, and another.
  mutating func mix(_ other: borrowing MotionModel, share: Float) {
    guard share > 0 else { return }
    covariance.mix(other.covariance, share: share)
    dependence.mix(other.dependence, share: share)
    var difference = other.deviation
    difference.add(deviation, times: -1)
    covariance.add(outer: difference, difference, weight: share * (1 - share))
    deviation.add(difference, times: share)
  }
}
