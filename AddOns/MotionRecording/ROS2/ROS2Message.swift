// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A message of ROS 2 that carries what a motion sensor measures: a header, then nothing but numbers.
///
/// ```swift
/// if let type = ROS2MessageType(schemaName: schema.name) {
///   samples += try ROS2Message(type, decoding: bytes).samples     // CDR, little or big endian
/// }
/// ```
struct ROS2Message: Hashable, Sendable {
  let type: ROS2MessageType
  var header: ROS2Header
  /// In the order of the type's fields.
  var numbers: [Double]

  /// Decodes the CDR of one message, encapsulation included.
  ///
  /// - Throws: `SensorError` when the bytes are cut off, of another representation, or of another type.
  init(_ type: ROS2MessageType, decoding bytes: ArraySlice<UInt8>) throws(SensorError) {
    var reader = try CDRReader(bytes)
    let stamp = ROS2Time(seconds: try reader.integer(), nanoseconds: try reader.integer())
    self.init(type, ROS2Header(stamp: stamp, frameID: try reader.text()), [])
    numbers.reserveCapacity(type.numberCount)
    for _ in 0..<type.numberCount { numbers.append(try reader.double()) }
    try reader.requireEnd()
  }

  private init(_ type: ROS2MessageType, _ header: ROS2Header, _ numbers: [Double]) {
    (self.type, self.header, self.numbers) = (type, header, numbers)
  }

  /// The CDR of the message, encapsulation included; little endian by default.
  func encoded(order: CDRByteOrder = .little) -> [UInt8] {
    var writer = CDRWriter(order: order, capacity: 320 + header.frameID.utf8.count)
    writer.append(header.stamp.seconds)
    writer.append(header.stamp.nanoseconds)
    writer.append(header.frameID)
    for number in numbers { writer.append(number) }
    return writer.bytes
  }
}

extension ROS2Message {
  /// Orientation, rotation rate and acceleration of one inertial unit; nil = not measured, which −1 at the beginning of
  /// the covariance states then. Covariances that are all zero are unknown (the comments of `sensor_msgs/Imu`).
  ///
  /// The orientation leads from the unit to east-north-up (REP 145). `linear_acceleration`, m/s², contains gravity in
  /// spite of its name: a unit at rest, face up, reads (0, 0, +9.81).
  static func imu(
    _ header: ROS2Header, attitude: Rotation<Device, EastNorthUp>?, angularVelocity: Vector3<Device>?,
    specificForce: Vector3<Device>?
  ) -> ROS2Message {
    let turn = attitude ?? .identity
    var numbers = [Double](repeating: 0, count: force + vectorSize)
    (numbers[0], numbers[1], numbers[2], numbers[3]) = (turn.x, turn.y, turn.z, turn.w)
    if attitude == nil { numbers[4] = -1 }
    put(angularVelocity, at: rate, into: &numbers)
    put(specificForce, at: force, into: &numbers)
    return ROS2Message(.imu, header, numbers)
  }

  /// One reading of a magnetometer, tesla.
  static func magneticField(_ header: ROS2Header, _ field: Vector3<Device>) -> ROS2Message {
    var numbers = [Double](repeating: 0, count: vectorSize)
    put(field, at: 0, into: &numbers)
    return ROS2Message(.magneticField, header, numbers)
  }

  /// Pascal, absolute. The type serves air and water; the message does not contain which.
  static func fluidPressure(_ header: ROS2Header, _ pressure: Double) -> ROS2Message {
    ROS2Message(.fluidPressure, header, [pressure, 0])
  }

  /// °C.
  static func temperature(_ header: ROS2Header, _ temperature: Double) -> ROS2Message {
    ROS2Message(.temperature, header, [temperature, 0])
  }

  private static func put(_ vector: Vector3<Device>?, at place: Int, into numbers: inout [Double]) {
    guard let vector else { return numbers[place + 3] = -1 }
    (numbers[place], numbers[place + 1], numbers[place + 2]) = (vector.x, vector.y, vector.z)
  }
}

extension ROS2Message {
  /// Where the vectors of an `Imu` lie among its numbers, each with its covariance behind it.
  private static let rate = 13, force = 25
  /// Three numbers and their covariance, row by row, the square of their unit.
  private static let vectorSize = 12

