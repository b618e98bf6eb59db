// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Where each quantity stands in the error vector of ``OrientationFilter``: groups of four, so that whole vector registers
/// move.
enum ErrorIndex {
  /// Turn of the world, rad: about east, about north (inclination) and about the vertical (azimuth).
  static let attitude = 0, azimuth = 2
  /// Gyroscope bias, rad/s, in the device.
  static let bias = 4
  /// Gyroscope scale and misalignment, row by row.
  static let matrix = 7
  /// Horizontal velocity of the hand, m/s: east and north.
  static let velocity = 16
  /// Horizontal acceleration of the vehicle, m/s².
  static let acceleration = 18
  /// Offset of the accelerometer, m/s², in the device.
  static let offset = 20
  /// Numbers of the vector; the fourth and the last count nothing.
  static let count = 24
  /// The groups of the gyroscope's twelve errors.
  static let sensorGroups = 1..<4
}

/// The covariance and the deviations need few digits: single precision is twice as fast.
typealias Four = SIMD4<Float>

/// Six groups of four numbers: a row of the covariance, a gain, or the errors themselves.
struct ErrorVector: Sendable, BitwiseCopyable {
  static var groups: Int { ErrorIndex.count / 4 }
  private var elements = InlineArray<6, Four>(repeating: .zero)

  @inline(__always)
  subscript(group group: Int) -> Four {
    get { elements[unchecked: group] }
    set { elements[unchecked: group] = newValue }
  }

  @inline(__always)
  subscript(index: Int) -> Float {
    get { elements[unchecked: index >> 2][index & 3] }
    set { elements[unchecked: index >> 2][index & 3] = newValue }
  }

  /// Adds `factor` times another.
  @inline(__always)
  mutating func add(_ other: borrowing ErrorVector, times factor: Float) {
    for group in 0..<Self.groups { self[group: group] += other[group: group] * factor }
  }
}

/// The covariance of the error vector: how uncertain each error is, and how the errors go together.
///
/// The correlations carry the information: a wrong bias turns the attitude in a known way, so a measurement of the
/// attitude corrects the bias, too. The matrix is symmetric, so only the blocks of 4 × 4 on and right of the diagonal are
/// stored; those on it are whole. Equations: Documentation/Filter.md 5.
///
/// Methods that only read are `mutating`, too: a read through a borrowed `self` copies the whole matrix (Swift 6.3).
struct ErrorCovariance: Sendable {
  /// 21 blocks of four rows.
  private var rows = InlineArray<84, Four>(repeating: .zero)

  /// The first row of a block.
  @inline(__always)
  private static func block(_ row: Int, _ column: Int) -> Int {
    4 &* (row &* 6 &- (row &* (row &- 1)) / 2 &+ column &- row)
  }

  /// An element; (row, column) and (column, row) are the same.
  subscript(row: Int, column: Int) -> Float {
    @inline(__always) mutating get {
      let (i, j) = row >> 2 <= column >> 2 ? (row, column) : (column, row)
      return rows[unchecked: Self.block(i >> 2, j >> 2) &+ (i & 3)][j & 3]
    }
    @inline(__always) set {
      let (i, j) = row >> 2 <= column >> 2 ? (row, column) : (column, row)
      rows[unchecked: Self.block(i >> 2, j >> 2) &+ (i & 3)][j & 3] = newValue
      if i >> 2 == j >> 2 { rows[unchecked: Self.block(i >> 2, j >> 2) &+ (j & 3)][i & 3] = newValue }
    }
  }

  /// Adds to the variance of one error.
  @inline(__always)
  mutating func add(_ variance: Float, to index: Int) {
    rows[unchecked: Self.block(index >> 2, index >> 2) &+ (index & 3)][index & 3] += variance
  }

  /// Sets the variance of one error and removes its correlations.
  mutating func reset(_ index: Int, variance: Float) {
    for i in 0..<ErrorIndex.count { self[index, i] = 0 }
    self[index, index] = variance
  }

  /// Adds `factor` times a row.
  mutating func add(row index: Int, times factor: Float, to result: inout ErrorVector) {
    let (group, lane) = (index >> 2, index & 3)
    for other in 0..<group {
      let first = Self.block(other, group)
      let column = Four(
        rows[unchecked: first][lane], rows[unchecked: first &+ 1][lane], rows[unchecked: first &+ 2][lane],
        rows[unchecked: first &+ 3][lane])
      result[group: other] += column * factor
    }
    for other in group..<ErrorVector.groups {
      result[group: other] += rows[unchecked: Self.block(group, other) &+ lane] * factor
    }
  }

  /// h P for a row h that is about the twelve errors of the gyroscope alone.
  mutating func product(_ h: borrowing SensorRow) -> ErrorVector {
    var result = ErrorVector()
    for group in ErrorIndex.sensorGroups {
      let factors = h[group]
      for other in 0..<group {
        let first = Self.block(other, group)
        result[group: other] += Four(
          (rows[unchecked: first] * factors).sum(), (rows[unchecked: first &+ 1] * factors).sum(),
          (rows[unchecked: first &+ 2] * factors).sum(), (rows[unchecked: first &+ 3] * factors).sum())
      }
      for other in group..<ErrorVector.groups {
        let first = Self.block(group, other)
        result[group: other] +=
          rows[unchecked: first] * factors.x + rows[unchecked: first &+ 1] * factors.y
          + (rows[unchecked: first &+ 2] * factors.z + rows[unchecked: first &+ 3] * factors.w)
      }
    }
    return result
  }

