// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The magnetic field around the device and the hard iron in it, for one assumption of how strong that iron can be.
///
/// In the world of the attitude, whose azimuth may be any, a magnetometer's reading is linear in all that is not known:
///
///     mean(R m) = field + delay · mean(R ω) × field + mean(R) · hard iron + noise
///
/// The delay turns the field, not the iron, which turns with the device.
/// So it needs no first heading and no calibration that is complete: from the first block on it knows what the turns so far
/// have shown, and its covariance says what they have not. Documentation/Filter.md 8.
struct FieldModel: Sendable {
  /// Field 3 (east, north, up of the attitude's world), delay, hard iron 3 (device), in units of ``Constant/Field/unit``
  /// and s; the last counts nothing.
  typealias State = SIMD8<Float>
  var state = State.zero
  /// The covariance, row by row.
  private var rows = InlineArray<8, State>(repeating: .zero)
  /// The probability, and the logarithm of the likelihood of the latest block.
  var weight: Float
  private(set) var logLikelihood: Float = 0

  static var delay: Int { 3 }

  /// The variance of the iron before anything is read, per axis.
  let ironPrior: Float

  init(weight: Float, hardIron: Float, delay: Float, delayVariance: Float) {
    self.weight = weight
    ironPrior = hardIron * hardIron
    resetIron()
    state[Self.delay] = delay
    rows[Self.delay][Self.delay] = delayVariance
    resetField()
  }

  mutating func resetIron() {
    for i in 4..<7 {
      for j in 0..<8 { (rows[i][j], rows[j][i]) = (0, 0) }
      rows[i][i] = ironPrior
      state[i] = 0
    }
  }

  /// Nothing is known of the field.
  mutating func resetField() {
    for i in 0..<3 {
      for j in 0..<8 { (rows[i][j], rows[j][i]) = (0, 0) }
      rows[i][i] = Constant.Field.priorVariance
      state[i] = 0
    }
  }

  /// A block's readings: means in the world.
  struct Block {
    var field: SIMD3<Float>, rate: SIMD3<Float>
    /// R, a row per axis of the world.
    var rotation = InlineArray<3, SIMD3<Float>>(repeating: .zero)
    /// Seconds.
    var time: Float
    /// The variance of the tilt that R is uncertain by, per axis, rad².
    var tiltVariance: Float
  }

  /// What a tilt that is not known makes of the iron: strong iron turns with it.
  func tiltNoise(_ block: borrowing Block) -> Float {
    block.tiltVariance * (state[4] * state[4] + state[5] * state[5] + state[6] * state[6])
  }

  /// `forgetsField`: it is another one after each second.
  mutating func predict(_ block: borrowing Block, ironWalk: Float, forgetsField: Bool) {
    typealias C = Constant.Field
    rows[0][0] += C.walk * C.walk * block.time
    rows[1][1] += C.walk * C.walk * block.time
    rows[2][2] += C.walkUp * C.walkUp * block.time
    for i in 4..<7 { rows[i][i] += ironWalk * ironWalk * block.time }
    guard forgetsField else { return }
    for i in 0..<3 { rows[i][i] += C.priorVariance * block.time }
  }

  /// By how much the attitude has to turn about the vertical to fit the block's horizontal field, rad, and the variance of
  /// that without an error of the azimuth itself, rad².
  func turn(_ block: borrowing Block, noise: Float) -> (turn: Float, variance: Float) {
    let (x, y) = (state[0], state[1])
    let square = max(x * x + y * y, Constant.Field.leastSquare)
    let (east, north) = (equation(block, 0), equation(block, 1))
    let h = east.h * (-y / square) + north.h * (x / square)
    return ((y * east.residual - x * north.residual) / square, explained(h) + noise / square)
  }

  /// The square of what is measured beyond what this model expects.
  func unexplained(_ block: borrowing Block) -> Float {
    var square: Float = 0
    for axis in 0..<3 {
      let (h, residual) = equation(block, axis)
      square += residual * residual - explained(h)
    }
    return max(0, square)
  }

  /// The equation of an axis of the world about the present state: its row, and what is measured beyond it.
  private func equation(_ block: borrowing Block, _ axis: Int) -> (h: State, residual: Float) {
    let (w, r, tau) = (block.rate, block.rotation[axis], state[Self.delay])
    // A row of w ×.
    let turn =
      axis == 0 ? SIMD3(0, -w.z, w.y) : axis == 1 ? SIMD3(w.z, 0, -w.x) : SIMD3(-w.y, w.x, 0)
    var h = State(tau * turn.x, tau * turn.y, tau * turn.z, 0, r.x, r.y, r.z, 0)
    h[axis] += 1
    let residual = block.field[axis] - (h * state).sum()
    h[Self.delay] = turn.x * state[0] + turn.y * state[1] + turn.z * state[2]
    return (h, residual)
  }

  /// h P.
  private func row(_ h: State) -> State {
    var row = State.zero
    for i in 0..<7 { row += rows[i] * h[i] }
    return row
  }

  private func explained(_ h: State) -> Float { (row(h) * h).sum() }

  mutating func measure(_ block: borrowing Block, noise: Float) {
    logLikelihood = 0
    for axis in 0..<3 {
      let (h, z) = equation(block, axis)
      let row = row(h)
      let variance = (row * h).sum() + noise
      logLikelihood -= 0.5 * (Approximate.log(variance) + z * z / variance)
      let gain = row / variance
      for i in 0..<7 { rows[i] -= row * gain[i] }
      state += gain * z
    }
  }

  /// Becomes the mixture of this model, with the probability 1 − `share`, and another whose iron has jumped by `jump`.
  mutating func mix(_ other: borrowing FieldModel, share: Float, jump: Float = 0) {
    let d = other.state - state
    for i in 0..<8 {
      rows[i] += (other.rows[i] - rows[i]) * share
      rows[i] += d * (d[i] * share * (1 - share))
    }
    for i in 4..<7 { rows[i][i] += share * jump * jump }
    state += d * share
  }

  /// The squared horizontal field, and the variance of its direction, rad².
  func direction() -> (square: Float, variance: Float) {
    let (x, y) = (state[0], state[1])
    let square = x * x + y * y
    let variance =
      (y * y * rows[0][0] - 2 * x * y * rows[0][1] + x * x * rows[1][1]) / max(square * square, Constant.Field.tiny)
    return (square, min(variance, Constant.unknownAzimuthVariance))
  }

  /// The variance of the hard iron, per axis, and of the delay, s².
  var ironVariance: Float { (rows[4][4] + rows[5][5] + rows[6][6]) / 3 }
  var delayVariance: Float { rows[3][3] }
}
