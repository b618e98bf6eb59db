// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

// The units in which readings arrive. A byte each and not a factor: every sample carries one, and the units that
// loggers and devices use are few. A source whose sensor has another unit converts its readings to SI.

/// The unit and the sign of an accelerometer's reading.
///
/// The first four read positive on the axis that points up at rest (the reaction of gravity, "specific force"). The
/// reversed ones read negative there, as Core Motion does.
public enum AccelerationUnit: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// m/s² of specific force: SI.
  case metresPerSecondSquared
  /// Standard gravity, 9.80665 m/s².
  case gravity
  /// A thousandth of the standard gravity.
  case milligravity
  /// The readings of a program that multiplied g by 9.81: one unit is 9.80665 / 9.81 m/s².
  case roundedMetresPerSecondSquared
  /// m/s² with the sign of an acceleration in free fall: at rest, face up, z reads −9.81.
  case reversedMetresPerSecondSquared
  /// Core Motion's g: at rest, face up, z reads −1.
  case reversedGravity
  /// A thousandth of Core Motion's g.
  case reversedMilligravity
  /// Core Motion's g that a program multiplied by 9.81.
  case reversedRoundedMetresPerSecondSquared

  /// m/s² of specific force per unit; negative for the reversed ones.
  public var scale: Double {
    switch self {
    case .metresPerSecondSquared: 1
    case .gravity: standardGravity
    case .milligravity: standardGravity / 1000
    case .roundedMetresPerSecondSquared: standardGravity / 9.81
    case .reversedMetresPerSecondSquared: -1
    case .reversedGravity: -standardGravity
    case .reversedMilligravity: -standardGravity / 1000
    case .reversedRoundedMetresPerSecondSquared: -standardGravity / 9.81
    }
  }

  /// True when the axis that points up at rest reads negative.
  public var isReversed: Bool { rawValue >= Self.reversedMetresPerSecondSquared.rawValue }

  /// The same unit with the other sign.
  public var reversed: AccelerationUnit { AccelerationUnit(rawValue: rawValue ^ 4) ?? self }
}

/// The unit of a magnetometer's reading.
public enum MagneticFieldUnit: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  /// SI.
  case tesla
  case millitesla
  /// Core Motion's unit.
  case microtesla
  case nanotesla
  /// 1e-4 T.
  case gauss
  /// 1e-7 T.
  case milligauss

  /// Tesla per unit.
  public var scale: Double {
    switch self {
    case .tesla: 1
    case .millitesla: 1e-3
    case .microtesla: 1e-6
    case .nanotesla: 1e-9
    case .gauss: 1e-4
    case .milligauss: 1e-7
    }
  }
}

/// An angle in its original unit, so that the numbers of a recording in degrees stay unchanged.
public struct AngleReading: Hashable, Sendable, BitwiseCopyable {
  /// The size of one unit of the reading is.
  public enum Unit: UInt8, Sendable, BitwiseCopyable {
    /// SI.
    case radian
    /// Core Motion's unit of a heading.
    case degree
  }

  /// The original number, in units of ``unit``.
  public var reading: Double
  /// The size of one unit of `reading` is.
  public var unit: Unit

  /// An angle in its own unit.
  public init(_ reading: Double, _ unit: Unit) {
    self.reading = reading
    self.unit = unit
  }

  /// The angle without its unit.
  public var angle: Angle {
    switch unit {
    case .radian: Angle(radians: reading)
    case .degree: Angle(degrees: reading)
    }
  }

  /// The number in a unit: the reading itself if it has this unit.
  public func value(in wanted: Unit) -> Double {
    if wanted == unit { return reading }
    return wanted == .radian ? angle.radians : angle.degrees
  }

  /// A bearing in degrees, 0 up to 360: the reading itself where it arrived in degrees.
  package var bearingDegrees: Double {
    guard unit == .radian else { return reading }
    let degrees = angle.degrees
    let positive = degrees < 0 ? degrees + 360 : degrees
    // −0.0000000000000001 + 360 rounds to 360, and north itself comes out as −0: both are 0.
    return positive >= 360 || positive == 0 ? 0 : positive
  }
}
