// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The ROS 2 messages that are read and written, by their names in `sensor_msgs`: a header and these fields.
enum ROS2MessageType: String, Sendable, Hashable, CaseIterable {
  case imu = "Imu"
  case magneticField = "MagneticField"
  case fluidPressure = "FluidPressure"
  case temperature = "Temperature"

  private enum Field: String {
    case quaternion = "geometry_msgs/Quaternion"
    case vector = "geometry_msgs/Vector3"
    case covariance = "float64[9]"
    case number = "float64"

    var numberCount: Int {
      switch self {
      case .quaternion: 4
      case .vector: 3
      case .covariance: 9
      case .number: 1
      }
    }
  }

  private var fields: [(type: Field, name: String)] {
    switch self {
    case .imu:
      [
        (.quaternion, "orientation"), (.covariance, "orientation_covariance"), (.vector, "angular_velocity"),
        (.covariance, "angular_velocity_covariance"), (.vector, "linear_acceleration"),
        (.covariance, "linear_acceleration_covariance"),
      ]
    case .magneticField: [(.vector, "magnetic_field"), (.covariance, "magnetic_field_covariance")]
    case .fluidPressure: [(.number, "fluid_pressure"), (.number, "variance")]
    case .temperature: [(.number, "temperature"), (.number, "variance")]
    }
  }

  /// Numbers behind the header.
  var numberCount: Int { fields.reduce(0) { $0 + $1.type.numberCount } }

  /// A type by the name of its schema, in the form of ROS 2 (`sensor_msgs/msg/Imu`) or the shorter one
  /// (`sensor_msgs/Imu`).
  init?(schemaName: String) {
    guard let type = Self.allCases.first(where: { [$0.schemaName, "sensor_msgs/\($0.rawValue)"].contains(schemaName) })
    else { return nil }
    self = type
  }

  /// `sensor_msgs/msg/…`.
  var schemaName: String { "sensor_msgs/msg/\(rawValue)" }

  /// The definition in the form that MCAP calls `ros2msg`: its own fields, then those of every type that it uses, each
  /// behind a line of 80 equals signs and its name. Source: MCAP's registry of schema encodings; the fields are those
  /// of ROS 2's public `common_interfaces`.
  var schema: String {
    var parts = ["std_msgs/Header header\n" + fields.map { "\($0.type.rawValue) \($0.name)\n" }.joined()]
    if fields.contains(where: { $0.type == .quaternion }) {
      parts.append("MSG: geometry_msgs/Quaternion\nfloat64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n")
    }
    if fields.contains(where: { $0.type == .vector }) {
      parts.append("MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n")
    }
    parts.append("MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n")
    parts.append("MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n")
    return parts.joined(separator: String(repeating: "=", count: 80) + "\n")
  }
}
