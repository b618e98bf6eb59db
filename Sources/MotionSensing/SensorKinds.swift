// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What a source can deliver, as a set.
public struct SensorKinds: OptionSet, Hashable, Sendable {
  /// One bit per kind.
  public let rawValue: UInt16
  /// A set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Specific force.
  public static let accelerometer = SensorKinds(rawValue: 1 << 0)
  /// Angular velocity.
  public static let gyroscope = SensorKinds(rawValue: 1 << 1)
  /// Magnetic field.
  public static let magnetometer = SensorKinds(rawValue: 1 << 2)
  /// Air pressure: a barometer.
  public static let airPressure = SensorKinds(rawValue: 1 << 3)
  /// Water pressure: only a sensor declared as such, never a barometer.
  public static let waterPressure = SensorKinds(rawValue: 1 << 4)
  /// Temperature of the sensor or its surroundings.
  public static let temperature = SensorKinds(rawValue: 1 << 5)
  /// Motion that the device or the recording had already fused (``MotionRow``).
  public static let motion = SensorKinds(rawValue: 1 << 6)
  /// No samples: reports of whether the device is connected and which of its sensors is active (``ConnectionState``).
  public static let connection = SensorKinds(rawValue: 1 << 15)

  /// Accelerometer and gyroscope: the minimum for orientation.
  public static let inertial: SensorKinds = [.accelerometer, .gyroscope]

  /// The names of the members, in a fixed order: "accelerometer", "gyroscope" …
  public var names: [String] {
    let all: [(SensorKinds, String)] = [
      (.accelerometer, "accelerometer"), (.gyroscope, "gyroscope"), (.magnetometer, "magnetometer"),
      (.airPressure, "air pressure"), (.waterPressure, "water pressure"), (.temperature, "temperature"),
      (.motion, "fused motion"), (.connection, "connection"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
