// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Rows of input, where the caller has them.
struct RowReader {
  private let times: UnsafeRawPointer?
  private let timeStride: Int
  let gyroscope, accelerometer, magnetometer: Column

  init(_ input: ocm_input) {
    times = UnsafeRawPointer(input.time)
    timeStride = Int(truncatingIfNeeded: input.time_stride)
    gyroscope = Column(input.gyroscope)
    accelerometer = Column(input.accelerometer)
    magnetometer = Column(input.magnetometer)
  }

  var hasTime: Bool { times != nil }
  var areTypesKnown: Bool { gyroscope.isTypeKnown && accelerometer.isTypeKnown && magnetometer.isTypeKnown }

  /// ns.
  @inline(__always)
  func time(_ row: Int) -> Int64 {
    times?.loadUnaligned(fromByteOffset: row &* timeStride, as: Int64.self) ?? 0
  }

  /// The readings of one sensor.
  struct Column {
    private let x, y, z: UnsafeRawPointer
    private let stride: Int
    private let isFloat: Bool
    let exists, isTypeKnown: Bool

    init(_ vectors: ocm_vectors) {
      // A sensor that does not exist is never read.
      let nowhere = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
      (x, y, z) = (vectors.x ?? nowhere, vectors.y ?? nowhere, vectors.z ?? nowhere)
      exists = vectors.x != nil && vectors.y != nil && vectors.z != nil
      stride = Int(truncatingIfNeeded: vectors.stride)
      isFloat = vectors.type == Int32(OCM_FLOAT)
      isTypeKnown = !exists || isFloat || vectors.type == Int32(OCM_DOUBLE)
    }

    @inline(__always)
    subscript(row: Int) -> Vector3<Device> {
      let offset = row &* stride
      guard isFloat else {
        return Vector3(
          x: x.loadUnaligned(fromByteOffset: offset, as: Double.self),
          y: y.loadUnaligned(fromByteOffset: offset, as: Double.self),
          z: z.loadUnaligned(fromByteOffset: offset, as: Double.self))
      }
      return Vector3(
        x: Double(x.loadUnaligned(fromByteOffset: offset, as: Float.self)),
        y: Double(y.loadUnaligned(fromByteOffset: offset, as: Float.self)),
        z: Double(z.loadUnaligned(fromByteOffset: offset, as: Float.self)))
    }

    /// Nil for one that is not finite, or beyond the limit.
    @inline(__always)
    func reading(_ row: Int, limit: Double) -> Vector3<Device>? {
      let reading = self[row]
      return reading.isWithin(limit) ? reading : nil
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
  @inline(__always)
  private func place(_ row: Int, _ index: Int) -> UnsafeMutablePointer<Double>? {
    guard let data else { return nil }
    let offset = row &* Int(truncatingIfNeeded: self.row) &+ index &* Int(truncatingIfNeeded: column)
    return (UnsafeMutableRawPointer(data) + offset).assumingMemoryBound(to: Double.self)
  }

  @inline(__always)
  func write(_ row: Int, _ a: Double) { place(row, 0)?.pointee = a }

  @inline(__always)
  func write(_ row: Int, _ a: Double, _ b: Double) {
    write(row, a)
    place(row, 1)?.pointee = b
  }

  @inline(__always)
  func write(_ row: Int, _ v: Vector3<Device>) {
    write(row, v.x, v.y)
    place(row, 2)?.pointee = v.z
  }

  @inline(__always)
  func write(_ row: Int, _ a: Double, _ b: Double, _ c: Double, _ d: Double) {
    write(row, a, b)
    place(row, 2)?.pointee = c
    place(row, 3)?.pointee = d
  }
}

extension ocm_flags {
  @inline(__always)
  func write(_ index: Int, _ flag: Bool) {
    guard let data else { return }
    data[index &* Int(truncatingIfNeeded: row)] = flag ? 1 : 0
  }
}

/// Follows the angle by which the magnetometer has turned the azimuth: what the gyroscope does not explain of its turning.
///
/// Without it the azimuth is arbitrary; this one begins with the attitude that has no turn about the vertical.
struct FieldTurn {
  /// Of half the angle.
  private(set) var cosine = 1.0, sine = 0.0
  /// −π…π.
  private(set) var angle = 0.0
  private var previous: (attitude: Rotation<Device, EastNorthUp>, rate: Vector3<Device>, time: Int64)?

  @inline(__always)
  mutating func update(_ attitude: Rotation<Device, EastNorthUp>, rate: Vector3<Device>, at time: Int64) {
    defer { previous = (attitude, rate, time) }
    guard let previous else { return add(attitude.w, attitude.z) }
    guard time > previous.time else { return }
    let interval = Double(time &- previous.time) * 1e-9
    let step = Rotation<Device, Device>(rotationVector: (previous.rate + rate) * (0.5 * interval))
    let unexplained = attitude * (previous.attitude * step).inverse
    add(unexplained.w, unexplained.z)
  }

  @inline(__always)
  private mutating func add(_ w: Double, _ z: Double) {
    let tangent = z / w
    if abs(tangent) < 0.01 {
      let square = tangent * tangent
      angle += 2 * tangent * (1 - square * (1.0 / 3 - square * (1.0 / 5)))
    } else {
      angle += 2 * Scalar.atan2(z, w)
    }
    if abs(angle) > .pi { angle -= angle > 0 ? 2 * .pi : -2 * .pi }
    if abs(angle) > .pi { angle -= angle > 0 ? 2 * .pi : -2 * .pi }
    (cosine, sine) = (cosine * w - sine * z, cosine * z + sine * w)
    let length = (cosine * cosine + sine * sine).squareRoot()
    guard length > 0 else { return (cosine, sine) = (1, 0) }
    (cosine, sine) = (cosine / length, sine / length)
  }
}
