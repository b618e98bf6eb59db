// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Rows of input, where the caller has them.
struct RowReader {
  private let times: Place
  private let timeStride: Int
  let hasTime: Bool
  let gyroscope, accelerometer, magnetometer: Column

  init(_ input: ocm_input) {
    let times = Place(input.time)
    hasTime = times != nil
    self.times = times ?? .nowhere
    timeStride = Int(truncatingIfNeeded: input.time_stride)
    gyroscope = Column(input.gyroscope)
    accelerometer = Column(input.accelerometer)
    magnetometer = Column(input.magnetometer)
  }

  var areTypesKnown: Bool { gyroscope.isTypeKnown && accelerometer.isTypeKnown && magnetometer.isTypeKnown }

  /// ns.
  @inline(__always)
  func time(_ row: Int) -> Int64 { times.number(row &* timeStride, Int64.self) }

  /// False when a time is not later than the one before.
  func isSorted(_ count: Int, after latest: Int64?) -> Bool {
    guard count > 0 else { return true }
    var previous = time(0)
    if let latest, previous <= latest { return false }
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
  func write(_ row: Int, _ v: Vector3<Device>) {
    guard let target = target(row) else { return }
    target.store(v.x)
    target.store(v.y, step)
    target.store(v.z, 2 &* step)
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
