// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Where each quantity stands in the error vector of ``OrientationFilter``.
package enum ErrorIndex {
  /// Rotation error in the world frame: x and y are inclination, z is heading. rad.
  static let attitude = 0, heading = 2
  /// Horizontal velocity, east and north. m/s.
  static let velocity = 3
  /// Gyroscope bias, rad/s.
  package static let bias = 5
  /// Gyroscope scale and misalignment, row by row.
  static let matrix = 8
  /// Delay of the magnetometer, s. From here on only with a magnetometer.
  static let delay = 17
  /// Hard iron, device axes, relative to the field.
  static let hardIron = 18
  /// The field's horizontal and downward part, relative.
  static let field = 21

  static let countWithoutField = 17
  static let count = 23
}

/// A column of the error vector's length.
typealias ErrorVector = InlineArray<24, Real>

/// A scalar measurement, linear in at most six components of the error: innovation = Σ coefficient · error + noise.
struct ScalarMeasurement {
  private(set) var count = 0
  private(set) var indices = InlineArray<6, Int>(repeating: 0)
  private(set) var coefficients = InlineArray<6, Real>(repeating: 0)
  /// How many components stand before the four neighbours.
  private(set) var singles = 6

  init(_ index: Int, _ coefficient: Real) { append(index, coefficient) }

  mutating func append(_ index: Int, _ coefficient: Real) {
    indices[count] = index
    coefficients[count] = coefficient
    count += 1
  }

  /// Four neighbours, after all others; the fourth coefficient may be zero.
  mutating func append(from index: Int, _ a: Real, _ b: Real, _ c: Real, _ d: Real = 0) {
    singles = count
    append(index, a)
    append(index + 1, b)
    append(index + 2, c)
    append(index + 3, d)
  }
}

/// Consider states: errors that a measurement takes into account but must not estimate.
///
/// Their uncertainty enters the gain of all other states; their own gain is zero, and their own block of the covariance
/// stays as it is. Source: Schmidt, "Application of state-space methods to navigation problems", Advances in Control
/// Systems 3, 1966.
struct ConsiderStates: OptionSet {
  let rawValue: UInt8

  /// Inclination and horizontal velocity.
  static let inclination = ConsiderStates(rawValue: 1)
  static let heading = ConsiderStates(rawValue: 2)

  /// Moves the gain of the considered states into `withheld`.
  func withhold(_ gain: inout ErrorVector, into withheld: inout ErrorVector) {
    func move(_ range: Range<Int>, _ gain: inout ErrorVector, _ withheld: inout ErrorVector) {
      for i in range {
        withheld[i] = gain[i]
        gain[i] = 0
      }
    }
    if contains(.inclination) { move(ErrorIndex.attitude..<ErrorIndex.heading, &gain, &withheld) }
    if contains(.heading) { move(ErrorIndex.heading..<ErrorIndex.velocity, &gain, &withheld) }
    if contains(.inclination) { move(ErrorIndex.velocity..<ErrorIndex.bias, &gain, &withheld) }
  }
}

/// What a measurement must not estimate of the gyroscope's bias: a share of all axes, and all of one direction.
struct WithheldBias {
  var share: Real
  /// A direction of the device.
  var vertical: RealVector<Device>?

  /// Moves this part of the gain into `withheld`.
  func withhold(_ gain: inout ErrorVector, into withheld: inout ErrorVector) {
    let i = ErrorIndex.bias
    let own = RealVector<Device>(x: gain[i], y: gain[i + 1], z: gain[i + 2])
    var part = own * share
    if let vertical { part += vertical * (own - part).dot(vertical) }
    (withheld[i], withheld[i + 1], withheld[i + 2]) = (
      withheld[i] + part.x, withheld[i + 1] + part.y, withheld[i + 2] + part.z
    )
    (gain[i], gain[i + 1], gain[i + 2]) = (own.x - part.x, own.y - part.y, own.z - part.z)
  }
}

