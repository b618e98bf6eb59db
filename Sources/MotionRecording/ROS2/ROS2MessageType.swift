// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The ROS 2 messages that are read and written, with their names and definitions.
public enum ROS2MessageType: Sendable, Hashable, CaseIterable {
  case imu, magneticField, fluidPressure, temperature

  /// A type by the name of its schema, in the form of ROS 2 (`sensor_msgs/msg/Imu`) or the shorter one (`sensor_msgs/Imu`).
  public init?(schemaName: String) {
    guard let type = Self.allCases.first(where: { [$0.schemaName, "sensor_msgs/\($0.name)"].contains(schemaName) })
    else { return nil }
    self = type
  }

  /// `sensor_msgs/msg/…`.
  public var schemaName: String { "sensor_msgs/msg/\(name)" }

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
  public var schema: String {
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
