// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

/// Where the device is on the earth, for true north: Core Location has no counterpart here, so the host is told.
///
/// ```swift
/// let munich = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)
/// ```
public struct GeographicLocation: Sendable, Hashable {
  /// Rad, north positive, −π/2…π/2.
  public var latitude: Double
  /// Rad, east positive.
  public var longitude: Double
  /// Metres above the WGS 84 ellipsoid; default 0. A kilometre changes the declination by less than 0.01° at mid latitudes.
  public var height: Double
  /// Decimal year of the magnetic model, 2025.0…2030.0 for the built-in one.
  public var year: Double

  /// Nil when a number is not finite or the latitude is beyond a pole.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double, height: Double = 0, year: Double) {
    guard abs(latitudeDegrees) <= 90, longitudeDegrees.isFinite, abs(longitudeDegrees) <= 360, height.isFinite,
      year.isFinite
    else { return nil }
    latitude = Angle(degrees: latitudeDegrees).radians
    longitude = Angle(degrees: longitudeDegrees).radians
    self.height = height
    self.year = year
  }

  /// The angle from true north to magnetic north, rad, east positive; nil near the magnetic poles and outside the years of
  /// the World Magnetic Model 2025.
  public var declination: Double? {
    // Below 2000 nT of horizontal field a compass does not work (blackout zone of the model).
    guard let field, field.horizontal >= 2000e-9 else { return nil }
    return field.declination
  }

  /// The angle of the field below the horizon, rad, positive when it points down; nil outside the years of the model.
  public var dipAngle: Double? { field?.dipAngle }

  private var field: GeomagneticField? {
    GeomagneticModel().field(latitude: latitude, longitude: longitude, heightAboveEllipsoid: height, year: year)
  }
}
