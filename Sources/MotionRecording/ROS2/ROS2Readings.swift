// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
public import MotionSensing

/// One reading of a magnetometer: `sensor_msgs/MagneticField`.
public struct ROS2MagneticField: Hashable, Sendable {
  /// Time and frame.
  public var header: ROS2Header
  /// Tesla.
  public var magneticField: Vector3<Device>
  /// Tesla².
  public var covariance: ROS2Covariance

  /// A reading in tesla.
  public init(header: ROS2Header, magneticField: Vector3<Device>, covariance: ROS2Covariance = .unknown) {
    self.header = header
    self.magneticField = magneticField
    self.covariance = covariance
  }

  /// The reading, unless it is marked or written as missing.
  public var samples: [SensorSample] {
    guard covariance.isMeasured, magneticField.isMeasurement else { return [] }
    return [.magnetometer(MagnetometerSample(time: header.stamp.instant, magneticField: magneticField))]
  }

  func encode(to writer: inout CDRWriter) {
    header.encode(to: &writer)
    magneticField.encode(to: &writer)
    covariance.encode(to: &writer)
  }

  init(from reader: inout CDRReader) throws(SensorError) {
    header = try ROS2Header(from: &reader)
    magneticField = try Vector3(from: &reader)
    covariance = try ROS2Covariance(from: &reader)
  }
}

/// One number with its variance: the layout that `sensor_msgs/FluidPressure` and `sensor_msgs/Temperature` share.
public struct ROS2Scalar: Hashable, Sendable {
  /// Time and frame.
  public var header: ROS2Header
  /// Pascal, absolute; or °C.
  public var value: Double
  /// The square of the unit; 0 = not known.
  public var variance: Double

  /// A reading; variance 0, the default, = not known.
  public init(header: ROS2Header, value: Double, variance: Double = 0) {
    self.header = header
    self.value = value
    self.variance = variance
  }

  /// Nil when the number is none.
  var measurement: Double? { abs(value) <= InputLimits.magnitude ? value : nil }

  func encode(to writer: inout CDRWriter) {
    header.encode(to: &writer)
    writer.append(value)
    writer.append(variance)
  }

  init(from reader: inout CDRReader) throws(SensorError) {
    header = try ROS2Header(from: &reader)
    value = try reader.readDouble()
    variance = try reader.readDouble()
  }
}