/// The covariance matrix of the error vector: the uncertainty of each error, and the correlations between them.
///
/// The correlations carry the information: a wrong bias causes a wrong attitude in a known way, so a measurement of the
/// attitude corrects the bias too. Storage is fixed: 23 rows with a stride of 24, of which the first `order` are in
/// use. Of each row only the diagonal and what is right of it count, so the matrix is symmetric by construction.
/// Equations: Documentation/Filter.md 5 and 6.1.
///
/// The loops use spans without bounds checks: their bounds are the constants of ``ErrorIndex`` and `order`, and a check
/// in the innermost loop would prevent its vectorisation. Methods that only read are `mutating` too where they run in
/// every block: a read through a borrowed `self` copies the whole matrix (Swift 6.3), a read through exclusive access
/// does not.
package struct ErrorCovariance: Sendable {
  private static var stride: Int { 24 }
  private(set) var order: Int
  private var elements = InlineArray<552, Real>(repeating: 0)

  init(order: Int) { self.order = order }

  /// Makes the error vector longer or shorter; new components have the variance zero.
  mutating func resize(order newOrder: Int) {
    for i in min(order, newOrder)..<max(order, newOrder) {
      order = i + 1
      reset(i, variance: 0)
    }
    order = newOrder
  }

  /// An element; (row, column) and (column, row) are the same.
  subscript(row: Int, column: Int) -> Real {
    @inline(__always) get { elements.span[min(row, column) * Self.stride + max(row, column)] }
    @inline(__always) set {
      var p = elements.mutableSpan
      p[min(row, column) * Self.stride + max(row, column)] = newValue
    }
  }

  /// The same for reading in every block: through exclusive access, which copies nothing.
  @inline(__always)
  package mutating func element(_ row: Int, _ column: Int) -> Real {
    let p = elements.span
    return p[min(row, column) * Self.stride + max(row, column)]
  }

  /// Adds to the variance of one component.
  @inline(__always)
  mutating func add(_ variance: Real, to index: Int) {
    var p = elements.mutableSpan
    p[index * (Self.stride + 1)] += variance
  }

  /// Sets the variance of one component and removes its correlations.
  mutating func reset(_ index: Int, variance: Real) {
    for i in 0..<order { self[index, i] = 0 }
    self[index, index] = variance
  }

  /// The same errors, one component `factor` times as large: its correlations stay.
  mutating func scale(_ index: Int, by factor: Real) {
    var p = elements.mutableSpan
    for i in 0...index { p[unchecked: i * Self.stride + index] *= factor }
    for c in index..<Self.stride { p[unchecked: index * Self.stride + c] *= factor }
  }

  /// The sum of all variances.
  mutating func trace() -> Real {
    var trace: Real = 0
    let p = elements.span
    for i in 0..<order { trace += p[unchecked: i &* (Self.stride &+ 1)] }
    return trace
  }

  // MARK: Measurement update

  /// The variance of the measurement that the errors explain: H P Hᵀ.
  mutating func explainedVariance(_ measurement: ScalarMeasurement) -> Real {
    let n = measurement.count
    let (indices, coefficients) = (measurement.indices.span, measurement.coefficients.span)
    let p = elements.span
    var sum: Real = 0
    for a in 0..<n {
      let i = indices[a]
      var product = coefficients[a] * p[i &* (Self.stride &+ 1)]
      for b in 0..<a {
        let j = indices[b]
        product += 2 * coefficients[b] * p[min(i, j) &* Self.stride &+ max(i, j)]
      }
      sum += coefficients[a] * product
    }
    return sum
  }

  /// The Kalman update with a scalar measurement: K = P Hᵀ / S, P ← P − K H P, with S = H P Hᵀ + noise.
  ///
  /// Returns S; nil, with nothing changed, when it is not positive and finite.
  mutating func update(_ measurement: ScalarMeasurement, noise: Real, gain: inout ErrorVector) -> Real? {
    var row = ErrorVector(repeating: 0)
    let variance = noise + project(measurement, row: &row)
    guard variance > 0, variance < .greatestFiniteMagnitude else { return nil }
    subtract(&gain, &row, weight: 1 / variance)
    return variance
  }

  /// Gives back what an update with the gain K took away where only K − `withheld` is applied: P ← P + S D Dᵀ for the
  /// withheld part D, which is zero from the matrix on.
  mutating func giveBack(_ withheld: inout ErrorVector, variance: Real) {
    let d = withheld.span
    var p = elements.mutableSpan
    let end = ErrorIndex.matrix
    for i in 0..<end where d[unchecked: i] != 0 {
      let factor = variance * d[unchecked: i]
      var c = i & ~3
      while c < end {
        Self.store(Self.four(p.span, i &* Self.stride &+ c) + Self.four(d, c) * factor, &p, i &* Self.stride &+ c)
        c &+= 4
      }
    }
  }

  /// H P into `row`; returns H P Hᵀ.
  private mutating func project(_ measurement: ScalarMeasurement, row: inout ErrorVector) -> Real {
    let (indices, h) = (measurement.indices.span, measurement.coefficients.span)
    let (count, singles) = (measurement.count, measurement.singles)
    for k in 0..<min(count, singles) { addRow(indices[k], times: h[k], to: &row) }
    if count > singles { addRows(from: indices[singles], times: Self.four(h, singles), to: &row) }
    var sum: Real = 0
    for k in 0..<count { sum += h[k] * row[indices[k]] }
    return sum
  }

  private mutating func addRow(_ index: Int, times factor: Real, to row: inout ErrorVector) {
    let p = elements.span
    var result = row.mutableSpan
    for c in 0..<index { result[unchecked: c] += factor * p[unchecked: c &* Self.stride &+ index] }
    // One by one up to a multiple of four, then whole vectors.
    var c = index
    while c & 3 != 0 {
      result[unchecked: c] += factor * p[unchecked: index &* Self.stride &+ c]
      c &+= 1
    }
    while c < Self.stride {
      Self.store(Self.four(result.span, c) + Self.four(p, index &* Self.stride &+ c) * factor, &result, c)
      c &+= 4
    }
  }

  /// The same for four rows from `first` on, together.
  private mutating func addRows(from first: Int, times h: Real4, to row: inout ErrorVector) {
    let p = elements.span
    var result = row.mutableSpan
    for c in 0..<first { result[unchecked: c] += (h * Self.four(p, c &* Self.stride &+ first)).sum() }
    // The corner of the four themselves, and what is right of it.
    for j in 0..<4 {
      for k in 0..<4 {
        let element = (first &+ min(j, k)) &* Self.stride &+ first &+ max(j, k)
        result[unchecked: first &+ j] += h[k] * p[unchecked: element]
      }
    }
    for c in first &+ 4..<Self.stride {
      for k in 0..<4 { result[unchecked: c] += h[k] * p[unchecked: (first &+ k) &* Self.stride &+ c] }
    }
  }

  /// K = weight · row, P ← P − K row, right of the diagonal.
  private mutating func subtract(_ gain: inout ErrorVector, _ row: inout ErrorVector, weight: Real) {
    var k = gain.mutableSpan
    for c in Swift.stride(from: 0, to: Self.stride, by: 4) { Self.store(Self.four(row.span, c) * weight, &k, c) }
    // Without the field the last four columns are empty.
    guard order > 20 else {
      subtract(from: 0, to: 20, k.span, row.span)
      subtract(from: 4, to: 20, k.span, row.span)
      subtract(from: 8, to: 20, k.span, row.span)
      subtract(from: 12, to: 20, k.span, row.span)
      return subtract(from: 16, to: 20, k.span, row.span)
    }
    subtract(from: 0, to: 24, k.span, row.span)
    subtract(from: 4, to: 24, k.span, row.span)
    subtract(from: 8, to: 24, k.span, row.span)
    subtract(from: 12, to: 24, k.span, row.span)
    subtract(from: 16, to: 24, k.span, row.span)
    subtract(from: 20, to: 24, k.span, row.span)
  }

  /// The same for the four rows from `first` on: whole vectors, and a constant number of them. The elements left of the
  /// diagonal that this changes are never read.
  @inline(__always)
  private mutating func subtract(from first: Int, to end: Int, _ gain: Span<Real>, _ row: Span<Real>) {
    var p = elements.mutableSpan
    for i in first..<max(first, min(order, first + 4)) {
      let (factor, base) = (gain[unchecked: i], i &* Self.stride)
      for c in Swift.stride(from: first, to: end, by: 4) {
        Self.store(Self.four(p.span, base &+ c) - Self.four(row, c) * factor, &p, base &+ c)
      }
    }
  }

  /// Four neighbours.
  @inline(__always)
  private static func four(_ p: Span<Real>, _ i: Int) -> Real4 {
    Real4(p[unchecked: i], p[unchecked: i &+ 1], p[unchecked: i &+ 2], p[unchecked: i &+ 3])
  }

  @inline(__always)
  private static func store(_ v: Real4, _ p: inout MutableSpan<Real>, _ i: Int) {
    (p[unchecked: i], p[unchecked: i &+ 1], p[unchecked: i &+ 2], p[unchecked: i &+ 3]) = (v.x, v.y, v.z, v.w)
  }

  // MARK: Prediction

  /// P ← F P Fᵀ for one block: the errors of the gyroscope enter the attitude, and a tilted gravity enters the
  /// velocity.
  mutating func propagate(_ sums: inout BlockSums) {
    addSensorErrors(&sums)
    tiltVelocity(lift: sums.velocity.z)
  }

  /// u_x += V_z θ_y, u_y −= V_z θ_x. The heading is left out on purpose: horizontal motion must not turn the azimuth.
  private mutating func tiltVelocity(lift v: Real) {
    let (east, north) = (ErrorIndex.velocity, ErrorIndex.velocity + 1)
    let (tiltEast, tiltNorth) = (element(1, east), element(0, north))
    let cross = element(1, north) - element(0, east) - v * element(0, 1)
    add(v * (2 * tiltEast + v * element(1, 1)), to: east)
    add(v * (v * element(0, 0) - 2 * tiltNorth), to: north)
    self[east, north] = element(east, north) + v * cross
    for i in 0..<3 {
      self[i, east] = element(i, east) + v * element(i, 1)
      self[i, north] = element(i, north) - v * element(i, 0)
    }
    var p = elements.mutableSpan
    for c in ErrorIndex.bias..<Self.stride {
      p[unchecked: east * Self.stride + c] += v * p[unchecked: Self.stride + c]
      p[unchecked: north * Self.stride + c] -= v * p[unchecked: c]
    }
  }

  /// θ ← θ + A e, with e the twelve errors of the gyroscope and A their sensitivities.
  ///
  /// Row i of F P right of the sensors' columns is P[i] + A[i] P[e]; the 3 × 3 corner needs the same from the other
  /// side.
  private mutating func addSensorErrors(_ sums: inout BlockSums) {
    let (first, width) = (ErrorIndex.bias, Self.stride)
    let a = sums.sensitivity.span
    var p = elements.mutableSpan
    // The rows of e also left of the diagonal, so that the loops below need no case for the symmetry.
    for j in 1..<12 {
      for c in 0..<j { p[unchecked: (first + j) * width + first + c] = p[unchecked: (first + c) * width + first + j] }
    }
    var sumsOfRows = InlineArray<60, Real>(repeating: 0)
    var g = sumsOfRows.mutableSpan
    // The twentieth column is the first of the next row, left of its diagonal. Without the field there are twelve.
    for c in Swift.stride(from: 0, to: order > ErrorIndex.countWithoutField ? 20 : 12, by: 4) {
      var x = Self.four(p.span, first + c)
      var y = Self.four(p.span, width + first + c)
      var z = Self.four(p.span, 2 * width + first + c)
      for j in 0..<12 {
        let row = Self.four(p.span, (first + j) * width + first + c)
        x += row * a[unchecked: j]
        y += row * a[unchecked: 12 + j]
        z += row * a[unchecked: 24 + j]
      }
      Self.store(x, &g, c)
      Self.store(y, &g, 20 + c)
      Self.store(z, &g, 40 + c)
    }
    for i in 0..<3 {
      for k in ErrorIndex.velocity..<ErrorIndex.velocity + 2 {
        p[unchecked: i * width + k] += Self.product(a, 12 * i, p.span, k * width + first)
      }
      for l in i..<3 {
        let sum = Self.product(a, 12 * l, g.span, 20 * i) + Self.product(a, 12 * i, p.span, l * width + first)
        p[unchecked: i * width + l] += sum
      }
    }
    for i in 0..<3 {
      for c in 0..<min(19, order - first) { p[unchecked: i * width + first + c] = g[unchecked: 20 * i + c] }
    }
  }

  /// The sum of twelve products.
  @inline(__always)
  private static func product(_ a: Span<Real>, _ i: Int, _ b: Span<Real>, _ j: Int) -> Real {
    var sum = four(a, i) * four(b, j)
    sum += four(a, i &+ 4) * four(b, j &+ 4)
    sum += four(a, i &+ 8) * four(b, j &+ 8)
    return sum.sum()
  }
}