  /// Three numbers and the covariance behind them; nil when they are marked as not measured, or are no measurement.
  private func vector(at place: Int) -> Vector3<Device>? {
    let vector = Vector3<Device>(x: numbers[place], y: numbers[place + 1], z: numbers[place + 2])
    let isMeasurement = max(abs(vector.x), abs(vector.y), abs(vector.z)) <= InputLimits.magnitude && vector.isFinite
    return numbers[place + 3] != -1 && isMeasurement ? vector : nil
  }

  /// rad/s, right-handed, of an `Imu`; nil when it is missing.
  var angularVelocity: Vector3<Device>? { vector(at: Self.rate) }
  /// m/s² of an `Imu`, gravity included; nil when it is missing.
  var specificForce: Vector3<Device>? { vector(at: Self.force) }

  /// The orientation of an `Imu`; nil when it is not measured or the numbers miss unit length by more than 1 %.
  var attitude: Rotation<Device, EastNorthUp>? {
    let (vector, w) = (Vector3<Device>(x: numbers[0], y: numbers[1], z: numbers[2]), numbers[3])
    guard numbers[4] != -1, abs(w * w + vector.dot(vector) - 1) <= 0.02 else { return nil }
    return Rotation(w: w, x: vector.x, y: vector.y, z: vector.z)
  }

  /// The measurements in it, at the time of its header, a sensor a sample, as each has a time line of its own; empty when
  /// all of them are marked or written as missing.
  var samples: [SensorSample] {
    let time = header.stamp.instant
    let number = abs(numbers[0]) <= InputLimits.magnitude ? numbers[0] : nil
    let samples: [SensorSample?] =
      switch type {
      case .imu:
        [
          specificForce.map { .accelerometer(AccelerometerSample(time: time, specificForce: $0)) },
          angularVelocity.map { .gyroscope(GyroscopeSample(time: time, angularVelocity: $0)) },
        ]
      case .magneticField:
        [vector(at: 0).map { .magnetometer(MagnetometerSample(time: time, magneticField: $0)) }]
      case .fluidPressure: [number.map { .pressure(PressureSample(time: time, pressure: $0)) }]
      case .temperature: [number.map { .temperature(TemperatureSample(time: time, temperature: $0)) }]
      }
    return samples.compactMap(\.self)
  }

  /// The motion that the sender of an `Imu` has fused itself; nil when one of its three parts is missing.
  ///
  /// - Parameter reference: what the sender's "north" is; the message does not contain it. Default: arbitrary.
  func motion(reference: MotionRow.Reference = .xArbitrary) -> MotionRow? {
    guard type == .imu, let attitude, let angularVelocity, let specificForce else { return nil }
    let gravity = attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: standardGravity)
    let turned = ROS2Frames.northWestUp * attitude
    return MotionRow(
      time: header.stamp.instant, w: turned.w, vector: Vector3(x: turned.x, y: turned.y, z: turned.z),
      reference: reference, angularVelocity: angularVelocity, gravity: gravity,
      linearAcceleration: specificForce - gravity, accelerationUnit: .metresPerSecondSquared)
  }
}

/// The quarter turn between Core Motion's frame (x north, y west) and that of ROS (x east, y north; REP 103).
enum ROS2Frames {
  static var eastNorthUp: Rotation<NorthWestUp, EastNorthUp> { Rotation(aboutZ: .pi / 2) }
  static var northWestUp: Rotation<EastNorthUp, NorthWestUp> { Rotation(aboutZ: -.pi / 2) }
}

/// Where and when a ROS 2 message was measured: `std_msgs/Header`.
struct ROS2Header: Hashable, Sendable {
  /// When; ROS counts from the Unix epoch.
  var stamp: ROS2Time
  /// The name of the coordinate frame of the numbers, which others place in the robot. At most 1024 bytes are read.
  var frameID: String
}

/// A point in time as ROS 2 writes it: `builtin_interfaces/Time`. Whole seconds in 32 bits last until January 2038.
struct ROS2Time: Hashable, Sendable, BitwiseCopyable {
  /// s since the epoch of the clock.
  var seconds: Int32
  /// ns to be added, below 10⁹ in what we write.
  var nanoseconds: UInt32
}

extension ROS2Time {
  /// An instant; nil beyond ±68 years of the epoch, which 32 bits cannot hold.
  init?(_ instant: SensorInstant) {
    let (seconds, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard let whole = Int32(exactly: rest < 0 ? seconds - 1 : seconds) else { return nil }
    self.init(seconds: whole, nanoseconds: UInt32(rest < 0 ? rest + 1_000_000_000 : rest))
  }

  /// The same as an instant on the clock of the message.
  var instant: SensorInstant {
    SensorInstant(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds))
  }
}
