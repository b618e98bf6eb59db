// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The hard iron with its covariance.
struct HardIronFit {
  /// T.
  var centre: Vector3<Device>
  /// T², device axes.
  var covariance: Matrix3

  /// One standard deviation along the worst axis, T.
  var deviation: Double { max(0, covariance.m11, covariance.m22, covariance.m33).squareRoot() }

  init(centre: Vector3<Device>, covariance: Matrix3) { (self.centre, self.covariance) = (centre, covariance) }

  /// The same deviation about all axes, T.
  init(centre: Vector3<Device>, deviation: Double) {
    self.init(centre: centre, covariance: .identity * (deviation * deviation))
  }
}

/// Tells the field of the surroundings from that of the device, while the gyroscope says how the device turns.
///
/// Carry the attitude A along with the gyroscope alone, from any start. With a soft iron that is known, each reading m
/// is
///
///     A S m = b + A c + noise,   c = S h
///
/// where b is the field in the carried frame and h the hard iron: six unknowns, and a linear Kalman filter for them.
/// While the device keeps its attitude only the sum is known; each turn tells the two apart in the plane that it turns.
/// A few turns of the hand give c to a µT, and the covariance says along which axis it is still open.
///
/// What makes the result honest in a real room is the noise. The field differs from place to place, so what no error
/// explains of a residual is taken for a noise that lasts for a while, and it also lets b move: the device may be at
/// another place. Neither opens c, so a walk through a room of iron averages over its places.
struct HardIronFilter: Sendable {
  /// b, then c, T in units of `unit`, so that the numbers are near one; the gyroscope's bias, rad/s.
  private var state = InlineArray<9, Double>(repeating: 0)
  /// Symmetric, row by row.
  private var covariance = InlineArray<81, Double>(repeating: 0)
  /// Turns device vectors into the carried frame.
  private var attitude: Rotation<Device, EastNorthUp> = .identity
  private var softIron: Matrix3
  /// Of the block: Σ A S m, Σ A, their number, and how long it is, s; how far the device has turned in it, rad.
  private var field = Vector3<EastNorthUp>.zero
  private var rotation = Matrix3.zero
  private var readings = 0.0, time = 0.0, turn = 0.0
  private var hasBegun = false
  /// The unexplained part of the squared residual per axis: low-passed, and its mean over the latest turns, µT².
  private var disturbance = 0.0, spread = 0.0
  /// The angle over which that mean extends, rad.
  private var spreadTurn = 0.0

  init(softIron: Matrix3 = .identity) {
    self.softIron = softIron
    for i in 3..<6 { self[i, i] = Tuned.priorDeviation * Tuned.priorDeviation }
    for i in 6..<9 { self[i, i] = Tuned.biasDeviation * Tuned.biasDeviation }
  }

  private typealias Tuned = Constant.HardIron

  /// Processes a reading; `rate` is what the gyroscope read since the one before.
  mutating func update(_ reading: Vector3<Device>, rate: Vector3<Device>, interval: Double) {
    let rate = rate - Vector3(x: state[6], y: state[7], z: state[8])
    attitude = attitude * Rotation<Device, Device>(rotationVector: rate * interval)
    turn += rate.length * interval
    field += attitude * (softIron * reading) * (1 / Tuned.unit)
    rotation = rotation + attitude.matrix
    (readings, time) = (readings + 1, time + interval)
    if time >= Tuned.blockDuration { closeBlock() }
  }

  /// The attitude was lost in a pause: the field may come from anywhere, the hard iron is as it was.
  mutating func interrupt() {
    beginBlock()
    hasBegun = false
  }

  /// Both take the larger spread of the two: they are in the same room.
  mutating func shareSpread(with other: inout Self) {
    spread = max(spread, other.spread)
    other.spread = spread
  }

  /// Goes on with another soft iron, and, where it is much another one, with the hard iron that was found with it.
  mutating func use(softIron matrix: Matrix3, hardIron: HardIronFit) {
    let isRefined = SoftIronFit.distance(matrix, softIron) < Tuned.smallChange
    let centre = isRefined ? (self.hardIron ?? hardIron).centre : hardIron.centre
    softIron = matrix
    let c = matrix * centre * (1 / Tuned.unit)
    (state[3], state[4], state[5]) = (c.x, c.y, c.z)
    guard !isRefined else { return }
    interrupt()
    let deviation = hardIron.deviation / Tuned.unit
    for i in 0..<3 {
      for j in 3..<9 {
        self[3 + i, j] = j == 3 + i ? deviation * deviation : 0
        self[j, 3 + i] = self[3 + i, j]
      }
    }
  }

  /// The hard iron.
  var hardIron: HardIronFit? {
    guard let back = softIron.inverse else { return nil }
    let c = Vector3<Device>(x: state[3], y: state[4], z: state[5]) * Tuned.unit
    let own = Matrix3(
      self[3, 3], self[3, 4], self[3, 5], self[4, 3], self[4, 4], self[4, 5], self[5, 3], self[5, 4], self[5, 5])
    let local = Tuned.shareOfSpread * Tuned.shareOfSpread * spread
    let covariance = (own * Tuned.excess + .identity * local) * (Tuned.unit * Tuned.unit)
    let fit = HardIronFit(centre: back * c, covariance: back * covariance * back)
    return fit.centre.isFinite && fit.covariance.isFinite ? fit : nil
  }

  /// A rest has shown the gyroscope's bias, rad/s.
  mutating func use(bias: Vector3<Device>) {
    guard max(self[6, 6], self[7, 7], self[8, 8]) > 2 * Tuned.restBiasVariance else { return }
    let observed: InlineArray<3, Double> = [bias.x, bias.y, bias.z]
    for i in 0..<3 {
      var row = InlineArray<9, Double>(repeating: 0)
      row[6 + i] = 1
      correct(row, innovation: observed[i] - state[6 + i], noise: Tuned.restBiasVariance)
    }
  }

