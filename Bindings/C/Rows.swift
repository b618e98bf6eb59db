// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Rows of input, where the caller has them.
struct RowReader {
  private let times: Place?
  private let timeStride: Int
  private let firstRow: Int64
  private let interval: Double
  let gyroscope, accelerometer, magnetometer: Column

  init(_ input: ocm_input) {
    times = Place(input.time)
    timeStride = Int(truncatingIfNeeded: input.time_stride)
    (firstRow, interval) = (input.first_row, input.interval)
    gyroscope = Column(input.gyroscope)
    accelerometer = Column(input.accelerometer)
    magnetometer = Column(input.magnetometer)
  }

  /// False for an interval of NaN, too.
  func hasTime(_ count: Int) -> Bool {
    guard times == nil else { return true }
    return interval >= 1 && firstRow >= 0 && Double(firstRow) + Double(count) < 9e18 / interval
  }
  var areTypesKnown: Bool { gyroscope.isTypeKnown && accelerometer.isTypeKnown && magnetometer.isTypeKnown }

  /// The seconds between rows where they have no times, else 0.
  var steadyInterval: Double { times == nil ? 1e-9 * interval : 0 }

  /// ns.
  @inline(__always)
  func time(_ row: Int) -> Int64 {
    if let times { return times.number(row &* timeStride, Int64.self) }
    // Within the range of Int64, as `hasTime` says; the half rounds.
    return Int64((Double(firstRow &+ Int64(row)) * interval + 0.5))
  }

  /// False when a time is not later than the one before.
  func isSorted(_ count: Int, after latest: Int64?) -> Bool {
    guard count > 0 else { return true }
    var previous = time(0)
    if let latest, previous <= latest { return false }
    guard times != nil else { return true }
    for row in 1..<max(1, count) {
      let time = time(row)
      if time <= previous { return false }
      previous = time
    }
    return true
  }

  /// The readings of one sensor.
  struct Column {
    private let x, y, z: Place
    private let stride: Int
    private let isFloat: Bool
    let exists, isTypeKnown: Bool

    init(_ vectors: ocm_vectors) {
      let (x, y, z) = (Place(vectors.x), Place(vectors.y), Place(vectors.z))
      exists = x != nil && y != nil && z != nil
      // A sensor that does not exist is never read.
      (self.x, self.y, self.z) = (x ?? .nowhere, y ?? .nowhere, z ?? .nowhere)
      stride = Int(truncatingIfNeeded: vectors.stride)
      isFloat = vectors.type == Int32(OCM_FLOAT)
      isTypeKnown = !exists || isFloat || vectors.type == Int32(OCM_DOUBLE)
    }

    @inline(__always)
    subscript(row: Int) -> Vector3<Device> {
      let offset = row &* stride
      guard isFloat else {
        return Vector3(
          x: x.number(offset, Double.self),
          y: y.number(offset, Double.self),
          z: z.number(offset, Double.self))
      }
      return Vector3(
        x: Double(x.number(offset, Float.self)),
        y: Double(y.number(offset, Float.self)),
        z: Double(z.number(offset, Float.self)))
    }

    /// True when all rows are finite and within the limit.
    func areWithin(_ limit: Double, _ count: Int) -> Bool {
      // Rows without gaps are one array, which vector instructions read.
      if !isFloat, stride == 24, let numbers = x.array(y, z) {
        var outside = 0
        for i in 0..<count &* 3 { outside |= abs(numbers[i]) <= limit ? 0 : 1 }
        return outside == 0
      }
      for row in 0..<count where !self[row].isWithin(limit) { return false }
      return true
    }

    /// Nil for one that is not finite, or beyond the limit.
    @inline(__always)
    func reading(_ row: Int, limit: Double) -> Vector3<Device>? {
      let vector = self[row]
      return vector.isWithin(limit) ? vector : nil
    }
  }
}

extension Vector3 {
  /// False for NaN, too.
  @inline(__always)
  func isWithin(_ limit: Double) -> Bool { abs(x) <= limit && abs(y) <= limit && abs(z) <= limit }

  /// Three NaN, which stand for no reading.
  static var missing: Self { Self(x: .nan, y: .nan, z: .nan) }

