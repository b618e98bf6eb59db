// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Where and when a ROS 2 message was measured: `std_msgs/Header`.
struct ROS2Header: Hashable, Sendable {
  /// When; ROS counts from the Unix epoch.
  var stamp: ROS2Time
  /// The name of the coordinate frame of the numbers, which others place in the robot. At most 1024 bytes are read.
  var frameID: String
}

extension ROS2Header {
  /// To be filled in.
  static let empty = ROS2Header(stamp: ROS2Time(seconds: 0, nanoseconds: 0), frameID: "")

  mutating func code(_ coder: inout some CDRCoder) throws(SensorError) {
    try coder.code(&stamp.seconds)
    try coder.code(&stamp.nanoseconds)
    try coder.code(&frameID)
  }
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

/// How far the three components of a ROS 2 vector are known: `float64[9]`, row by row.
///
/// Two values have a meaning of their own (the comments of `sensor_msgs/Imu`): all zero says that the covariance is not known,
/// and −1 in the first element that the quantity itself is not measured, so that its numbers must be ignored.
struct ROS2Covariance: Hashable, Sendable, BitwiseCopyable {
  /// The square of the unit of the quantity; rad² for an orientation.
  var matrix: Matrix3

  init(_ matrix: Matrix3) { self.matrix = matrix }

  /// The quantity is measured; how well is not known.
  static var unknown: Self { Self(.zero) }
  /// The quantity is not measured.
  static var notMeasured: Self { Self(Matrix3(-1, 0, 0, 0, 0, 0, 0, 0, 0)) }

  /// False when the numbers beside it must be ignored.
  var isMeasured: Bool { matrix.m11 != -1 }

  mutating func code(_ coder: inout some CDRCoder) throws(SensorError) {
    var m = [
      matrix.m11, matrix.m12, matrix.m13, matrix.m21, matrix.m22, matrix.m23, matrix.m31, matrix.m32, matrix.m33,
    ]
    for index in m.indices { try coder.code(&m[index]) }
    matrix = Matrix3(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
  }
}

extension Vector3 {
  /// `geometry_msgs/Vector3`.
  mutating func code(_ coder: inout some CDRCoder) throws(SensorError) {
    try coder.code(&x)
    try coder.code(&y)
    try coder.code(&z)
  }

  /// Finite and of a size that a measurement can have; anything else counts as missing.
  var isMeasurement: Bool {
    max(abs(x), abs(y), abs(z)) <= InputLimits.magnitude && isFinite
  }
}
