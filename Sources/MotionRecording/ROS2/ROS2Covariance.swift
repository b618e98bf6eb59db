// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
import MotionSensing

/// How far the three components of a ROS 2 vector are known: `float64[9]`, row by row.
///
/// Two values have a meaning of their own (the comments of `sensor_msgs/Imu`): all zero says that the covariance is not known,
/// and −1 in the first element that the quantity itself is not measured, so that its numbers must be ignored.
public struct ROS2Covariance: Hashable, Sendable, BitwiseCopyable {
  /// The square of the unit of the quantity; rad² for an orientation.
  public var matrix: Matrix3

  /// A covariance, or one of the two special values.
  public init(_ matrix: Matrix3) { self.matrix = matrix }

  /// The quantity is measured; nobody knows how well.
  public static var unknown: Self { Self(.zero) }
  /// The quantity is not measured.
  public static var notMeasured: Self { Self(Matrix3(-1, 0, 0, 0, 0, 0, 0, 0, 0)) }

  /// False when the numbers beside it must be ignored.
  public var isMeasured: Bool { matrix.m11 != -1 }

  func encode(to writer: inout CDRWriter) {
    for value in [
      matrix.m11, matrix.m12, matrix.m13, matrix.m21, matrix.m22, matrix.m23, matrix.m31, matrix.m32, matrix.m33,
    ] { writer.append(value) }
  }

  init(from reader: inout CDRReader) throws(SensorError) {
    matrix = Matrix3(
      try reader.readDouble(), try reader.readDouble(), try reader.readDouble(),
      try reader.readDouble(), try reader.readDouble(), try reader.readDouble(),
      try reader.readDouble(), try reader.readDouble(), try reader.readDouble())
  }
}

extension Vector3 {
  /// `geometry_msgs/Vector3`.
  func encode(to writer: inout CDRWriter) {
    writer.append(x)
    writer.append(y)
    writer.append(z)
  }

  init(from reader: inout CDRReader) throws(SensorError) {
    self.init(x: try reader.readDouble(), y: try reader.readDouble(), z: try reader.readDouble())
  }

  /// Finite and of a size that a measurement can have; anything else counts as missing.
  var isMeasurement: Bool {
    max(abs(x), abs(y), abs(z)) <= InputLimits.magnitude && isFinite
  }
}
