// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A message of ROS 2 that carries what a motion sensor measures.
///
/// ```swift
/// if let type = ROS2MessageType(schemaName: schema.name) {
///   let message = try ROS2Message(type, decoding: bytes)     // CDR, little or big endian
///   samples += message.samples
/// }
/// ```
enum ROS2Message: Hashable, Sendable {
  case imu(ROS2Imu)
  case magneticField(ROS2MagneticField)
  /// Pascal, absolute. The type serves air and water; the message does not say which.
  case fluidPressure(ROS2Scalar)
  /// °C.
  case temperature(ROS2Scalar)

  /// Decodes the CDR of one message, encapsulation included.
  ///
  /// - Throws: `SensorError` when the bytes are cut off, of another representation, or of another type.
  init(_ type: ROS2MessageType, decoding bytes: ArraySlice<UInt8>) throws(SensorError) {
    var reader = try CDRReader(bytes)
    switch type {
    case .imu: self = .imu(ROS2Imu(header: .empty, attitude: nil, angularVelocity: nil, specificForce: nil))
    case .magneticField: self = .magneticField(ROS2MagneticField(header: .empty, magneticField: .zero))
    case .fluidPressure: self = .fluidPressure(ROS2Scalar(header: .empty, value: 0))
    case .temperature: self = .temperature(ROS2Scalar(header: .empty, value: 0))
    }
    try code(&reader)
    try reader.requireEnd()
  }

  private mutating func code(_ coder: inout some CDRCoder) throws(SensorError) {
    switch self {
    case .imu(var message):
      try message.code(&coder)
      self = .imu(message)
    case .magneticField(var message):
      try message.code(&coder)
      self = .magneticField(message)
    case .fluidPressure(var message):
      try message.code(&coder)
      self = .fluidPressure(message)
    case .temperature(var message):
      try message.code(&coder)
      self = .temperature(message)
    }
  }

  /// The CDR of the message, encapsulation included; little endian by default.
  func encoded(order: CDRByteOrder = .little) -> [UInt8] {
    var writer = CDRWriter(order: order, capacity: 320 + header.frameID.utf8.count)
    var message = self
    // A writer throws nothing.
    try? message.code(&writer)
    return writer.bytes
  }

  /// What kind of message it is.
  var type: ROS2MessageType {
    switch self {
    case .imu: .imu
    case .magneticField: .magneticField
    case .fluidPressure: .fluidPressure
    case .temperature: .temperature
    }
  }

  /// Time and frame.
  var header: ROS2Header {
    switch self {
    case .imu(let message): message.header
    case .magneticField(let message): message.header
    case .fluidPressure(let message), .temperature(let message): message.header
    }
  }

  /// The measurements in it, at the time of its header; empty when all of them are marked or written as missing.
  var samples: [SensorSample] {
    switch self {
    case .imu(let message): message.samples
    case .magneticField(let message): message.samples
    case .fluidPressure(let message):
      message.measurement.map { [.pressure(PressureSample(time: header.stamp.instant, pressure: $0))] } ?? []
    case .temperature(let message):
      message.measurement.map { [.temperature(TemperatureSample(time: header.stamp.instant, temperature: $0))] } ?? []
    }
  }
}

/// The ROS 2 messages that are read and written, with their names and definitions.
enum ROS2MessageType: Sendable, Hashable, CaseIterable {
  case imu, magneticField, fluidPressure, temperature

  /// A type by the name of its schema, in the form of ROS 2 (`sensor_msgs/msg/Imu`) or the shorter one (`sensor_msgs/Imu`).
  init?(schemaName: String) {
    guard let type = Self.allCases.first(where: { [$0.schemaName, "sensor_msgs/\($0.name)"].contains(schemaName) })
    else { return nil }
    self = type
  }

  /// `sensor_msgs/msg/…`.
  var schemaName: String { "sensor_msgs/msg/\(name)" }

  private var name: String {
    switch self {
    case .imu: "Imu"
    case .magneticField: "MagneticField"
    case .fluidPressure: "FluidPressure"
    case .temperature: "Temperature"
    }
  }

  /// The definition in the form that MCAP calls `ros2msg`: its own fields, then those of every type that it uses, each behind
  /// a line of 80 equals signs and its name. Source: MCAP's registry of schema encodings; the fields are those of ROS 2's
  /// public `common_interfaces`.
  var schema: String {
    var parts = ["std_msgs/Header header\n" + fields]
    if self == .imu {
      parts.append("MSG: geometry_msgs/Quaternion\nfloat64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n")
    }
    if self == .imu || self == .magneticField {
      parts.append("MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n")
    }
    parts.append("MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n")
    parts.append("MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n")
    return parts.joined(separator: String(repeating: "=", count: 80) + "\n")
  }

  private var fields: String {
    switch self {
    case .imu:
      """
      geometry_msgs/Quaternion orientation
      float64[9] orientation_covariance
      geometry_msgs/Vector3 angular_velocity
      float64[9] angular_velocity_covariance
      geometry_msgs/Vector3 linear_acceleration
      float64[9] linear_acceleration_covariance

      """
    case .magneticField:
      """
      geometry_msgs/Vector3 magnetic_field
      float64[9] magnetic_field_covariance

      """
    case .fluidPressure:
      """
      float64 fluid_pressure
      float64 variance

      """
    case .temperature:
      """
      float64 temperature
      float64 variance

      """
    }
  }
}
