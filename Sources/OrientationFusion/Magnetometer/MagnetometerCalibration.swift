// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// The accuracy of the direction of the magnetometer's field.
///
/// The levels and their conditions: Documentation/Filter.md 11.5.
public enum MagnetometerAccuracy: Int8, Hashable, Sendable, Comparable, CaseIterable {
  /// The hard iron is unknown, or the field is not that of the earth.
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

/// The known magnetism of the device itself. Store it for a warm start.
///
/// Parts of the device that are magnets themselves (*hard iron*) add a field that turns with it. Iron that is not a
/// magnet (*soft iron*), and axes of the magnetometer that differ in scale, stretch the earth's field along some
/// direction of the device: readings from all sides are on an ellipsoid. Both are corrected by
///
///     field of the earth = soft iron · (reading − hard iron)
public struct MagnetometerCalibration: Hashable, Sendable {
  /// The device's own field, device axes, T.
  public var hardIron: Vector3<Device>
  /// The strength of the field that remains, T; 0 before it is known.
  public var fieldStrength: Double
  /// One standard deviation of the hard iron, per axis, T; infinite while nothing is known.
  public var hardIronDeviation: Double
  /// Its accuracy.
  public var accuracy: MagnetometerAccuracy
  /// Transforms the ellipsoid of the readings to a sphere; device axes, symmetric, determinant 1. Default: the
  /// identity.
  ///
  /// The strength of the field does not determine two parts of the matrix. A common factor cannot be distinguished from
  /// a stronger earth field: with determinant 1 the factors of the three main axes have the geometric mean 1, in any
  /// device axes, and the inverse, which is the effect of the iron, is normalised in the same way. A rotation does not
  /// change any strength: the matrix is symmetric, the correction without a rotation.
  public var softIron: Matrix3
  /// One standard deviation of each element of the soft iron, relative; nil while it is not measured and the identity
  /// is used.
  public var softIronDeviation: Double?

  /// A calibration, for example a stored one.
  public init(
    hardIron: Vector3<Device>, fieldStrength: Double, hardIronDeviation: Double, accuracy: MagnetometerAccuracy,
    softIron: Matrix3 = .identity, softIronDeviation: Double? = nil
  ) {
    self.hardIron = hardIron
    self.fieldStrength = fieldStrength
    self.hardIronDeviation = hardIronDeviation
    self.accuracy = accuracy
    self.softIron = softIron
    self.softIronDeviation = softIronDeviation
  }

  /// An unknown calibration.
  public static var none: Self {
    Self(hardIron: .zero, fieldStrength: 0, hardIronDeviation: .infinity, accuracy: .uncalibrated)
  }

  /// The field of the earth in a reading, T, device axes.
  public func field(of reading: Vector3<Device>) -> Vector3<Device> { softIron * (reading - hardIron) }

  /// One standard deviation of the error that remains in the field, per axis, T: hard and soft iron together. Infinite
  /// while nothing is known; ``OrientationFilter/update(magneticField:hardIronDeviation:atNanoseconds:)`` ignores such
  /// fields.
  public var fieldDeviation: Double {
    guard let softIronDeviation else { return hardIronDeviation }
    let soft = softIronDeviation * fieldStrength
    return (hardIronDeviation * hardIronDeviation + soft * soft).squareRoot()
  }

  /// The same calibration with standard deviations widened for a later day.
  ///
  /// Every nearby magnet magnetises the parts of a device again. Five recordings of one phone within a day
  /// (data/iphone/tyrex) differ by 1.5 µT per axis; the values used here are 2 µT after a day or more, and 0.5 % of
  /// soft iron.
  ///
  /// - Parameter elapsed: seconds since it was found, 0 or more; infinite when unknown.
  public func widened(elapsed: Double) -> MagnetometerCalibration {
    let share = min(1, max(0, elapsed) / 86_400).squareRoot()
    var later = self
    later.hardIronDeviation = Scalar.hypot(hardIronDeviation, Constant.hardIronPerDay * share)
    later.softIronDeviation = softIronDeviation.map { Scalar.hypot($0, Constant.softIronPerDay * share) }
    return later
  }

  /// False for a matrix that is no soft iron's: not symmetric, not of determinant 1, or twice as long as broad.
  var hasPlausibleSoftIron: Bool {
    guard softIron.isFinite, softIronDeviation.map({ $0 >= 0 && $0.isFinite }) ?? true else { return false }
    return SoftIronFit.distance(softIron, softIron.transpose) < Constant.softIronTolerance
      && abs(softIron.determinant - 1) < Constant.softIronTolerance
      && SoftIronFit.distance(softIron, .identity) < 0.5
  }
}
