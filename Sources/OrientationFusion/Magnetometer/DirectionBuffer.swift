// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Readings of the field from as many directions as possible, one per cell of the sphere.
///
/// A device that lies on a table for an hour sends one direction a million times. One place per direction gives every
/// direction the same weight, and the number of filled cells says how much of the sphere has been seen. The 100 cells
/// have equal areas: ten belts of equal height, ten sectors each.
struct DirectionBuffer: Sendable {
  static let capacity = 100

  /// The point around which the cells lie, T; nil while it is unknown, then the readings are kept in the order of time.
  var centre: Vector3<Device>?
  private(set) var readings = InlineArray<100, Vector3<Device>>(repeating: .zero)
  private(set) var isFilled = InlineArray<100, Bool>(repeating: false)
  private var next = 0
  /// How many readings have come, and the number of each that is kept.
  private var latest: Int32 = 0
  private var numbers = InlineArray<100, Int32>(repeating: 0)
  /// The number of filled cells.
  private(set) var count = 0

  mutating func add(_ reading: Vector3<Device>) {
    latest &+= 1
    add(reading, number: latest)
  }

  private mutating func add(_ reading: Vector3<Device>, number: Int32) {
    guard let centre else {
      put(reading, number, at: next)
      next = (next + 1) % Self.capacity
      return
    }
    put(reading, number, at: Self.cell(reading - centre))
  }

  private mutating func put(_ reading: Vector3<Device>, _ number: Int32, at index: Int) {
    guard !isFilled[index] || numbers[index] <= number else { return }
    if !isFilled[index] { count += 1 }
    readings[index] = reading
    numbers[index] = number
    isFilled[index] = true
  }

  /// Forgets all but the latest readings.
  mutating func keep(latest number: Int) {
    for i in 0..<Self.capacity where isFilled[i] && Int(latest &- numbers[i]) >= number {
      isFilled[i] = false
      count -= 1
    }
  }

  /// Sorts the readings into the cells around a centre, unless they lie around nearly the same one already.
  mutating func arrange(around newCentre: Vector3<Device>) {
    if let centre, (newCentre - centre).length < Constant.smallestMove { return }
    let old = self
    self = DirectionBuffer()
    centre = newCentre
    latest = old.latest
    for i in 0..<Self.capacity where old.isFilled[i] { add(old.readings[i], number: old.numbers[i]) }
  }

  private static func cell(_ offset: Vector3<Device>) -> Int {
    guard let direction = offset.normalized else { return 0 }
    let belt = min(9, max(0, Int((direction.z + 1) * 5)))  // fits: −1…1 becomes 0…10
    // fits: −π…π becomes 0…10
    let sector = min(9, max(0, Int((Scalar.atan2(direction.y, direction.x) + .pi) / (2 * .pi) * 10)))
    return belt * 10 + sector
  }

  /// The mean strength of the readings around a hard iron, T, and its relative scatter.
  ///
  /// Mutating, though nothing changes, as are the fits: a read through a borrowed buffer copies it (Swift 6.3).
  mutating func spread(around point: Vector3<Device>, softIron: Matrix3) -> (strength: Double, error: Double) {
    var (sums, squareSums) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    let isRound = softIron == .identity
    let (readings, isFilled) = (readings.span, isFilled.span)
    // Two at a time, also where there is none: that adds zero, which is cheaper than a branch.
    for i in stride(from: 0, to: Self.capacity, by: 2) {
      var (a, b) = (readings[unchecked: i] - point, readings[unchecked: i &+ 1] - point)
      if !isRound { (a, b) = (softIron * a, softIron * b) }
      let (x, y, z) = (SIMD2(a.x, b.x), SIMD2(a.y, b.y), SIMD2(a.z, b.z))
      let weights = SIMD2<Double>(isFilled[unchecked: i] ? 1 : 0, isFilled[unchecked: i &+ 1] ? 1 : 0)
      let square = (x * x + y * y + z * z) * weights
      sums += square.squareRoot()
      squareSums += square
    }
    let (sum, squares) = (sums.x + sums.y, squareSums.x + squareSums.y)
    guard count > 0, sum > 0 else { return (0, .infinity) }
    let mean = sum / Double(count)
    return (mean, max(0, squares / Double(count) - mean * mean).squareRoot() / mean)
  }

  /// The centre of the sphere through the readings, stretched by a known soft iron; nil while the directions are few.
  ///
  /// |x|² = 2 c·x + k, linear in the centre c and k (Kåsa, IEEE Trans. Instrum. Meas. 25(1), 1976), x relative to `centre`.
  mutating func fitSphere(softIron: Matrix3) -> HardIronFit? {
    guard let origin = centre, count >= Constant.fewestDirections, let back = softIron.inverse else { return nil }
    var system = LeastSquares(unknowns: 4)
    let scale = 1 / Constant.directionUnit
    let readings = readings.span
    for i in 0..<Self.capacity where isFilled[i] {
      let x = softIron * (readings[i] - origin) * scale
      system.add([2 * x.x, 2 * x.y, 2 * x.z, 1, 0, 0, 0, 0, 0], equals: x.dot(x))
    }
    guard let s = system.solve() else { return nil }
    let centre = Vector3<Device>(x: s.solution[0], y: s.solution[1], z: s.solution[2])
    let worst = max(s.variances[0], s.variances[1], s.variances[2])
    return HardIronFit(
      centre: origin + back * centre * Constant.directionUnit,
      deviation: (Self.readingsPerPlace * worst).squareRoot() * Constant.directionUnit)
  }

  /// Readings of neighbouring directions come from one place and share the error of its field: so many count as one.
  static var readingsPerPlace: Double { 12 }
}