  /// P ← P + weight · v vᵀ.
  mutating func add(outer v: borrowing ErrorVector, weight: Float) {
    for group in 0..<ErrorVector.groups {
      let factors = v[group: group] * weight
      for other in group..<ErrorVector.groups {
        let (first, four) = (Self.block(group, other), v[group: other])
        rows[unchecked: first] += four * factors.x
        rows[unchecked: first &+ 1] += four * factors.y
        rows[unchecked: first &+ 2] += four * factors.z
        rows[unchecked: first &+ 3] += four * factors.w
      }
    }
  }

  /// The same for a vector of which only these groups, in their order, are not zero.
  @inline(__always)
  mutating func add(outer v: borrowing ErrorVector, of groups: InlineArray<3, Int>, weight: Float) {
    for i in 0..<3 {
      let factors = v[group: groups[i]] * weight
      for j in i..<3 {
        let (first, four) = (Self.block(groups[i], groups[j]), v[group: groups[j]])
        rows[unchecked: first] += four * factors.x
        rows[unchecked: first &+ 1] += four * factors.y
        rows[unchecked: first &+ 2] += four * factors.z
        rows[unchecked: first &+ 3] += four * factors.w
      }
    }
  }

  /// P ← (1 − share) P + share · Q.
  mutating func mix(_ other: inout ErrorCovariance, share: Float) {
    for i in 0..<84 {
      rows[unchecked: i] += (other.rows[unchecked: i] - rows[unchecked: i]) * share
    }
  }

  /// θ ← θ + A e, with e the twelve errors of the gyroscope: P ← F P Fᵀ.
  mutating func turn(by a: borrowing InlineArray<3, SensorRow>) {
    let (x, y, z) = (product(a[0]), product(a[1]), product(a[2]))
    for group in 1..<ErrorVector.groups {
      let first = Self.block(0, group)
      rows[unchecked: first] += x[group: group]
      rows[unchecked: first &+ 1] += y[group: group]
      rows[unchecked: first &+ 2] += z[group: group]
    }
    var square = InlineArray<3, Four>(repeating: .zero)
    for group in ErrorIndex.sensorGroups {
      let (a, b, c) = (a[0][group], a[1][group], a[2][group])
      square[0] += Four((x[group: group] * a).sum(), (x[group: group] * b).sum(), (x[group: group] * c).sum(), 0)
      square[1] += Four(0, (y[group: group] * b).sum(), (y[group: group] * c).sum(), 0)
      square[2] += Four(0, 0, (z[group: group] * c).sum(), 0)
    }
    (square[1].x, square[2].x, square[2].y) = (square[0].y, square[0].z, square[1].z)
    let (p, q, r) = (x[group: 0], y[group: 0], z[group: 0])
    rows[unchecked: 0] += p + Four(p.x, q.x, r.x, 0) + square[0]
    rows[unchecked: 1] += q + Four(p.y, q.y, r.y, 0) + square[1]
    rows[unchecked: 2] += r + Four(p.z, q.z, r.z, 0) + square[2]
  }

  /// Velocity and acceleration fade, and the acceleration turns with the device: (c, s) is cosine and sine of its turn
  /// times what is left of it.
  mutating func fade(velocity: Float, cosine c: Float, sine s: Float) {
    let group = ErrorIndex.velocity >> 2
    func moved(_ v: Four) -> Four { Four(velocity * v.x, velocity * v.y, c * v.z - s * v.w, s * v.z + c * v.w) }
    for other in 0...group {
      let first = Self.block(other, group)
      for i in first..<first &+ 4 { rows[unchecked: i] = moved(rows[unchecked: i]) }
    }
    for other in group..<ErrorVector.groups {
      let first = Self.block(group, other)
      let (a, b) = (rows[unchecked: first &+ 2], rows[unchecked: first &+ 3])
      rows[unchecked: first] *= velocity
      rows[unchecked: first &+ 1] *= velocity
      rows[unchecked: first &+ 2] = a * c - b * s
      rows[unchecked: first &+ 3] = a * s + b * c
    }
  }

  /// The sum of all variances.
  mutating func trace() -> Float {
    var trace: Float = 0
    for i in 0..<ErrorIndex.count { trace += self[i, i] }
    return trace
  }
}

/// What an equation says of the twelve errors of the gyroscope: bias 3, matrix 9.
struct SensorRow: Sendable, BitwiseCopyable {
  private var elements = InlineArray<3, Four>(repeating: .zero)

  /// By its group of the error vector.
  @inline(__always)
  subscript(group: Int) -> Four {
    get { elements[unchecked: group &- 1] }
    set { elements[unchecked: group &- 1] = newValue }
  }

  @inline(__always)
  subscript(error index: Int) -> Float {
    get { elements[unchecked: index >> 2][index & 3] }
    set { elements[unchecked: index >> 2][index & 3] = newValue }
  }

  /// The sum of its products with the errors.
  @inline(__always)
  func dot(_ v: borrowing ErrorVector) -> Float {
    (self[1] * v[group: 1] + self[2] * v[group: 2] + self[3] * v[group: 3]).sum()
  }
}
