// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// How far the direction of the magnetometer's field is to be trusted.
///
/// The levels and their conditions: `spec/heading-and-magnetometer.md`, section 3.
public enum MagnetometerAccuracy: Int8, Hashable, Sendable, Comparable, CaseIterable {
  /// Nothing is known about the hard iron, or the field is not that of the earth.
  case uncalibrated = -1
  /// The hard iron is known within 12 % of the field.
  case low = 0
  /// Within 7.5 %, from many directions.
  case medium = 1
  /// Within 4.5 %, from nearly all directions.
  case high = 2

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The next level below; the lowest stays.
  var lower: Self { Self(rawValue: rawValue - 1) ?? .uncalibrated }
  /// The next level above; the highest stays.
  var higher: Self { Self(rawValue: rawValue + 1) ?? .high }
}

/// What is known about the device's own magnetism. Keep it to start warm.
public struct MagnetometerCalibration: Hashable, Sendable {
  /// The device's own field, device axes, T: field of the earth = reading − hard iron.
  public var hardIron: Vector3<Device>
  /// The strength of the field that remains, T; 0 before it is known.
  public var fieldStrength: Double
  /// One standard deviation of the hard iron, per axis, T; infinite while nothing is known.
  /// ``OrientationFilter/update(magneticField:hardIronDeviation:atNanoseconds:)`` ignores fields of infinite deviation.
  public var hardIronDeviation: Double
  /// How far to trust it.
  public var accuracy: MagnetometerAccuracy

  /// A calibration, for example a stored one.
  public init(
    hardIron: Vector3<Device>, fieldStrength: Double, hardIronDeviation: Double, accuracy: MagnetometerAccuracy
  ) {
    self.hardIron = hardIron
    self.fieldStrength = fieldStrength
    self.hardIronDeviation = hardIronDeviation
    self.accuracy = accuracy
  }

  /// Nothing known.
  public static var none: Self {
    Self(hardIron: .zero, fieldStrength: 0, hardIronDeviation: .infinity, accuracy: .uncalibrated)
  }
}