  // MARK: A block

  private subscript(i: Int, j: Int) -> Double {
    get { covariance[9 * i + j] }
    set { covariance[9 * i + j] = newValue }
  }

  private mutating func beginBlock() {
    (field, rotation) = (.zero, .zero)
    (readings, time, turn) = (0, 0, 0)
  }

  private mutating func closeBlock() {
    defer { beginBlock() }
    let y = field * (1 / readings)
    let r = rotation * (1 / readings)
    guard hasBegun else { return begin(y, r) }
    predict(r)
    measure(y, r)
  }

  /// b is what is read less the hard iron, and as uncertain.
  private mutating func begin(_ y: Vector3<EastNorthUp>, _ r: Matrix3) {
    let observed: InlineArray<3, Double> = [y.x, y.y, y.z]
    for i in 0..<3 {
      state[i] = observed[i]
      for k in 0..<3 { state[i] -= Self.element(r, i, k) * state[3 + k] }
      for j in 3..<9 {
        self[i, j] = 0
        for k in 0..<3 { self[i, j] -= Self.element(r, i, k) * self[3 + k, j] }
        self[j, i] = self[i, j]
      }
    }
    for i in 0..<3 {
      for j in 0..<3 {
        self[i, j] = i == j ? Tuned.noise : 0
        for k in 0..<3 { self[i, j] -= Self.element(r, i, k) * self[3 + k, j] }
      }
    }
    hasBegun = true
  }

  private mutating func predict(_ r: Matrix3) {
    // A bias that is wrong by δ turns the carried frame by A δ t, and the field b with it: δb = (A δ t) × b.
    var b = Vector3<EastNorthUp>(x: state[0], y: state[1], z: state[2])
    if b.length > Tuned.strength { b = b * (Tuned.strength / b.length) }
    let effect = Matrix3(skew: b) * r * -time
    for column in 0..<9 {
      for i in 0..<3 {
        for k in 0..<3 { self[i, column] += Self.element(effect, i, k) * self[6 + k, column] }
      }
    }
    for row in 0..<9 {
      for i in 0..<3 {
        for k in 0..<3 { self[row, i] += Self.element(effect, i, k) * self[row, 6 + k] }
      }
    }
    // The product of both errors, which the linear equation leaves out, lasts for about a second.
    let product = (self[0, 0] + self[1, 1] + self[2, 2]) * (self[6, 6] + self[7, 7] + self[8, 8])
    let own = Tuned.fieldDrift * Tuned.fieldDrift + Tuned.fieldExcitation * disturbance + product
    for i in 0..<3 {
      self[i, i] += own * time
      self[3 + i, 3 + i] += Tuned.drift * Tuned.drift * time
      self[6 + i, 6 + i] += Tuned.biasDrift * Tuned.biasDrift * time
    }
  }

  private mutating func measure(_ y: Vector3<EastNorthUp>, _ r: Matrix3) {
    let observed: InlineArray<3, Double> = [y.x, y.y, y.z]
    var rows = InlineArray<3, InlineArray<9, Double>>(repeating: InlineArray(repeating: 0))
    for i in 0..<3 {
      rows[i][i] = 1
      for j in 0..<3 { rows[i][3 + j] = Self.element(r, i, j) }
    }
    var (squares, expected) = (0.0, 3 * Tuned.noise)
    for i in 0..<3 {
      let innovation = observed[i] - prediction(rows[i])
      squares += innovation * innovation
      let gain = spreadOf(rows[i])
      for k in 0..<9 { expected += rows[i][k] * gain[k] }
    }
    let unexplained = max(0, squares - expected)
    let noise = (Tuned.noise + unexplained * Tuned.residualTime) / time
    disturbance += min(1, time / Tuned.excitationSmoothing) * (unexplained / 3 - disturbance)
    if expected < Tuned.sharpPrediction, turn > 0 {
      spreadTurn = min(spreadTurn + turn, Tuned.spreadMemory)
      spread += turn / spreadTurn * (unexplained / 3 - spread)
    }
    for i in 0..<3 { correct(rows[i], innovation: observed[i] - prediction(rows[i]), noise: noise) }
  }

  private mutating func prediction(_ row: InlineArray<9, Double>) -> Double {
    var sum = 0.0
    for k in 0..<9 { sum += row[k] * state[k] }
    return sum
  }

  /// P Hᵀ.
  private mutating func spreadOf(_ row: InlineArray<9, Double>) -> InlineArray<9, Double> {
    var product = InlineArray<9, Double>(repeating: 0)
    for i in 0..<9 {
      for k in 0..<9 { product[i] += self[i, k] * row[k] }
    }
    return product
  }

  private mutating func correct(_ row: InlineArray<9, Double>, innovation: Double, noise: Double) {
    let product = spreadOf(row)
    var variance = noise
    for k in 0..<9 { variance += row[k] * product[k] }
    guard variance > 0, variance.isFinite else { return }
    for i in 0..<9 {
      state[i] += product[i] / variance * innovation
      for j in 0..<9 { self[i, j] -= product[i] * product[j] / variance }
    }
  }

  private static func element(_ m: Matrix3, _ i: Int, _ j: Int) -> Double {
    switch (i, j) {
    case (0, 0): m.m11
    case (0, 1): m.m12
    case (0, 2): m.m13
    case (1, 0): m.m21
    case (1, 1): m.m22
    case (1, 2): m.m23
    case (2, 0): m.m31
    case (2, 1): m.m32
    default: m.m33
    }
  }
}