  @inline(__always)
  var isMissing: Bool { x.isNaN && y.isNaN && z.isNaN }
}

extension ocm_table {
  /// Nil where the caller wants none.
  @inline(__always)
  private func target(_ row: Int) -> Target? { Target(data, row: row, stride: self.row) }

  @inline(__always)
  private var step: Int { Int(truncatingIfNeeded: column) }

  @inline(__always)
  func write(_ row: Int, _ a: Double) { target(row)?.store(a) }

  @inline(__always)
  func write(_ row: Int, from first: Int = 0, _ v: Vector3<Device>) {
    guard let target = target(row) else { return }
    let start = first &* step
    target.store(v.x, start)
    target.store(v.y, start &+ step)
    target.store(v.z, start &+ 2 &* step)
  }

  @inline(__always)
  func write(_ row: Int, _ a: Double, _ b: Double) {
    guard let target = target(row) else { return }
    target.store(a)
    target.store(b, step)
  }

  @inline(__always)
  func write(_ row: Int, _ a: Double, _ b: Double, _ c: Double, _ d: Double) {
    guard let target = target(row) else { return }
    target.store(a)
    target.store(b, step)
    target.store(c, 2 &* step)
    target.store(d, 3 &* step)
  }
}

extension ocm_flags {
  @inline(__always)
  func write(_ index: Int, _ flag: Bool) { Target(data, row: index, stride: row)?.store(flag ? 1 : 0 as UInt8) }
}

/// Follows the angle by which the magnetometer has turned the azimuth: what the gyroscope does not explain of its
/// turning.
///
/// Without it the azimuth is arbitrary; this one begins with the attitude that has no turn about the vertical.
struct FieldTurn {
  /// Of half the angle.
  private(set) var cosine = 1.0, sine = 0.0
  /// −π…π.
  private(set) var angle = 0.0
  private var previous: (attitude: Rotation<Device, EastNorthUp>, rate: Vector3<Device>, time: Int64)?

  @inline(__always)
  mutating func update(_ q: Rotation<Device, EastNorthUp>, rate: Vector3<Device>, at time: Int64) {
    defer { previous = (q, rate, time) }
    guard let previous else { return add(q.w, q.z) }
    guard time > previous.time else { return }
    let turn = (previous.rate + rate) * (0.5e-9 * Double(time &- previous.time))
    let p = previous.attitude
    let step = Rotation<Device, Device>(rotationVector: turn)
    let (a, b, c, d) = (step.w, step.x, step.y, step.z)
    // The expected attitude. `p * step` would be normalised once more, with other last digits.
    let (ew, ex) = (p.w * a - p.x * b - p.y * c - p.z * d, p.w * b + p.x * a + p.y * d - p.z * c)
    let (ey, ez) = (p.w * c - p.x * d + p.y * a + p.z * b, p.w * d + p.x * c - p.y * b + p.z * a)
    // The parts about the vertical of q times the inverse of the expected one.
    add(q.w * ew + q.x * ex + q.y * ey + q.z * ez, q.z * ew - q.w * ez + q.y * ex - q.x * ey)
  }

  @inline(__always)
  private mutating func add(_ w: Double, _ z: Double) {
    let tangent = z / w
    if abs(tangent) < 0.01 {
      let square = tangent * tangent
      angle += 2 * tangent * (1 - square * (1.0 / 3 - square * (1.0 / 5 - square * (1.0 / 7))))
    } else {
      angle += 2 * Scalar.atan2(z, w)
    }
    if abs(angle) > .pi { angle -= angle > 0 ? 2 * .pi : -2 * .pi }
    if abs(angle) > .pi { angle -= angle > 0 ? 2 * .pi : -2 * .pi }
    (cosine, sine) = (cosine * w - sine * z, cosine * z + sine * w)
    let square = cosine * cosine + sine * sine
    // Near 1 by one step of Newton's.
    let k = abs(square - 1) < 1e-7 ? 1.5 - 0.5 * square : 1 / square.squareRoot()
    guard square > 0 else { return (cosine, sine) = (1, 0) }
    (cosine, sine) = (cosine * k, sine * k)
  }
}
