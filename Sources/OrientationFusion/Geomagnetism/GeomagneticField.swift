// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The earth's magnetic field at one place and time, in the local geodetic axes.
///
/// A compass needle follows only the horizontal part, whose direction differs from true north by some degrees: the
/// declination. Where the field is nearly vertical, near the magnetic poles, a compass does not work.
public struct GeomagneticField: Hashable, Sendable {
  /// Towards true north, T.
  public let north: Double
  /// Towards east, T.
  public let east: Double
  /// Down along the vertical of the ellipsoid, T.
  public let down: Double

  /// A field from its three components in tesla.
  public init(north: Double, east: Double, down: Double) {
    self.north = north
    self.east = east
    self.down = down
  }

  /// The angle from true to magnetic north, rad, positive when magnetic north lies east: true heading = magnetic
  /// heading + declination. −π…π.
  public var declination: Double { Scalar.atan2(east, north) }

  /// The angle of the field below the horizon, rad, −π/2…π/2; positive in the northern hemisphere.
  public var dipAngle: Double { Scalar.atan2(down, horizontal) }

  /// The strength of the horizontal part, T.
  public var horizontal: Double { Scalar.hypot(north, east) }

  /// The strength of the whole field, T; 22–67 µT on the earth's surface.
  public var total: Double { (north * north + east * east + down * down).squareRoot() }

  /// True when the horizontal part is below 2 µT: a compass is useless and true north not available.
  public var isInBlackoutZone: Bool { horizontal < 2e-6 }

  /// True when the horizontal part is 2–6 µT: a compass is coarse.
  public var isInCautionZone: Bool { horizontal >= 2e-6 && horizontal < 6e-6 }

  /// One standard deviation of the declination, rad: the model's √(0.26² + (5417 nT / horizontal)²) degrees.
  public var declinationStandardDeviation: Double {
    let share = 5417e-9 / max(horizontal, 1e-9)
    return min(Double.pi, Angle(degrees: (0.26 * 0.26 + share * share).squareRoot()).radians)
  }
}
