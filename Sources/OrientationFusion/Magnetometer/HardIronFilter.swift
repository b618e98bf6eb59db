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
  private var state = InlineArray<10, Double>(repeating: 0)
  /// Row by row; of each the diagonal and what is right of it count. A tenth number and row make whole vectors.
  private var covariance = InlineArray<100, Double>(repeating: 0)
  private(set) var softIron: Matrix3
  /// Its inverse; nil where it has none.
  private var back: Matrix3?
  private var hasBegun = false
  /// The unexplained part of the squared residual per axis: low-passed, and its mean over the latest turns, µT².
  private var disturbance = 0.0, spread = 0.0
  /// The angle over which that mean extends, rad.
  private var spreadTurn = 0.0

  init(softIron: Matrix3 = .identity) {
    (self.softIron, back) = (softIron, softIron.inverse)
    for i in 3..<6 { self[i, i] = Tuned.priorDeviation * Tuned.priorDeviation }
    for i in 6..<9 { self[i, i] = Tuned.biasDeviation * Tuned.biasDeviation }
  }

  private typealias Tuned = Constant.HardIron

  /// The gyroscope's bias, rad/s.
  var bias: Vector3<Device> { Vector3(x: state[6], y: state[7], z: state[8]) }

  /// The attitude was lost in a pause: the field may come from anywhere, the hard iron is as it was.
  mutating func interrupt() { hasBegun = false }

  /// Both take the larger spread of the two: they are in the same room.
  mutating func shareSpread(with other: inout Self) {
    spread = max(spread, other.spread)
    other.spread = spread
  }

  /// Goes on with another soft iron, and, where it is much another one, with the hard iron that was found with it. Then the
  /// block has to begin again, which the result says.
  mutating func use(softIron matrix: Matrix3, hardIron: HardIronFit) -> Bool {
    let isRefined = SoftIronFit.distance(matrix, softIron) < Tuned.smallChange
    let centre = isRefined ? (self.hardIron() ?? hardIron).centre : hardIron.centre
    (softIron, back) = (matrix, matrix.inverse)
    let c = matrix * centre * (1 / Tuned.unit)
    (state[3], state[4], state[5]) = (c.x, c.y, c.z)
    guard !isRefined else { return false }
    interrupt()
    let deviation = hardIron.deviation / Tuned.unit
    for i in 3..<6 {
      for j in 3..<9 { self[i, j] = i == j ? deviation * deviation : 0 }
    }
    return true
  }

  /// The hard iron. Mutating, though nothing changes: a read through a borrowed filter copies it first.
  mutating func hardIron() -> HardIronFit? {
    guard let back else { return nil }
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
      var product = InlineArray<10, Double>(repeating: 0)
      for k in 0..<9 { product[k] = self[k, 6 + i] }
      let variance = product[6 + i] + Tuned.restBiasVariance
      correct(product.span, at: 0, innovation: observed[i] - state[6 + i], variance: variance)
    }
  }

  // MARK: A block

  /// Three columns P Hᵀ, each with a number behind it that is not used.
  private typealias Products = InlineArray<30, Double>

  /// (i, j) and (j, i) are the same.
  private subscript(i: Int, j: Int) -> Double {
    get { covariance[10 * min(i, j) + max(i, j)] }
    set { covariance[10 * min(i, j) + max(i, j)] = newValue }
  }

  /// Processes the readings of a block.
  mutating func add(_ block: CarriedFrames.Block) {
    let y = block.field * (1 / (block.readings * Tuned.unit))
    let r = block.rotation * (1 / block.readings)
    guard hasBegun else { return begin(y, r) }
    predict(r, time: block.time)
    measure(y, r, time: block.time, turn: block.turn)
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
      }
    }
    for i in 0..<3 {
      for j in i..<3 {
        self[i, j] = i == j ? Tuned.noise : 0
        for k in 0..<3 { self[i, j] -= Self.element(r, i, k) * self[3 + k, j] }
      }
    }
    hasBegun = true
  }

  private mutating func predict(_ r: Matrix3, time: Double) {
    // A bias that is wrong by δ turns the carried frame by A δ t, and the field b with it: δb = (A δ t) × b.
    var b = Vector3<EastNorthUp>(x: state[0], y: state[1], z: state[2])
    if b.length > Tuned.strength { b = b * (Tuned.strength / b.length) }
    let effect = Matrix3(skew: b) * r * -time
    mirror()
    let e = Self.elements(effect)
    var p = covariance.mutableSpan
    for i in 0..<3 {
      let (x, y, z) = (e[3 * i], e[3 * i + 1], e[3 * i + 2])
      for c in Swift.stride(from: 0, to: 10, by: 2) {
        var sum = Self.two(p.span, 10 &* i &+ c) + Self.two(p.span, 10 &* 6 &+ c) * x
        sum += Self.two(p.span, 10 &* 7 &+ c) * y
        Self.store(sum + Self.two(p.span, 10 &* 8 &+ c) * z, &p, 10 &* i &+ c)
      }
    }
    // The corner once more from the other side.
    for i in 0..<3 {
      let (x, y, z) = (p[unchecked: 10 &* i &+ 6], p[unchecked: 10 &* i &+ 7], p[unchecked: 10 &* i &+ 8])
      for j in i..<3 {
        p[unchecked: 10 &* i &+ j] += e[3 &* j] * x + e[3 &* j &+ 1] * y + e[3 &* j &+ 2] * z
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

  /// The three equations one after the other. What the first does to the products P Hᵀ of the others is subtracted from
  /// them, so that they are made once.
  private mutating func measure(_ y: Vector3<EastNorthUp>, _ r: Matrix3, time: Double, turn: Double) {
    let observed: InlineArray<3, Double> = [y.x, y.y, y.z]
    let h = Self.elements(r)
    var products = Products(repeating: 0)
    var innovations = InlineArray<3, Double>(repeating: 0)
    // H P Hᵀ
    var explained = InlineArray<9, Double>(repeating: 0)
    project(h, &products)
    for i in 0..<3 {
      let (x, y, z) = (h[3 * i], h[3 * i + 1], h[3 * i + 2])
      innovations[i] = observed[i] - state[i] - (x * state[3] + y * state[4] + z * state[5])
      for j in i..<3 {
        let iron = x * products[10 * j + 3] + y * products[10 * j + 4] + z * products[10 * j + 5]
        explained[3 * i + j] = products[10 * j + i] + iron
      }
    }
    let expected = 3 * Tuned.noise + explained[0] + explained[4] + explained[8]
    let squares = innovations[0] * innovations[0] + innovations[1] * innovations[1] + innovations[2] * innovations[2]
    let unexplained = max(0, squares - expected)
    let noise = (Tuned.noise + unexplained * Tuned.residualTime) / time
    disturbance += min(1, time / Tuned.excitationSmoothing) * (unexplained / 3 - disturbance)
    if expected < Tuned.sharpPrediction, turn > 0 {
      spreadTurn = min(spreadTurn + turn, Tuned.spreadMemory)
      spread += turn / spreadTurn * (unexplained / 3 - spread)
    }
    for i in 0..<3 {
      let variance = explained[4 * i] + noise
      guard correct(products.span, at: 10 * i, innovation: innovations[i], variance: variance) else { continue }
      for j in i + 1..<3 {
        let share = explained[3 * i + j] / variance
        var others = products.mutableSpan
        for c in Swift.stride(from: 0, to: 10, by: 2) {
          let rest = Self.two(others.span, 10 &* j &+ c) - Self.two(others.span, 10 &* i &+ c) * share
          Self.store(rest, &others, 10 &* j &+ c)
        }
        innovations[j] -= share * innovations[i]
        for k in j..<3 { explained[3 * j + k] -= share * explained[3 * i + k] }
      }
    }
  }

  /// P Hᵀ of the three equations.
  private mutating func project(_ h: InlineArray<9, Double>, _ products: inout Products) {
    mirror()
    let p = covariance.span
    var result = products.mutableSpan
    for i in 0..<3 {
      let (x, y, z) = (h[3 * i], h[3 * i + 1], h[3 * i + 2])
      for c in Swift.stride(from: 0, to: 10, by: 2) {
        let iron = Self.two(p, 10 &* 3 &+ c) * x + Self.two(p, 10 &* 4 &+ c) * y + Self.two(p, 10 &* 5 &+ c) * z
        Self.store(Self.two(p, 10 &* i &+ c) + iron, &result, 10 &* i &+ c)
      }
    }
  }

  /// The Kalman update with P Hᵀ, ten numbers from `first` on, and H P Hᵀ + noise. False, with nothing changed, when the
  /// latter is no variance.
  @discardableResult @inline(__always)
  private mutating func correct(
    _ products: Span<Double>, at first: Int, innovation: Double, variance: Double
  ) -> Bool {
    guard variance > 0, variance.isFinite else { return false }
    let factor = -1 / variance
    correct(rows: 0, products, first, factor, innovation)
    correct(rows: 2, products, first, factor, innovation)
    correct(rows: 4, products, first, factor, innovation)
    correct(rows: 6, products, first, factor, innovation)
    correct(rows: 8, products, first, factor, innovation)
    return true
  }

  /// The same for the rows i and i + 1.
  @inline(__always)
  private mutating func correct(
    rows i: Int, _ products: Span<Double>, _ first: Int, _ factor: Double, _ innovation: Double
  ) {
    var x = state.mutableSpan
    var p = covariance.mutableSpan
    let gain = Self.two(products, first &+ i) * factor
    Self.store(Self.two(x.span, i) - gain * innovation, &x, i)
    for c in Swift.stride(from: i, to: 10, by: 2) {
      let product = Self.two(products, first &+ c)
      Self.store(Self.two(p.span, 10 &* i &+ c) + product * gain.x, &p, 10 &* i &+ c)
      Self.store(Self.two(p.span, 10 &* i &+ 10 &+ c) + product * gain.y, &p, 10 &* i &+ 10 &+ c)
    }
  }

  /// Two neighbours.
  @inline(__always)
  private static func two(_ p: Span<Double>, _ i: Int) -> SIMD2<Double> {
    SIMD2(p[unchecked: i], p[unchecked: i &+ 1])
  }

  @inline(__always)
  private static func store(_ v: SIMD2<Double>, _ p: inout MutableSpan<Double>, _ i: Int) {
    (p[unchecked: i], p[unchecked: i &+ 1]) = (v.x, v.y)
  }

  /// Copies what is right of the diagonal to the left of it.
  private mutating func mirror() {
    var p = covariance.mutableSpan
    for i in 1..<9 {
      for j in 0..<i { p[unchecked: 10 &* i &+ j] = p[unchecked: 10 &* j &+ i] }
    }
  }

  /// Row by row.
  private static func elements(_ m: Matrix3) -> InlineArray<9, Double> {
    [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
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
