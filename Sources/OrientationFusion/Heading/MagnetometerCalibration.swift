// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// The accuracy of the direction of the magnetometer's field.
///
/// The levels and their conditions: Documentation/Filter.md 8.5.
public enum MagnetometerAccuracy: Int8, Hashable, Sendable, Comparable, CaseIterable {
  /// The hard iron is unknown, or the field is not that of the earth.
  case uncalibrated = -1
  /// The hard iron is known within 12 % of the field.
  case low = 0
  /// Within 7.5 %.
  case medium = 1
  /// Within 4.5 %.
  case high = 2

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

}

/// The known magnetism of the device itself. Store it for a warm start.
///
/// Parts of the device that are magnets themselves (*hard iron*) add a field that turns with it:
///
///     field of the earth = reading − hard iron
public struct MagnetometerCalibration: Hashable, Sendable {
  /// The device's own field, device axes, T.
  public var hardIron: Vector3<Device>
  /// The strength of the field that remains, T; 0 before it is known.
  public var fieldStrength: Double
  /// One standard deviation of the hard iron, per axis, T; infinite while nothing is known.
  public var hardIronDeviation: Double
  /// Its accuracy.
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

  /// An unknown calibration.
  public static var none: Self {
    Self(hardIron: .zero, fieldStrength: 0, hardIronDeviation: .infinity, accuracy: .uncalibrated)
  }

  /// The field of the earth in a reading, T, device axes.
  public func field(of reading: Vector3<Device>) -> Vector3<Device> { reading - hardIron }

  /// The same calibration with standard deviations widened for a later day.
  ///
  /// Every nearby magnet magnetises the parts of a device again. Five recordings of one phone within a day
  /// (data/iphone/tyrex) differ by 1.5 µT per axis; the value used here is 2 µT after a day or more.
  ///
  /// - Parameter elapsed: seconds since it was found, 0 or more; infinite when unknown.
  public func widened(elapsed: Double) -> MagnetometerCalibration {
    let share = min(1, max(0, elapsed) / 86_400).squareRoot()
    var later = self
    later.hardIronDeviation = Scalar.hypot(hardIronDeviation, Constant.hardIronPerDay * share)
    return later
  }

  /// True when the numbers can be those of a device: finite, and the remaining field as strong as the earth's.
  public var isPlausible: Bool {
    hardIron.isFinite && hardIronDeviation >= 0 && hardIronDeviation.isFinite && accuracy > .uncalibrated
      && fieldStrength >= Double(Constant.Field.weakest * Constant.Field.unit)
      && fieldStrength <= Double(Constant.Field.strongest * Constant.Field.unit)
  }
}
